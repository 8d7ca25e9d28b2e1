import { randomUUID } from 'node:crypto';
import type { Config } from '../config/settings';
import { purgeOperations } from '../money/answers/operations/lasting-operations';
import { SharedNames } from '../money/answers/shared-names';
import { Calls } from '../money/calls/calls';
import type { SharedSettings } from '../money/calls/store/processes';
import type { CallObserver } from '../money/calls/store/store-parts';
import { MemoryResults, type ResultStore } from '../money/idempotency/request-results';
import { purgeResults, StoredResults } from '../money/idempotency/stored-results';
import { AuditTrail } from '../money/ledger/audit/audit-trail';
import type { StoredBudgets } from '../money/ledger/budgets/stored-budgets';
import { AccountNames } from '../money/ledger/entries/account-names';
import { purgeLedger } from '../money/ledger/entries/ledger-purge';
import { Purge, type PurgeJob } from '../money/ledger/entries/purge';
import { SubjectIndex } from '../money/ledger/entries/subject-index';
import type { EventStore } from '../money/ledger/events/event-store';
import { CsvExport } from '../money/ledger/reading/csv-export';
import { LedgerReader } from '../money/ledger/reading/ledger-reader';
import { moneyMigrations, processesSql } from '../money/migrations';
import type { RegistryClient } from '../registry/client/client';
import { KeyRing, readDataKeys } from '../store/key-ring';
import { openStore } from '../store/open-store';
import { SchemaWatch } from '../store/schema-watch';
import { SealedLinks } from '../store/sealed-box';
import { type Migration, type Store, UnusableStoreError } from '../store/store';
import { compareSettings, sharedSettings } from './shared-settings';
import type { Logger } from './telemetry/logger';
import type { Metrics } from './telemetry/metrics';

type Now = () => Date;

export interface CallParts {
  readonly config: Config;
  readonly latest: () => Config;
  readonly client: RegistryClient;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: Now;
}

export function startCalls(
  { config, latest, client, log, metrics, now }: CallParts,
  persistence: Persistence | null,
): Promise<Calls> {
  const { timeZone } = config.data;
  const limits = { windowMs: config.replaySeconds * 1_000, timeoutMs: config.registryTimeoutMs };
  const settings = persistence && {
    store: persistence.store,
    isInMemory: config.data.store?.kind === 'memory',
    keys: persistence.keys,
    accounts: persistence.accounts,
    subjects: persistence.subjects,
    service: serviceOf(config),
    settings: persistence.settings,
    webhook: () => latest().data.webhook,
    accountBytes: config.keepAccountBytes,
    reuseMs: config.reuseDays * 86_400_000,
    observer: observe(log, metrics, persistence.settings),
    onShare: (rank: number, live: number) => {
      metrics.setProcesses(live);
      client.setConcurrency(shareOf(config.registryConcurrency, rank, live));
    },
  };
  return Calls.start({ client, timeZone, now, ...limits }, settings);
}

/** Every embedded sandbox is the same service, whatever its port. */
const serviceOf = ({ registryUrl }: Config): string => registryUrl ?? 'embedded sandbox';

/** A call waits for its turn and then for its answer, each for at most REGISTRY_TIMEOUT_MS. */
export const maxCallMs = ({ registryTimeoutMs }: Config): number => 2 * registryTimeoutMs;

/** Returns a process's share of the concurrent calls. The shares add up to the limit, but each is at least one. */
function shareOf(limit: number, rank: number, live: number): number {
  return Math.max(1, Math.floor(limit / live) + (rank < limit % live ? 1 : 0));
}

/** The results of requests with an idempotency key, and the names under which they are kept. */
export interface RequestResults {
  readonly names: SharedNames;
  readonly results: ResultStore;
}

export function createRequestResults(
  { config, client, log }: Pick<CallParts, 'config' | 'client' | 'log'>,
  persistence: Persistence | null,
  { store: calls }: Calls,
  parts: readonly StorePart[],
): RequestResults {
  const keys = persistence?.keys ?? new KeyRing([randomUUID()]);
  const accounts = persistence?.accounts ?? new AccountNames(keys, serviceOf(config));
  const names = new SharedNames(keys, accounts, (endpoint) => client.address(endpoint));
  if (calls === null) return { names, results: new MemoryResults() };
  const onError = (error: unknown): void => log.internalError(error, null);
  const onRetry = (retrying: Promise<void>): void => calls.closer.expect(retrying);
  const [ofParts] = parts.flatMap((part) => part.bytesLeft?.(calls.store, config) ?? []);
  const bytesLeft = ofParts ?? ofAccount(calls.store, config.keepAccountBytes);
  return {
    names,
    results: new StoredResults(
      calls.store,
      names,
      calls.processName,
      bytesLeft,
      config.registryTimeoutMs,
      onError,
      onRetry,
    ),
  };
}

/** Without an extension that has a quota for them, an account's results have the quota of its kept answers. */
const ofAccount =
  (store: Store, quota: number): BytesLeft =>
  async ({ account, owner }) => {
    const [row] = await store.query<{ readonly bytes: number }>('SELECT request_bytes($1, $2)::float8 AS bytes', [
      account,
      owner,
    ]);
    const left = quota - (row?.bytes ?? 0);
    return { account: left, total: left };
  };

/** The ledger of a process. `Calls` writes the entries. */
export interface RunningLedger {
  readonly accounts: AccountNames;
  readonly reader: LedgerReader;
  readonly budgets: StoredBudgets;
  readonly events: EventStore;
  readonly csv: CsvExport;
  readonly trail: AuditTrail;
  close(): Promise<void>;
}

