import type { AuditTrail } from '../audit/audit-trail';
import type { CsvExport } from '../csv/csv-export';
import type { AccountBudgets, LedgerReader } from './ledger-api';

export interface LedgerServices {
  readonly reader: LedgerReader;
  readonly budgets: AccountBudgets;
  readonly csv: CsvExport;
  readonly trail: AuditTrail;
}
