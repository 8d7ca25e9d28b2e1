import type { Config } from '../../config/config';
import { AuditTrail } from '../../ledger/audit/audit-trail';
import { CsvExport } from '../../ledger/csv/csv-export';
import { reportDuplicateBudgets } from '../../ledger/reading/duplicate-budgets';
import { StoreLedgerReader } from '../../ledger/reading/ledger-reader';
import type { LedgerServices } from '../../ledger/reading/ledger-services';
import { Purge } from '../../ledger/retention/purge';
import { SealedLinks } from '../../store/sealed-links';
import type { Data } from '../data';
import type { Logger } from '../telemetry/logger';
import { csvPath } from './csv-route';

/** Opens the services that read and change the ledger, and starts the deletion of expired entries. Returns null if the ledger is off. */
export function openLedgerServices(
  { data: settings }: Config,
  { store, keys, ledger }: Data,
  now: () => Date,
  log: Logger,
): (LedgerServices & { close(): Promise<void> }) | null {
  if (ledger === null) return null;
  const { ledgerMonths, subjectMonths, timeZone } = settings;
  const flush = (): Promise<void> => ledger.flush();
  const links = new SealedLinks(keys, now);
  const hashSubject = ledger.subjects.hashes.bind(ledger.subjects);
  const reader = new StoreLedgerReader({ store, links, csvPath, hashSubject, flush, timeZone, now });
  const purge = new Purge(store, { ledgerMonths, subjectMonths }, now, (error) => log.internalError(error, null));
  // A store in memory ends with the process, so nothing in it expires. The purge would open it although it is not used.
  if (settings.store?.kind !== 'memory') purge.start();
  return {
    reader,
    budgets: reportDuplicateBudgets(ledger.budgets),
    csv: new CsvExport(store, links, flush, now),
    trail: new AuditTrail(store, now, (record, account) => log.audit(record, account)),
    close: () => purge.stop(),
  };
}
