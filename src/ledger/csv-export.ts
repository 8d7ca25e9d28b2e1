import type { SealedLinks } from '../store/sealed-links';
import type { Store } from '../store/store';
import { csvCell } from '../text/csv-cell';
import { amountOf } from '../text/unit-price';
import { countEntries, readEntries, type Selection } from './reading/entries';
import type { LedgerEntry } from './reading/ledger-api';

/** Returns a function that writes moments in the local time of a time zone with its offset, such as 2026-01-31T21:00:00.000-06:00. */
export function createLocalTime(timeZone: string): (moment: Date) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    timeZoneName: 'longOffset',
  });
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? '';
    // The offset is GMT-06:00, and GMT alone for UTC.
    const offset = part('timeZoneName').replace('GMT', '') || '+00:00';
    const time = `${part('hour')}:${part('minute')}:${part('second')}.${part('fractionalSecond')}`;
    return `${part('year')}-${part('month')}-${part('day')}T${time}${offset}`;
  };
}

/** Maximum number of entries in a file (about 20 MB). Spreadsheets cannot open much larger files. */
export const maxCsvEntries = 100_000;
const chunkEntries = 1_000;
export const csvLinkPurpose = 'ledger csv';

export type CsvFile =
  | { readonly name: string; readonly chunks: AsyncGenerator<string> }
  | { readonly refusal: 'unknown link' | 'too many entries' };

export interface ExportOptions extends CsvSettings {
  readonly store: Store;
  readonly links: SealedLinks;
  readonly flush: () => Promise<void>;
  readonly now: () => Date;
}

/** Creates the CSV file of a link. The file is written in chunks, so that memory never holds all of its entries. */
export class CsvExport {
  constructor(private readonly options: ExportOptions) {}

  async open(link: unknown): Promise<CsvFile> {
    const { store, links, flush, now, timeZone } = this.options;
    const selection = toSelection(links.open(csvLinkPurpose, link));
    if (selection === null) return { refusal: 'unknown link' };
    await flush();
    if ((await countEntries(store, selection, maxCsvEntries)) > maxCsvEntries) return { refusal: 'too many entries' };
    const day = createLocalTime(timeZone)(now()).slice(0, 10);
    return { name: `padron-ledger-${day}.csv`, chunks: this.write(selection, csvFormat(this.options)) };
  }

  private async *write(selection: Selection, format: CsvFormat): AsyncGenerator<string> {
    yield format.head;
    for (let after: string | null = null, rest = maxCsvEntries; rest > 0; rest -= chunkEntries) {
      const entries: Awaited<ReturnType<typeof readEntries>> = await readEntries(
        this.options.store,
        selection,
        chunkEntries,
        after,
      );
      const last = entries.at(-1);
      if (last === undefined) return;
      yield format.lines(entries);
      if (entries.length < chunkEntries) return;
      after = last.id;
    }
  }
}

/** Returns the selection that a link contains. The content is trusted, because padron encrypted it. Its dates are ISO strings. */
function toSelection(content: unknown): Selection | null {
  if (typeof content !== 'object' || content === null) return null;
  const { view, filter, links } = content as Selection;
  const date = (value: Date | string | null): Date | null => (value === null ? null : new Date(value));
  return { view, links, filter: filter && { ...filter, from: date(filter.from), to: date(filter.to) } };
}

type Cell = string | number | null;

type Column = readonly [name: string, read: (entry: LedgerEntry) => Cell];

export interface CsvSettings {
  readonly timeZone: string;
  /** Price of one unit in pesos as decimal text. Without a price, the file has no amounts. */
  readonly unitPrice: string | null;
}

interface CsvFormat {
  readonly head: string;
  readonly lines: (entries: readonly LedgerEntry[]) => string;
}

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
