import { batchMigrations } from '../batch/sql/migrations';
import { type Config, ConfigError } from '../config/config';
import type { DataSettings, StoreLocation } from '../config/data-settings';
import { Ledger } from '../ledger/ledger';
import { ledgerMigrations } from '../ledger/sql/migrations';
import { type DataKeys, readDataKeys } from '../store/data-keys';
import { openStore } from '../store/open-store';
import { type Store, StoreRefusedError } from '../store/store';
import type { Logger } from './telemetry/logger';
import type { Metrics } from './telemetry/metrics';

/** Stored data and the services that read it. */
export interface Data {
  readonly store: Store;
  readonly keys: DataKeys['ring'];
  /** Null if the ledger is off. */
  readonly ledger: Ledger | null;
  close(): Promise<void>;
}

/** Opens what the settings say; null where nothing is to be kept. */
export async function openData(
  { data }: Config,
  serviceUrl: string,
  now: () => Date,
  log: Logger,
  metrics: Metrics,
): Promise<Data | null> {
  if (data.store === null) return null;
  try {
    return await open(data, data.store, serviceUrl, now, log, metrics);
  } catch (error) {
    if (error instanceof StoreRefusedError) throw new ConfigError([error.message]);
    const { code, syscall } = error as NodeJS.ErrnoException;
    // The folder is made and written by this process before anything listens.
    throw code === undefined || syscall === undefined
      ? error
      : new ConfigError([`DATA_DIR cannot be written (${code}).`]);
  }
}

async function open(
  data: DataSettings,
  location: StoreLocation,
  serviceUrl: string,
  now: () => Date,
  log: Logger,
  metrics: Metrics,
): Promise<Data> {
  const store = await openStore(location, [...ledgerMigrations, ...batchMigrations]);
  const { ring, areBesideData } = readDataKeys(location, data.keys);
  if (areBesideData) log.dataKeysBesideData();
  if (data.ledger === 'off') return { store, keys: ring, ledger: null, close: () => store.close() };
  const ledger = await Ledger.start({
    store,
    keys: ring,
    serviceUrl,
    dataFolder: location.kind === 'memory' ? null : data.folder,
    isRequired: data.ledger === 'required',
    timeZone: data.timeZone,
    alertUrl: data.alertUrl,
    now,
    observer: {
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
    },
  });
  metrics.watchLedger(() => ledger.state());
  const close = async (): Promise<void> => {
    await ledger.close();
    await store.close();
  };
  // Failures of batches and readers show in the health of the ledger too.
  return { store: ledger.store, keys: ring, ledger, close };
}
