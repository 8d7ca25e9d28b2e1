import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { commands } from '../../../src/cli/commands';
import { runProgram } from '../../../src/cli/program';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { watchProcess } from './process';

const root = join(__dirname, '../../..');

/** The exit code of a command, and what it wrote to stdout (`output`) and stderr (`text`). */
interface Ended {
  readonly code: number;
  readonly output: string;
  readonly text: string;
}

type Environment = Readonly<Record<string, string>>;

/** Runs the command `padron` within this process, which takes a tenth of the time of a child process. */
export async function padronCommand(args: readonly string[], environment: Environment = {}): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += chunk.toString();
      return true;
    }),
  );
  try {
    const code = await runProgram('padron', commands, args, { PADRON_TOKEN: SANDBOX_TOKEN, ...environment });
    return { code, output: written.stdout, text: written.stderr };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs the built command in a child process, as a user does. */
export async function builtCommand(args: readonly string[], environment: Environment = {}): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? '', PADRON_TOKEN: SANDBOX_TOKEN, ...environment };
  const command = watchProcess(spawn(process.execPath, [join(root, 'dist/cli/main.js'), ...args], { env, cwd: root }));
  const code = await command.ended();
  return { code: code ?? -1, output: command.standardOutput(), text: command.standardError() };
}
