import { DocumentFileError } from '../graph/core/operations/published-document';
import { FileError, UsageError } from './command-arguments';
import { RequestFailedError } from './graph-client';
import { toTerminal } from './terminal-text';

/** A command of a program. */
export interface Command {
  /** One line in the list of commands. */
  readonly summary: string;
  readonly usage: string;
  /** Returns the exit code. */
  run(args: readonly string[]): Promise<number>;
}

/** The commands of a program by name, in the order of its list. */
export type Commands = Readonly<Record<string, Command>>;

export const exitCodes = {
  done: 0,
  rowsFailed: 1,
  differs: 1,
  tooExpensive: 1,
  invalidArguments: 2,
  notFinished: 3,
  requestFailed: 4,
} as const;

/** Writes a report to stdout. JSON and CSV are data, which are not changed. */
export const print = (report: string, isData = false): void =>
  void process.stdout.write(isData ? report : toTerminal(report));

const complain = (text: string): void => void process.stderr.write(toTerminal(text));

/** Runs the command that the first argument names, and sets the exit code. Without arguments it lists the commands. */
export async function runProgram(program: string, commands: Commands, args: readonly string[]): Promise<void> {
  const [name = '--help', ...rest] = args;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    process.exitCode = await run(program, commands, command, name, rest);
  } catch (error) {
    const isInvalid = [UsageError, FileError, DocumentFileError].some((kind) => error instanceof kind);
    const isExpected = isInvalid || error instanceof RequestFailedError;
    complain(`${isExpected && error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof UsageError) complain(`\n${command?.usage ?? listCommands(program, commands)}`);
    process.exitCode = isInvalid ? exitCodes.invalidArguments : exitCodes.requestFailed;
  }
}

async function run(
  program: string,
  commands: Commands,
  command: Command | undefined,
  name: string,
  args: readonly string[],
): Promise<number> {
  if (name === '--help') {
    print(listCommands(program, commands));
    return exitCodes.done;
  }
  if (command === undefined) throw new UsageError(`\`${name}\` is not a command.`);
  if (!args.includes('--help')) return command.run(args);
  print(command.usage);
  return exitCodes.done;
}

function listCommands(program: string, commands: Commands): string {
  const entries = Object.entries(commands);
  const width = Math.max(...entries.map(([name]) => name.length));
  const lines = entries.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `${program} <command>\n\n${lines.join('')}\n\`${program} <command> --help\` explains a command.\n`;
}
