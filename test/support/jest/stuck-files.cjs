const { spawnSync } = require('node:child_process');
const { relative } = require('node:path');

const LONGEST_MS = 15 * 60_000;

/**
 * Ends a run in which a file neither passes nor fails, because a process turns in circles for good. It names the file and prints the processes:
 * whoever ends the run from outside would only see which files have passed. The longest file takes a third of that time.
 */
module.exports = class {
  #began = new Map();

  onRunStart() {
    this.timer = setInterval(() => this.endStuckRun(), 10_000).unref();
  }

  onTestFileStart({ path }) {
    this.#began.set(path, performance.now());
  }

  onTestFileResult({ path }) {
    this.#began.delete(path);
  }

  onRunComplete() {
    clearInterval(this.timer);
  }

  endStuckRun() {
    const running = [...this.#began].map(([path, began]) => [relative('.', path), performance.now() - began]);
    if (!running.some(([, ms]) => ms > LONGEST_MS)) return;
    for (const [file, ms] of running) process.stderr.write(`STUCK ${file}: running for ${Math.round(ms / 1_000)} s\n`);
    process.stderr.write(
      spawnSync('ps', ['-eo', 'pid,ppid,stat,etimes,time,rss,wchan:20,args'], { encoding: 'utf8' }).stdout,
    );
    process.exit(75);
  }
};
