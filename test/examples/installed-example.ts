import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf, type PackageFolder, pack } from '../support/packages';
import { type WatchedProcess, watchProcess } from '../support/processes/process';
import { ExampleFolder } from './example-folder';

/** An example in which npm installs packed files of this repository in place of those in the root of the repository. */
export class InstalledExample extends ExampleFolder {
  private readonly terminals: WatchedProcess[] = [];

  /** Runs the README's command that installs the packages. The example depends on the packages of these folders. */
  async install(command: string, folders: readonly PackageFolder[]): Promise<void> {
    const file = join(this.path, 'package.json');
    let manifest = readFileSync(file, 'utf8');
    for (const folder of folders) {
      const { name, version } = manifestOf(folder);
      const packed = `"${name}": "file:../../${name}-${version}.tgz"`;
      if (!manifest.includes(packed)) throw new Error(`The example does not depend on ${packed}.`);
      manifest = manifest.replace(packed, `"${name}": "file:${pack(folder, this.path)}"`);
    }
    writeFileSync(file, manifest);
    await this.run(`${command} --prefer-offline --no-audit --no-fund`);
  }

  /** Starts a command, as in one more terminal. Resolves when it has written the text. */
  async start(command: string, environment: Readonly<Record<string, string>>, ready: string): Promise<void> {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, NO_COLOR: '1', ...environment };
    // The shell, npm and the program are one group, as they are for Ctrl-C.
    const terminal = watchProcess(spawn('bash', ['-c', command], { cwd: this.path, env, detached: true }));
    this.terminals.push(terminal);
    const written = await terminal.says(ready);
    if (!written.includes(ready)) throw new Error(`${command} has ended: ${written}`);
  }

  /** Stops the commands as Ctrl-C does, and removes the folder. */
  async stop(): Promise<void> {
    for (const { child, ended } of this.terminals) {
      if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGINT');
      await ended();
    }
    this.remove();
  }
}
