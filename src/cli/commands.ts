import { extensions } from '../extensions';
import { type Commands, exitCodes, UsageError } from '../terminal/command';
import { check, checkUsage } from './check-command';
import { parseReconcile, parseSpend, reconcileUsage, spendUsage } from './ledger/ledger-arguments';
import { reconcile } from './ledger/reconcile-command';
import { reportSpend } from './ledger/spend-command';
import { priceCommand, pricesCommand } from './price/price';

const startUsage = `padron start

Serves the graph and its explorer at http://127.0.0.1:4000/graphql, with the sandbox unless REGISTRY_URL is set. Settings
are environment variables or lines of a file named .env in this folder, for example PORT=4310. Ctrl-C stops it.
`;

const migrateUsage = `padron migrate

Makes the tables of the store those of this version, and ends. Prints what it applied. Run it with DATABASE_URL, or with
DATA_DIR while no padron uses it. It needs no other setting. With MIGRATE=command, processes wait for it. While processes
of earlier versions use tables that a breaking migration changes, it makes them stop and waits for their end.

Exit codes: 0 the tables are those of this version, 2 the settings or the arguments are invalid, 4 they are not.
`;

const triggerUsage = `padron trigger [type]

Sends an event with invented data to WEBHOOK_URL, and prints what the receiver answers. It is signed as the server signs
events, and has "test": true. Without a type, the types are listed. Run it with the environment of the server.

Exit codes: 0 the receiver accepted the event, 1 it answered with another status than 2xx, 2 the settings or the arguments
are invalid, 4 there was no answer within ten seconds.
`;

export const commands: Commands = {
  start: {
    summary: 'serves the graph, its explorer, and the sandbox unless REGISTRY_URL is set',
    usage: startUsage,
    run: start,
  },
  check: {
    summary: 'checks the settings, and every system that they name',
    usage: checkUsage,
    run: (args, environment) => check(args, environment, extensions),
  },
  migrate: {
    summary: 'migrates the store, for a job before an update',
    usage: migrateUsage,
    run: async (args, environment) =>
      (await import('./migrate-command.js')).migrateStore(args, environment, extensions),
  },
  trigger: {
    summary: 'sends an invented event to the receiver, and prints its answer',
    usage: triggerUsage,
    run: async (args, environment) => (await import('./trigger-command.js')).trigger(args, environment, extensions),
  },
  price: priceCommand('padron'),
  prices: pricesCommand,
  ...Object.assign({}, ...extensions.map(({ commands: own }) => own)),
  spend: {
    summary: 'prints what was spent, from the ledger',
    usage: spendUsage,
    run: async (args, environment) => reportSpend(parseSpend(args, environment)),
  },
  reconcile: {
    summary: "compares the service's statement with the ledger",
    usage: reconcileUsage,
    run: async (args, environment) => reconcile(parseReconcile(args, environment)),
  },
};

async function start(args: readonly string[]): Promise<number> {
  if (args.length > 0) throw new UsageError('`start` has no arguments. Settings are environment variables.');
  // Loaded on demand: other commands do not need the modules of the server.
  await import('../main.js');
  return exitCodes.done;
}