export function startLedger(
  { config, log, metrics, now }: Omit<CallParts, 'client' | 'latest'>,
  persistence: Persistence | null,
  { store: recording }: Calls,
): RunningLedger | null {
  const { timeZone } = config.data;
  if (persistence === null || recording === null) return null;
  const { links, subjects, accounts } = persistence;
  const { store, budgets } = recording;
  metrics.watchLedger(() => recording.state);
  const flush = async (): Promise<void> => {
    await recording.closer.flush();
    await recording.counts.flush();
  };
  const source = { store, subjects, links, flush, timeZone, now };
  const retention = { ...config.data, purposes: String(persistence.settings.PURPOSES ?? '') };
  const ledger: PurgeJob = (_, signal) => purgeLedger(store, signal, retention, (day) => log.purgeHeld(day));
  const purge = new Purge(store, [ledger, purgeOperations, purgeResults], now, log);
  purge.start();
  return {
    accounts,
    reader: new LedgerReader({ ...source, erase: (...person) => recording.erase(...person) }),
    budgets,
    events: recording.events,
    csv: new CsvExport({ ...source, unitPrice: config.unitPrice }),
    trail: new AuditTrail(store, now, (record, account) => log.audit(record, account)),
    close: () => purge.stop(),
  };
}

function observe(log: Logger, metrics: Metrics, settings: SharedSettings): CallObserver {
  return {
    settingsFound: (found) => {
      const differences = compareSettings(settings, found);
      if (differences.length > 0) log.settingsDiffer(differences);
    },
    storeIsOlder: () => {
      log.ledgerStoreOlder();
      metrics.recordOlderStore();
    },
    pricesChanged: (version, isOwn) => log.pricesChanged(version, isOwn),
    eventHappened: (event) => log.eventHappened(event),
    eventDelivered: ({ type }) => metrics.recordEvent(type, 'delivered'),
    eventNotDelivered: (event, reason, isFinal) => {
      log.eventNotDelivered(event, reason, isFinal);
      metrics.recordEvent(event.type, isFinal ? 'failed' : 'retried');
    },
    eventsFailed: (error) => log.internalError(error, null),
    keysMissing: (ids) => log.dataKeysMissing(ids),
    connectionsMissing: ({ opened, wanted }) => log.connectionsMissing(opened, wanted),
    storeUnavailable: (reason) => log.ledgerStoreUnavailable(reason),
    storeAvailable: () => log.ledgerStoreAvailable(),
    closingsLost: (count) => {
      log.ledgerEntriesLost(count);
      metrics.recordLostEntries(count);
    },
    answersNotKept: (count) => {
      log.answersNotKept(count);
      metrics.recordUnkeptAnswers(count);
    },
    failed: (error) => {
      // Its text is written for operators.
      if (error instanceof UnusableStoreError) log.notice('error', error.message);
      else log.internalError(error, null);
    },
  };
}

/** Returns the bytes that are left for the results of an owner's requests, and of all. */
export type BytesLeft = (owner: {
  readonly account: string;
  readonly owner: string;
}) => Promise<{ readonly account: number; readonly total: number }>;

/** Tables and functions that an extension adds to the store. */
export interface StorePart {
  migrations(): readonly Migration[];
  /** Statement that returns the IDs of the keys with which its data was encrypted. */
  readonly usedKeysSql?: string;
  /** The quota of an extension that also counts the results of requests with an idempotency key. */
  bytesLeft?(store: Store, config: Config): BytesLeft;
}

export const partsOf = (extensions: readonly { readonly store?: StorePart }[]): readonly StorePart[] =>
  extensions.flatMap(({ store }) => store ?? []);

/**
 * The whole schema of a store, in one order: a part has its own files, and their numbers are versions of the whole store. An extension that is
 * added later starts at its first number.
 */
export const migrationsOf = (parts: readonly StorePart[]): readonly Migration[] => [
  ...moneyMigrations,
  ...parts.flatMap((part) => part.migrations()),
];

export interface Persistence {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly accounts: AccountNames;
  readonly subjects: SubjectIndex;
  readonly links: SealedLinks;
  readonly settings: SharedSettings;
  readonly schema: SchemaWatch;
}

export async function openPersistence(
  { config, log, now }: Pick<CallParts, 'config' | 'log' | 'now'>,
  parts: readonly StorePart[],
): Promise<Persistence | null> {
  const { store: location, keys: secrets, migrate } = config.data;
  if (location === null) return null;
  const migrations = migrationsOf(parts);
  const onWait = (processes: number): void => log.migrationWaits(processes);
  const processes = { sql: processesSql, onWait };
  const store = await openStore(location, migrations, processes, migrate === 'start').catch(rejectFolder);
  try {
    const { ring: keys, areBesideData } = readDataKeys(location, secrets);
    if (areBesideData) log.dataKeysBesideData();
    const accounts = new AccountNames(keys, serviceOf(config));
    const [subjects, links] = [new SubjectIndex(keys), new SealedLinks(keys, now)];
    const schema = new SchemaWatch(store, migrations);
    return { store, keys, accounts, subjects, links, settings: sharedSettings(config, keys), schema };
  } catch (error) {
    await store.close();
    return rejectFolder(error);
  }
}

/** Throws an error of the file system as a `UnusableStoreError` that names `DATA_DIR`, and any other error unchanged. */
export function rejectFolder(error: unknown): never {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) throw error;
  throw new UnusableStoreError(`DATA_DIR cannot be written (${code}).`);
}
