import type { AuditTrail } from '../audit/audit-trail';
import type { CsvExport } from '../csv/csv-export';
import type { BudgetAccounts, LedgerReader } from './port';

/** The reading side of a ledger that is kept: what requests read it by. */
export interface LedgerReading {
  readonly reader: LedgerReader;
  readonly budgets: BudgetAccounts;
  readonly csv: CsvExport;
  readonly trail: AuditTrail;
}
