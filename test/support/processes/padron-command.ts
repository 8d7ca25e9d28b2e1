import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { watchProcess } from './process';

const root = join(__dirname, '../../..');

/** Runs the built command `padron` in a child process. Returns its exit code, and what it wrote to stdout (`output`) and stderr (`text`). */
export async function padronCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string; readonly text: string }> {
  const env = { PATH: process.env.PATH ?? '', PADRON_TOKEN: SANDBOX_TOKEN, ...environment };
  const command = watchProcess(spawn(process.execPath, [join(root, 'dist/cli/main.js'), ...args], { env, cwd: root }));
  const code = await command.ended();
  return { code: code ?? -1, output: command.standardOutput(), text: command.standardError() };
}
