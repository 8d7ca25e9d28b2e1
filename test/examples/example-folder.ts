import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { findOrThrow } from '../support/find-or-throw';
import { manifestOf, type PackageFolder, pack } from '../support/packages';
import { post } from '../support/padrons/padron';
import { type WatchedProcess, watchProcess } from '../support/processes/process';

const run = promisify(execFile);
const examples = join(__dirname, '../../examples');

/** A command of a README, and the output that the README shows below it. */
export interface Step {
  readonly command: string;
  readonly output: string | null;
}

/** A copy of a folder of `examples/` outside of the repository, in which a test follows its README. */
export class ExampleFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'padron-example-'));
  readonly readme: string;
  private readonly steps: readonly Step[];

  constructor(name: string) {
    const isSource = (file: string): boolean =>
      !/\/(node_modules|__pycache__|generated|dist|package-lock\.json)$/.test(file);
    cpSync(join(examples, name), this.path, { recursive: true, filter: isSource });
    this.readme = readFileSync(join(this.path, 'README.md'), 'utf8');
    const blocks = this.readme.matchAll(/^```sh\n([\s\S]*?)\n```\n(?:\n```(?:json)?\n([\s\S]*?\n)```\n)?/gm);
    this.steps = [...blocks].map(([, command = '', output = null]) => ({ command, output }));
  }

  /** Returns the first step whose command matches. */
  step(text: string | RegExp): Step {
    return findOrThrow(this.steps, ({ command }) => command.search(text) !== -1);
  }

  /** Runs a command in this folder by a shell. Returns what it wrote, without and with errors. Throws if it fails. */
  async run(command: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const { PATH = '', HOME = '' } = process.env;
    const { stdout } = await run('bash', ['-c', command], {
      cwd: this.path,
      env: { PATH, HOME, ...environment },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}

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

/** Returns the number of calls of a padron by endpoint, as its ledger has them. */
export async function callsByEndpoint(url: string, headers = {}): Promise<Readonly<Record<string, number>>> {
  const query = '{ registrySpend(filter: {}, by: [ENDPOINT]) { endpoint calls } }';
  const { data } = await post(url, { query }, { authorization: `Bearer ${SANDBOX_TOKEN}`, ...headers });
  const rows: readonly { readonly endpoint: string; readonly calls: number }[] = data.registrySpend;
  return Object.fromEntries(rows.map((row) => [row.endpoint, row.calls]));
}
