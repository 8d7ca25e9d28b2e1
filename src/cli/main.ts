#!/usr/bin/env node
import { BatchCommand } from '../extensions/batch/command/batch-command';
import type { Screen } from '../extensions/batch/command/screen';
import { version } from '../text/version';
import { check, checkUsage } from './check-command';
import { batchUsage, exitCodes, parseBatch, UsageError } from './command-arguments';
import { parseReconcile, parseSpend, reconcileUsage, spendUsage } from './ledger/ledger-arguments';
import { reconcile } from './ledger/reconcile-command';
import { reportSpend } from './ledger/spend-command';
import { priceCommand } from './price/price';
import { type Commands, runProgram } from './program';
import { toTerminal } from './terminal-text';

const screen: Screen = {
  isTerminal: process.stderr.isTTY === true,
  columns: process.stderr.columns ?? 80,
  write: (text) => void process.stderr.write(toTerminal(text)),
  redraw: (line) => void process.stderr.write(`\r\u001b[K${toTerminal(line)}`),
};

const startUsage = `padron start

Serves the graph and its explorer at http://127.0.0.1:4000/graphql, with the sandbox unless REGISTRY_URL is set. Settings
are environment variables or lines of a file named .env in this folder, for example PORT=4310. Ctrl-C stops it.
`;

const commands: Commands = {
  start: {
    summary: 'serves the graph, its explorer, and the sandbox unless REGISTRY_URL is set',
    usage: startUsage,
    run: start,
  },
  check: { summary: 'checks the settings, and every system that they name', usage: checkUsage, run: check },
  price: priceCommand('padron'),
  batch: {
    summary: 'runs an operation for each row of a file, within a limit of units',
    usage: batchUsage,
    run: runBatch,
  },
  spend: {
    summary: 'prints what was spent, from the ledger',
    usage: spendUsage,
    run: async (args) => reportSpend(parseSpend(args, process.env)),
  },
  reconcile: {
    summary: "compares the service's statement with the ledger",
    usage: reconcileUsage,
    run: async (args) => reconcile(parseReconcile(args, process.env)),
  },
};

async function start(args: readonly string[]): Promise<number> {
  if (args.length > 0) throw new UsageError('`start` has no arguments. Settings are environment variables.');
  // Loaded on demand: other commands do not need the modules of the server.
  await import('../main.js');
  return exitCodes.done;
}

async function runBatch(args: readonly string[]): Promise<number> {
  const command = new BatchCommand(parseBatch(args, process.env), screen);
  process.once('SIGINT', () => {
    void command.interrupt().then((isEnding) => isEnding || process.exit(exitCodes.notFinished));
  });
  return command.run();
}

if (process.argv[2] === '--version') process.stdout.write(`${version}\n`);
else void runProgram('padron', commands, process.argv.slice(2));
