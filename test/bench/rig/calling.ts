import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { storeMigrations } from '../../../src/batch/storage/migrations';
import { CallCloser } from '../../../src/calls/store/call-closer';
import { CallOpener } from '../../../src/calls/store/call-opener';
import { newProcessName } from '../../../src/ledger/entry-id';
import { openStore } from '../../../src/store/open-store';
import { StoreHealth } from '../../../src/store/store-health';
import { callOf, charged } from '../../ledger/sql/calls';

/** A process that opens and closes calls in a store, without HTTP and GraphQL. */
export interface CallingTask {
  readonly url: string;
  /** Accounts whose calls it opens, in turn. */
  readonly accounts: readonly string[];
  readonly ms: number;
}

export interface CallingResult {
  readonly calls: number;
  readonly cpuMs: number;
}

const concurrency = 64;
const answer = randomBytes(1_500);

async function callFor({ url, accounts, ms }: CallingTask): Promise<CallingResult> {
  const ignore = (): void => undefined;
  const store = await openStore({ kind: 'postgres', url }, storeMigrations);
  const health = new StoreHealth({ storeUnavailable: ignore, storeAvailable: ignore });
  const processName = newProcessName();
  const opener = new CallOpener({ store, health, processName, timeoutMs: 5_000, maxCallMs: 30_000 });
  const onLost = (): never => {
    throw new Error('The store rejected a call.');
  };
  const closer = new CallCloser({ store, health, processName, journal: null, recover: null, delayMs: 1_000, onLost });
  const began = process.cpuUsage();
  const end = performance.now() + ms;
  let calls = 0;
  const call = async (): Promise<void> => {
    calls += 1;
    const id = `${processName}-${calls}`;
    const account = accounts[calls % accounts.length] ?? '';
    const shared = { names: [id], operations: [] };
    const opening = {
      id,
      accounts: [account],
      batch: null,
      run: null,
      day: 0,
      early: [],
      awaited: null,
      replaced: null,
    };
    const free = { price: 1, affordable: true, operationUnits: 0, keptAs: null, rowNumber: null, entry: null };
    const { verdict } = await opener.open({ ...opening, ...shared, ...free }, ignore);
    if (verdict !== 'SEND') throw new Error(`A new question was not sent: ${verdict}.`);
    const closing = { ...shared, state: 'ANSWERED', answer, until: performance.now() + 30_000, unused: 0 } as const;
    await closer.add({
      id,
      accounts: [account],
      shared: closing,
      batch: null,
      kept: null,
      entry: entryOf(id, account),
    });
  };
  const caller = async (): Promise<void> => {
    while (performance.now() < end) await call();
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  const { user, system } = process.cpuUsage(began);
  await store.close();
  return { calls, cpuMs: (user + system) / 1_000 };
}

const entryOf = (id: string, account: string) => ({
  ...charged(callOf({ account, at: new Date() })),
  id,
  subjects: [],
});

process.on('message', ({ id, ...task }: CallingTask & { readonly id: number }) => {
  callFor(task).then((result) => process.send?.({ id, ...result }));
});
