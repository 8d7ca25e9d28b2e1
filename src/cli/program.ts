import { ConfigError } from '../config/config';
import { DocumentFileError } from '../graph/core/operations/read-documents';
import { type CommandEnvironment, type Commands, exitCodes, FileError, UsageError } from '../terminal/command';
import { RequestFailedError } from '../terminal/graph-client';
import { toTerminal } from '../terminal/terminal-text';

/** Runs the command that the first argument names, and returns its exit code. Without arguments it lists the commands. */
export async function runProgram(
  program: string,
  commands: Commands,
  args: readonly string[],
  environment: CommandEnvironment = {},
): Promise<number> {
  const [name = '--help', ...rest] = args;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (name === '--help' || (command !== undefined && rest.includes('--help'))) {
      print(command?.usage ?? listCommands(program, commands));
      return exitCodes.done;
    }
    if (command === undefined) throw new UsageError(`\`${name}\` is not a command.`);
    const result = await command.run(rest, environment);
    if (typeof result === 'number') return result;
    print(result.text, result.isData);
    return result.code;
  } catch (error) {
    const isInvalid = [UsageError, FileError, ConfigError, DocumentFileError].some((kind) => error instanceof kind);
    const isExpected = isInvalid || error instanceof RequestFailedError;
    const message = isExpected && error instanceof Error ? error.message : String(error);
    const help =
      command === undefined
        ? `\`${program} --help\` lists the commands.`
        : `\`${program} ${name} --help\` lists the arguments.`;
    process.stderr.write(toTerminal(`${message}\n${error instanceof UsageError ? `${help}\n` : ''}`));
    return isInvalid ? exitCodes.invalidArguments : exitCodes.requestFailed;
  }
}

const print = (text: string, isData = false): void => void process.stdout.write(isData ? text : toTerminal(text));

function listCommands(program: string, commands: Commands): string {
  const entries = Object.entries(commands);
  const width = Math.max(...entries.map(([name]) => name.length));
  const lines = entries.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `${program} <command>\n\n${lines.join('')}\n\`${program} <command> --help\` explains a command.\n`;
}
