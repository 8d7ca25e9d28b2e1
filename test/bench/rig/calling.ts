import { ownPrices } from '../../../src/registry/endpoint/price-list';
import { storeMigrations } from '../../support/stores/store-migrations';
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { findCredit } from '../../../src/graph/domains/housing/endpoints';
import { MemoryAnswers } from '../../../src/money/answers/memory-answers';
import { StoreBackend } from '../../../src/money/calls/store/store-backend';
import { StoredPayer } from '../../../src/money/calls/store/stored-payer';
import { UnitMeter } from '../../../src/money/calls/units/unit-meter';
import { AccountNames } from '../../../src/money/ledger/entries/account-names';
import { Calendar } from '../../../src/money/ledger/entries/period';
import { SubjectIndex } from '../../../src/money/ledger/entries/subject-index';
import { type Answer, unsentEvidence } from '../../../src/registry/answer/answer';
import type { Caller } from '../../../src/registry/caller';
import { RegistryClient } from '../../../src/registry/client/client';
import { KeyRing } from '../../../src/store/key-ring';
import { openStore } from '../../../src/store/open-store';
import { noProxies } from '../../support/proxies/no-proxies';

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
const timeZone = 'America/Mexico_City';
const windowMs = 30_000;
const reuseMs = 0;
const body = randomBytes(1_500);
const now = (): Date => new Date();
const ignore = (): void => undefined;

const callerOf = (account: string): Caller => ({
  bearer: account,
  account,
  tenant: account,
  sandbox: false,
  usesServerToken: false,
  permissions: null,
});

const origin = {
  client: null,
  holder: null,
  tag: null,
  purpose: null,
  actor: null,
  reference: null,
  operation: () => null,
  requestId: null,
  batchId: null,
  reuse: null,
};

const answer: Answer<unknown> = {
  outcome: 'FOUND',
  payload: null,
  problems: [],
  bytes: body.length,
  evidence: { ...unsentEvidence('POST /'), checkedAt: now(), servedFrom: 'LIVE', units: 1, billing: 'CHARGED' },
};

async function startHome(url: string): Promise<StoreBackend> {
  const keys = new KeyRing(['0123456789abcdef'.repeat(3)]);
  const rejected = (): never => {
    throw new Error('The store rejected a call.');
  };
  return StoreBackend.start({
    store: await openStore({ kind: 'postgres', url }, storeMigrations),
    isInMemory: false,
    accountBytes: 1_000_000_000,
    keys,
    accounts: new AccountNames(keys, 'service'),
    subjects: new SubjectIndex(keys),
    service: 'service',
    settings: {},
    timeZone,
    calendar: new Calendar(timeZone),
    webhook: () => null,
    client: new RegistryClient({
      url: 'http://127.0.0.1:9',
      timeoutMs: 30_000,
      concurrency,
      proxies: noProxies,
      now,
      paths: {},
    }),
    memory: new MemoryAnswers({ windowMs: 0, now }),
    windowMs,
    reuseMs,
    now,
    observer: {
      pricesChanged: ignore,
      storeUnavailable: ignore,
      storeAvailable: ignore,
      eventHappened: ignore,
      eventDelivered: ignore,
      eventNotDelivered: ignore,
      eventsFailed: ignore,
      keysMissing: ignore,
      settingsFound: ignore,
      storeIsOlder: ignore,
      connectionsMissing: ignore,
      closingsLost: rejected,
      answersNotKept: ignore,
      failed: rejected,
    },
    onShare: ignore,
  });
}

async function callFor({ url, accounts, ms }: CallingTask): Promise<CallingResult> {
  const home = await startHome(url);
  const payers = accounts.map((account) => {
    const caller = callerOf(account);
    const payer = { caller, origin, units: new UnitMeter(null), prices: ownPrices, lastingNames: [] };
    return { caller, calls: new StoredPayer(home, payer) };
  });
  const began = process.cpuUsage();
  const end = performance.now() + ms;
  let calls = 0;
  const call = async (): Promise<void> => {
    calls += 1;
    const nss = `${home.processName} ${calls}`;
    const { signal } = new AbortController();
    const patience = { signal, maxMs: 30_000 };
    const payer = payers[calls % payers.length];
    if (payer === undefined) return;
    const question = {
      ...{ endpoint: findCredit, question: { nss }, input: {}, price: 1, path: null },
      key: nss,
      cacheKeys: [nss] as const,
      caller: payer.caller,
      purpose: null,
      lasting: null,
      reuse: null,
    };
    const begun = payer.calls.begin(question);
    let opened = await begun.open(patience);
    while (opened.kind === 'waiting') {
      await opened.until(patience);
      opened = await begun.open(patience);
    }
    if (opened.kind !== 'opened') throw new Error(`A new question was not sent: ${opened.kind}.`);
    const result = { kind: 'delivered', status: 200, headers: {}, body } as const;
    opened.call.onExchange?.({ result, checkedAt: now() });
    opened.call.close(answer);
    await payer.calls.written(signal);
  };
  const callOnAndOn = async (): Promise<void> => {
    while (performance.now() < end) await call();
  };
  await Promise.all(Array.from({ length: concurrency }, callOnAndOn));
  const { user, system } = process.cpuUsage(began);
  await home.close();
  await home.store.close();
  return { calls, cpuMs: (user + system) / 1_000 };
}

process.on('message', ({ id, ...task }: CallingTask & { readonly id: number }) => {
  callFor(task).then((result) => process.send?.({ id, ...result }));
});
