import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifestOf, type PackageFolder, pack } from '../support/packages';

const root = join(__dirname, '../..');
const packages: readonly PackageFolder[] = ['.', 'schema/client'];
/** What a run of an example leaves in its folder. */
const left = /\/(node_modules|dist|generated|\.padron|package-lock\.json)$/;

/** A copy of a folder of `examples/` in which npm installs packed files of this repository in place of the released packages. */
export class CopiedExample {
  readonly path = mkdtempSync(join(tmpdir(), 'padron-example-'));
  readonly readme: string;
  private readonly children: ChildProcess[] = [];

  constructor(name: string) {
    const source = join(root, 'examples', name);
    cpSync(source, this.path, { recursive: true, filter: (file) => !left.test(file) });
    this.readme = readFileSync(join(this.path, 'README.md'), 'utf8');
    const file = join(this.path, 'package.json');
    let manifest = readFileSync(file, 'utf8');
    for (const folder of packages) {
      const { name, version } = manifestOf(folder);
      const released = `"${name}": "${version}"`;
      if (!manifest.includes(released)) throw new Error(`The example does not depend on ${released}.`);
      manifest = manifest.replace(released, `"${name}": "file:${pack(folder, this.path)}"`);
    }
    writeFileSync(file, manifest);
  }

  /** Returns the commands of the README, in order. */
  commands(): readonly string[] {
    return [...this.readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code = '']) => code.trim());
  }

  /** Runs a command in the folder until it ends. Throws if it fails. */
  run(command: string, settings: Readonly<Record<string, string>> = {}): string {
    const options = { cwd: this.path, env: environment(settings), encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('bash', ['-c', command], options);
  }

  /** Starts a command in the folder. Resolves when it has written the text. */
  async start(command: string, settings: Readonly<Record<string, string>>, text: string): Promise<void> {
    // The shell, npm and the program are one group, as they are for Ctrl-C in a terminal.
    const options = { cwd: this.path, env: environment(settings), detached: true, stdio: 'pipe' } as const;
    const child = spawn('bash', ['-c', command], options);
    this.children.push(child);
    let written = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (written += String(bytes)));
    while (!written.includes(text)) {
      if (child.exitCode !== null) throw new Error(`${command} has ended:\n${written}`);
      await new Promise((next) => setTimeout(next, 20));
    }
  }

  async remove(): Promise<void> {
    for (const child of this.children) {
      const exit = once(child, 'close');
      if (child.exitCode !== null || child.pid === undefined) continue;
      process.kill(-child.pid, 'SIGINT');
      await exit;
    }
    rmSync(this.path, { recursive: true });
  }
}

function environment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const quiet = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...quiet, NO_COLOR: '1', ...settings };
}
