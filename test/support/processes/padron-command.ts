import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';

const root = join(__dirname, '../../..');

/** Runs the built command `padron` in a child process. Returns its exit code, and what it wrote to stdout (`output`) and stderr (`text`). */
export async function padronCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string; readonly text: string }> {
  const env = { PATH: process.env.PATH ?? '', PADRON_TOKEN: SANDBOX_TOKEN, ...environment };
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), ...args], { env, cwd: root });
  let output = '';
  let text = '';
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, output, text };
}
