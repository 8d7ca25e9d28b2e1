import { batchMigrations } from '../batch/storage/migrations';
import { AccountNames } from '../ledger/account-names';
import { AuditTrail } from '../ledger/audit/audit-trail';
import { CsvExport } from '../ledger/csv-export';
import { Ledger, type LedgerObserver } from '../ledger/ledger';
import { Purge } from '../ledger/purge';
import { StoreLedgerReader } from '../ledger/reading/ledger-reader';
import { ledgerMigrations } from '../ledger/sql/migrations';
import { SubjectIndex } from '../ledger/subject-index';
import { readDataKeys } from '../store/data-keys';
import type { KeyRing } from '../store/key-ring';
import { openStore } from '../store/open-store';
import { SealedLinks } from '../store/sealed-links';
import { type Store, UnusableStoreError } from '../store/store';
import { csvPath } from './ledger-csv-route';
import type { CoreServices, RunningLedger } from './services';

export async function startLedger(core: CoreServices, persistence: Persistence | null): Promise<RunningLedger | null> {
  const { config, log, metrics, now } = core;
  const { ledger: mode, ledgerMonths, subjectMonths, timeZone, alertUrl, folder } = config.data;
  if (persistence === null || mode === 'off') return null;
  const { keys, accounts, subjects, links } = persistence;
  const isInMemory = config.data.store?.kind === 'memory';
  const recording = await Ledger.start({
    store: persistence.store,
    keys,
    accounts,
    subjects,
    dataFolder: isInMemory ? null : folder,
    isRequired: mode === 'required',
    timeZone,
    alertUrl,
    now,
    observer: observe(core),
  }).catch(rejectFolder);
  metrics.watchLedger(() => recording.state());
  const { store, running } = recording;
  const flush = (): Promise<void> => recording.flush();
  const hashSubject = subjects.hashes.bind(subjects);
  const purge = new Purge(store, { ledgerMonths, subjectMonths }, now, (error) => log.internalError(error, null));
  // A store in memory ends with the process, so nothing in it expires. The purge would open it although it is not used.
  if (!isInMemory) purge.start();
  return {
    recording,
    reader: new StoreLedgerReader({ store, links, csvPath, hashSubject, flush, running, timeZone, now }),
    budgets: recording.budgets,
    csv: new CsvExport({ store, links, flush, now, timeZone, unitPrice: config.unitPrice }),
    trail: new AuditTrail(store, now, (record, account) => log.audit(record, account)),
    close: async () => {
      await purge.stop();
      await recording.close();
    },
  };
}

function observe({ log, metrics }: CoreServices): LedgerObserver {
  return {
    budgetReached: (budget, percent) => log.budgetReached(budget, percent),
    alertDelivered: (percent) => metrics.recordAlert(percent),
    alertNotDelivered: (budget, percent, reason) => log.alertNotDelivered(budget, percent, reason),
    alertsFailed: (error) => log.internalError(error, null),
    keysMissing: (ids) => log.dataKeysMissing(ids),
    journalUnavailable: (code) => log.ledgerJournalUnavailable(code),
    journalAvailable: () => log.ledgerJournalAvailable(),
    storeUnavailable: (reason) => log.ledgerStoreUnavailable(reason),
    storeAvailable: () => log.ledgerStoreAvailable(),
    entriesLost: (count) => {
      log.ledgerEntriesLost(count);
      metrics.recordLostEntries(count);
    },
  };
}

/** The store of the ledger and of batches, and everything that is derived from its keys. */
export interface Persistence {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly accounts: AccountNames;
  readonly subjects: SubjectIndex;
  readonly links: SealedLinks;
}

export async function openPersistence({ config, log, now }: CoreServices): Promise<Persistence | null> {
  const { store: location, keys: secrets } = config.data;
  if (location === null) return null;
  const store = await openStore(location, [...ledgerMigrations, ...batchMigrations]).catch(rejectFolder);
  try {
    const { ring: keys, areBesideData } = readDataKeys(location, secrets);
    if (areBesideData) log.dataKeysBesideData();
    // Every embedded sandbox is the same service, whatever its port.
    const accounts = new AccountNames(keys, config.registryUrl ?? 'embedded sandbox');
    return { store, keys, accounts, subjects: new SubjectIndex(keys), links: new SealedLinks(keys, now) };
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
