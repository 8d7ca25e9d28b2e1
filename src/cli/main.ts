#!/usr/bin/env node
import { DocumentFileError } from '../graph/core/operations/published-document';
import { BatchCommand } from './batch-command';
import { check, checkUsage } from './check-command';
import { batchUsage, exitCodes, FileError, parseBatch, type Report, UsageError } from './command-arguments';
import { RequestFailedError } from './graph-client';
import { parseReconcile, parseSpend, reconcileUsage, spendUsage } from './ledger/ledger-arguments';
import { reconcile } from './ledger/reconcile-command';
import { reportSpend } from './ledger/spend-command';
import { parsePrice, priceUsage } from './price/price-arguments';
import type { Screen } from './screen';
import { toTerminal } from './terminal-text';

const screen: Screen = {
  isTerminal: process.stderr.isTTY === true,
  columns: process.stderr.columns ?? 80,
  write: (text) => void process.stderr.write(toTerminal(text)),
  redraw: (line) => void process.stderr.write(`\r\u001b[K${toTerminal(line)}`),
};

interface Command {
  readonly usage: string;
  /** Runs the command. A report is printed, and a number is the exit code of a command that has printed its output itself. */
  run(args: readonly string[]): Promise<Report | number>;
}

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['batch', { usage: batchUsage, run: runBatch }],
  ['reconcile', { usage: reconcileUsage, run: async (args) => reconcile(parseReconcile(args, process.env)) }],
  ['spend', { usage: spendUsage, run: async (args) => reportSpend(parseSpend(args, process.env)) }],
  ['price', { usage: priceUsage, run: runPrice }],
  ['check', { usage: checkUsage, run: check }],
]);

/** Returns the help of the command, or of all commands if the arguments do not begin with one. */
const usageOf = ([name = '']: readonly string[]): string =>
  commands.get(name)?.usage ?? [...commands.values()].map(({ usage }) => usage).join(`\n${'-'.repeat(80)}\n\n`);

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.length === 0) {
    screen.write(usageOf(args));
    return args.length === 0 ? exitCodes.invalidArguments : exitCodes.done;
  }
  const [name = '', ...rest] = args;
  const command = commands.get(name);
  if (command === undefined)
    throw new UsageError(`\`${name}\` is not a command. Commands: ${[...commands.keys()].sort().join(', ')}.`);
  const result = await command.run(rest);
  if (typeof result === 'number') return result;
  process.stdout.write(result.isData ? result.text : toTerminal(result.text));
  return result.code;
}

async function runPrice(args: readonly string[]): Promise<Report> {
  // Loaded on demand, because it loads the graph.
  const { reportPrices } = await import('./price/price-command.js');
  return reportPrices(parsePrice(args));
}

async function runBatch(args: readonly string[]): Promise<number> {
  const command = new BatchCommand(parseBatch(args, process.env), screen);
  process.once('SIGINT', () => {
    void command.interrupt().finally(() => process.exit(exitCodes.notFinished));
  });
  return command.run();
}

const args = process.argv.slice(2);

main(args).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const isInvalid = [UsageError, FileError, DocumentFileError].some((kind) => error instanceof kind);
    const isExpected = isInvalid || error instanceof RequestFailedError;
    const message = isExpected && error instanceof Error ? error.message : String(error);
    screen.write(`${message}\n${error instanceof UsageError ? `\n${usageOf(args)}` : ''}`);
    process.exitCode = isInvalid ? exitCodes.invalidArguments : exitCodes.requestFailed;
  },
);
