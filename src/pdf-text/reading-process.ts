import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PdfReading } from './pdf-reading';

/** Time limit for one document. It includes the start of a new process. */
const maxReadingMs = 10_000;
const maxIdleMs = 30_000;
/** Memory limits of the child. V8 aborts a process that exceeds its heap, so nothing else runs in this process. */
const memoryLimits = ['--max-old-space-size=96', '--max-semi-space-size=16'];

/** A child process that reads one document at a time. */
export class ReadingProcess {
  private readonly child: ChildProcess;
  private finish: ((reading: PdfReading) => void) | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onEnd: () => void) {
    this.child = fork(join(__dirname, 'child.mjs'), [], {
      execArgv: memoryLimits,
      // The child receives only the document: no settings, no secrets, no terminal.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.child.on('message', (reading: PdfReading) => this.settle(reading));
    this.child.on('error', () => this.settleAfterEnd());
    this.child.on('exit', () => this.settleAfterEnd());
    this.child.unref();
    this.child.channel?.unref();
  }

  get isIdle(): boolean {
    return this.finish === null;
  }

  read(bytes: Buffer): Promise<PdfReading> {
    return new Promise((resolve) => {
      this.finish = resolve;
      this.setTimer(maxReadingMs, () => this.settle({ problem: 'TOO_SLOW' }));
      // If the child has just died, its exit settles the reading.
      this.child.send(bytes, () => undefined);
    });
  }

  async end(): Promise<void> {
    this.onEnd();
    clearTimeout(this.timer);
    if (this.child.exitCode !== null || this.child.signalCode !== null || this.child.pid === undefined) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }

  private settle(reading: PdfReading): void {
    const { finish } = this;
    this.finish = null;
    // A rejected document may have left state in the library, so its child is not reused.
    if ('problem' in reading) void this.end();
    else this.setTimer(maxIdleMs, () => void this.end());
    finish?.(reading);
  }

  /** Reports the document as unreadable after the child ended, for example because it exceeded the memory limit. */
  private settleAfterEnd(): void {
    this.onEnd();
    clearTimeout(this.timer);
    this.finish?.({ problem: 'UNREADABLE' });
    this.finish = null;
  }

  private setTimer(ms: number, onTime: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(onTime, ms);
    this.timer.unref();
  }
}
