#!/usr/bin/env node
import { BatchCommand, exitCodes } from './batch-command';
import { parseArguments, UsageError, usage } from './command-arguments';
import { RequestFailedError } from './graph-client';
import type { Screen } from './screen';

const screen: Screen = {
  isTerminal: process.stderr.isTTY === true,
  columns: process.stderr.columns ?? 80,
  write: (text) => void process.stderr.write(text),
};

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.length === 0) {
    screen.write(usage);
    return args.length === 0 ? exitCodes.invalidArguments : exitCodes.done;
  }
  const command = new BatchCommand(parseArguments(args, process.env), screen);
  process.once('SIGINT', () => {
    void command.interrupt().finally(() => process.exit(exitCodes.notFinished));
  });
  return command.run();
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const isOurs = error instanceof UsageError || error instanceof RequestFailedError;
    screen.write(`${isOurs ? error.message : String(error)}\n${error instanceof UsageError ? `\n${usage}` : ''}`);
    process.exitCode = error instanceof UsageError ? exitCodes.invalidArguments : exitCodes.requestFailed;
  },
);
