#!/usr/bin/env node
import { DocumentFileError } from '../graph/core/operations/published-document';
import { BatchCommand, exitCodes } from './batch-command';
import { check, checkUsage } from './check-command';
import { FileError, parseArguments, UsageError, usage } from './command-arguments';
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

/** Writes a report. JSON and CSV are data, which are not changed. */
const print = (report: string, isData: boolean): void =>
  void process.stdout.write(isData ? report : toTerminal(report));

const usages = new Map([
  ['batch', usage],
  ['reconcile', reconcileUsage],
  ['spend', spendUsage],
  ['price', priceUsage],
  ['check', checkUsage],
]);

/** Returns the help of the command, or of all commands if the arguments do not begin with one. */
const usageOf = ([command = '']: readonly string[]): string =>
  usages.get(command) ?? [...usages.values()].join(`\n${'-'.repeat(80)}\n\n`);

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.length === 0) {
    screen.write(usageOf(args));
    return args.length === 0 ? exitCodes.invalidArguments : exitCodes.done;
  }
  const [name, ...rest] = args;
  if (name === 'reconcile') {
    const { report, agrees } = await reconcile(parseReconcile(rest, process.env));
    print(report, false);
    return agrees ? exitCodes.done : exitCodes.differs;
  }
  if (name === 'spend') {
    const parsed = parseSpend(rest, process.env);
    print(await reportSpend(parsed), parsed.csv);
    return exitCodes.done;
  }
  if (name === 'price') {
    // Loaded on demand, because it loads the graph.
    const { reportPrices } = await import('./price/price-command.js');
    const parsed = parsePrice(rest);
    const { report, passes } = await reportPrices(parsed);
    print(report, parsed.format === 'json');
    return passes ? exitCodes.done : exitCodes.tooExpensive;
  }
  if (name === 'check') {
    const { report, code } = await check(rest);
    print(report, rest.includes('--json'));
    return code;
  }
  if (name === 'batch') return runBatch(args);
  throw new UsageError(`\`${name}\` is not a command. Commands: ${[...usages.keys()].sort().join(', ')}.`);
}

function runBatch(args: readonly string[]): Promise<number> {
  const command = new BatchCommand(parseArguments(args, process.env), screen);
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
    const isExpected = [UsageError, FileError, DocumentFileError, RequestFailedError].some(
      (kind) => error instanceof kind,
    );
    const message = isExpected && error instanceof Error ? error.message : String(error);
    screen.write(`${message}\n${error instanceof UsageError ? `\n${usageOf(args)}` : ''}`);
    const isInvalid = [UsageError, FileError, DocumentFileError].some((kind) => error instanceof kind);
    process.exitCode = isInvalid ? exitCodes.invalidArguments : exitCodes.requestFailed;
  },
);
