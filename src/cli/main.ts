#!/usr/bin/env node
import { BatchCommand, exitCodes } from './batch-command';
import { readWords, usage, WordsError } from './command-words';
import { RefusedError } from './graph-client';
import type { Screen } from './screen';

const screen: Screen = {
  isTerminal: process.stderr.isTTY === true,
  columns: process.stderr.columns ?? 80,
  write: (text) => void process.stderr.write(text),
};

async function main(words: readonly string[]): Promise<number> {
  if (words.includes('--help') || words.length === 0) {
    screen.write(usage);
    return words.length === 0 ? exitCodes.wrongWords : exitCodes.done;
  }
  const command = new BatchCommand(readWords(words, process.env), screen);
  process.once('SIGINT', () => {
    void command.interrupt().finally(() => process.exit(exitCodes.standing));
  });
  return command.run();
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const isOurs = error instanceof WordsError || error instanceof RefusedError;
    screen.write(`${isOurs ? error.message : String(error)}\n${error instanceof WordsError ? `\n${usage}` : ''}`);
    process.exitCode = error instanceof WordsError ? exitCodes.wrongWords : exitCodes.refused;
  },
);
