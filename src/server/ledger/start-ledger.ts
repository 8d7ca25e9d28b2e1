import { AuditTrail } from '../../ledger/audit/audit-trail';
import { CsvExport } from '../../ledger/csv-export';
import { Ledger, type LedgerObserver } from '../../ledger/ledger';
import { Purge } from '../../ledger/purge';
import { StoreLedgerReader } from '../../ledger/reading/ledger-reader';
import { type Persistence, rejectFolder } from '../persistence';
import type { CoreServices, RunningLedger } from '../services';
import { csvPath } from './csv-route';

/** Starts the ledger in the open store. Returns null if the ledger is off. */
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

/** Returns the observer that writes the ledger's events to the log and the metrics. */
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
