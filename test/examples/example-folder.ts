import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOrThrow } from '../support/find-or-throw';

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
