import type { LedgerEntry } from '../reading/ledger-api';

type Cell = string | number | null;

/** The columns of the file, in their order. */
const columns: readonly (readonly [name: string, read: (entry: LedgerEntry) => Cell])[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at.toISOString()],
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
  // If the call is settled, the units of the settlement replace those of the call.
  ['units', ({ evidence, settlement }) => settlement?.units ?? evidence.units],
  ['uncertain_units', ({ uncertainUnits }) => uncertainUnits],
  ['saved_units', ({ savedUnits }) => savedUnits],
  ['settled_billing', ({ settlement }) => settlement?.billing ?? null],
  ['settled_at', ({ settlement }) => settlement?.at.toISOString() ?? null],
  ['settled_note', ({ settlement }) => settlement?.note ?? null],
];

/** Byte order mark. Without it, spreadsheets assume a local encoding. */
const byteOrderMark = '\ufeff';
const lineEnd = '\r\n';
/** Beginning of a text that a spreadsheet runs as a formula, including full-width characters. */
const formula = /^[\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const quoted = /[",;\t\r\n]/;

export const csvHead = `${byteOrderMark}${columns.map(([name]) => name).join(',')}${lineEnd}`;

export function csvLines(entries: readonly LedgerEntry[]): string {
  return entries.map((entry) => columns.map(([, read]) => cellText(read(entry))).join(',') + lineEnd).join('');
}

/** Formats a cell according to RFC 4180. Puts an apostrophe before a text that a spreadsheet would run as a formula. */
function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
