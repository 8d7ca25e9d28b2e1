import { amountOf } from '../../registry/unit-price';
import { csvCell } from '../../text/csv-cell';
import type { LedgerEntry } from '../reading/ledger-api';
import { createLocalTime } from './local-time';

type Cell = string | number | null;

/** A column of the file. */
type Column = readonly [name: string, read: (entry: LedgerEntry) => Cell];

export interface CsvSettings {
  /** Time zone of the days and times in the file. */
  readonly timeZone: string;
  /** Price of one unit in pesos as decimal text. Without a price, the file has no amounts. */
  readonly unitPrice: string | null;
}

/** Writer of the head and the lines of a file. */
export interface CsvFormat {
  readonly head: string;
  readonly lines: (entries: readonly LedgerEntry[]) => string;
}

/** Returns the columns of the file, in their order. */
function columnsOf({ timeZone, unitPrice }: CsvSettings): readonly Column[] {
  const localTime = createLocalTime(timeZone);
  const columns: readonly Column[] = [
    ['id', ({ id }) => id],
    // A spreadsheet reads this day as a date. It reads the time with its offset as text.
    ['day', ({ at }) => localTime(at).slice(0, 10)],
    ['at', ({ at }) => localTime(at)],
    ['client', ({ client }) => client],
    ['tag', ({ tag }) => tag],
    ['operation', ({ operation }) => operation],
    ['request_id', ({ requestId }) => requestId],
    ['batch', ({ batch }) => batch],
    ['endpoint', ({ evidence }) => evidence.endpoint],
    ['outcome', ({ outcome }) => outcome],
    ['problem', ({ problem }) => problem],
    ['status', ({ evidence }) => evidence.status],
    ['served_from', ({ evidence }) => evidence.servedFrom],
    ['validation_code', ({ evidence }) => evidence.validationCode],
    ['billing', ({ evidence }) => evidence.billing],
    ['units', ({ units }) => units],
    ['uncertain_units', ({ uncertainUnits }) => uncertainUnits],
    ['saved_units', ({ savedUnits }) => savedUnits],
    ['settled_billing', ({ settlement }) => settlement?.billing ?? null],
    ['settled_at', ({ settlement }) => (settlement === null ? null : localTime(settlement.at))],
    ['settled_note', ({ settlement }) => settlement?.note ?? null],
  ];
  if (unitPrice === null) return columns;
  // They are the last columns, so that setting a price moves no other column.
  return [
    ...columns,
    ['amount', ({ units }) => amountOf(units, unitPrice)],
    ['uncertain_amount', ({ uncertainUnits }) => amountOf(uncertainUnits, unitPrice)],
    ['saved_amount', ({ savedUnits }) => amountOf(savedUnits, unitPrice)],
  ];
}

/** Byte order mark. Without it, spreadsheets assume a local encoding. */
const byteOrderMark = '\ufeff';
const lineEnd = '\r\n';

export function csvFormat(settings: CsvSettings): CsvFormat {
  const columns = columnsOf(settings);
  return {
    head: `${byteOrderMark}${columns.map(([name]) => name).join(',')}${lineEnd}`,
    lines: (entries) =>
      entries.map((entry) => columns.map(([, read]) => cellText(read(entry))).join(',') + lineEnd).join(''),
  };
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'number' ? String(cell) : csvCell(cell);
}
