import type { Config } from '../../config/config';
import { AuditTrail } from '../../ledger/audit/audit-trail';
import { CsvExport } from '../../ledger/csv/csv-export';
import { budgetAccounts } from '../../ledger/reading/budget-accounts';
import { StoreLedgerReader } from '../../ledger/reading/ledger-reader';
import type { LedgerReading } from '../../ledger/reading/ledger-reading';
import { Purge } from '../../ledger/retention/purge';
import { SealedLinks } from '../../store/sealed-links';
import type { Data } from '../data';
import type { Logger } from '../telemetry/logger';
import { csvPath } from './csv-route';

/** The reading side of the ledger, and what keeps it from growing without end; null where none is kept. */
export function openLedgerReading(
  { data: settings }: Config,
  { store, keys, ledger }: Data,
  now: () => Date,
  log: Logger,
): (LedgerReading & { close(): Promise<void> }) | null {
  if (ledger === null) return null;
  const { ledgerMonths, subjectMonths, timeZone } = settings;
  const flush = (): Promise<void> => ledger.flush();
  const links = new SealedLinks(keys, now);
  const hashSubject = ledger.subjects.hashes.bind(ledger.subjects);
  const reader = new StoreLedgerReader({ store, links, csvPath, hashSubject, flush, timeZone, now });
  const purge = new Purge(store, { ledgerMonths, subjectMonths }, now, (error) => log.internalError(error, null));
  // A store in memory ends with the process, so it is only opened for its first reader.
  if (settings.store?.kind !== 'memory') purge.start();
  return {
    reader,
    budgets: budgetAccounts(ledger.budgets),
    csv: new CsvExport(store, links, flush, now),
    trail: new AuditTrail(store, now, (record, account) => log.audit(record, account)),
    close: () => purge.stop(),
  };
}
