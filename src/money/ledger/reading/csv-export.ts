import { csvCell } from '../../../identifiers/csv-cell';
import { amountOf } from '../../../identifiers/decimals';
import { type Language, spanishEnums } from '../../../identifiers/text';
import type { SealedLinks } from '../../../store/sealed-box';
import type { LedgerEntry } from '../entries/ledger-api';
import { countEntries, type EntrySource, readEntries, type Selection } from './entries';

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
export const csvPath = '/graphql/ledger.csv';
export const csvLinkPurpose = 'ledger csv';

export type CsvFile =
  | { readonly name: string; readonly chunks: AsyncGenerator<string> }
  | { readonly refusal: 'unknown link' | 'too many entries' };

export interface ExportOptions extends CsvSettings, EntrySource {
  readonly links: SealedLinks;
  readonly flush: () => Promise<void>;
  readonly now: () => Date;
}

const fileNames: Readonly<Record<Language, string>> = { en: 'padron-ledger', es: 'padron-libro-de-consumo' };

/** Creates the CSV file of a link. The file is written in chunks, so that memory never holds all of its entries. */
export class CsvExport {
  constructor(private readonly options: ExportOptions) {}

  async open(link: unknown, language: Language): Promise<CsvFile> {
    const { store, links, flush, now, timeZone } = this.options;
    const selection = toSelection(links.open(csvLinkPurpose, link));
    if (selection === null) return { refusal: 'unknown link' };
    await flush();
    if ((await countEntries(store, selection, maxCsvEntries)) > maxCsvEntries) return { refusal: 'too many entries' };
    const day = createLocalTime(timeZone)(now()).slice(0, 10);
    return {
      name: `${fileNames[language]}-${day}.csv`,
      chunks: this.write(selection, csvFormat({ ...this.options, ...selection.view }, language)),
    };
  }

  private async *write(selection: Selection, format: CsvFormat): AsyncGenerator<string> {
    yield format.head;
    for (let after: string | null = null, rest = maxCsvEntries; rest > 0; rest -= chunkEntries) {
      const entries: Awaited<ReturnType<typeof readEntries>> = await readEntries(
        this.options,
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

interface Column {
  readonly name: Readonly<Record<Language, string>>;
  readonly read: (entry: LedgerEntry) => Cell;
  /** Spanish words for the values, if they are values of an enum. */
  readonly words?: Readonly<Record<string, string>>;
}

export interface CsvSettings {
  readonly timeZone: string;
  /** Price of one unit in pesos as decimal text. Without a price, the file has no amounts. */
  readonly unitPrice: string | null;
  /** Whether the file shows which links are blocked. */
  readonly seesBlocked?: boolean;
}

interface CsvFormat {
  readonly head: string;
  readonly lines: (entries: readonly LedgerEntry[]) => string;
}

const {
  LookupOutcome: outcomes,
  RegistryBilling: billings,
  ServedFrom: sources,
  RegistrySaving: savings,
} = spanishEnums;

function columnsOf({ timeZone, unitPrice, seesBlocked = false }: CsvSettings): readonly Column[] {
  const localTime = createLocalTime(timeZone);
  const column = (en: string, es: string, read: Column['read'], words?: Column['words']): Column => ({
    name: { en, es },
    read,
    ...(words === undefined ? {} : { words }),
  });
  const columns: readonly Column[] = [
    column('id', 'asiento', ({ id }) => id),
    // A spreadsheet reads this day as a date. It reads the time with its offset as text.
    column('day', 'día', ({ at }) => localTime(at).slice(0, 10)),
    column('at', 'fecha y hora', ({ at }) => localTime(at)),
    column('client', 'cliente', ({ client }) => client),
    column('tag', 'etiqueta', ({ tag }) => tag),
    column('purpose', 'finalidad', ({ purpose }) => purpose),
    column('reference', 'referencia', ({ references }) => references.join(' | ') || null),
    column('operation', 'operación', ({ operation }) => operation),
    column('request_id', 'petición', ({ requestId }) => requestId),
    column('batch', 'lote', ({ batch }) => batch),
    column('endpoint', 'endpoint', ({ evidence }) => evidence.endpoint),
    column('outcome', 'resultado', ({ outcome }) => outcome, outcomes),
    column('problem', 'problema', ({ problem }) => problem),
    column('status', 'estado HTTP', ({ evidence }) => evidence.status),
    column('served_from', 'origen', ({ evidence }) => evidence.servedFrom, sources),
    column('checked_at', 'consultado el', ({ evidence: { checkedAt } }) =>
      checkedAt === null ? null : localTime(checkedAt),
    ),
    column('age', 'antigüedad en segundos', ({ evidence }) => evidence.age),
    column('validation_code', 'código de validación', ({ evidence }) => evidence.validationCode),
    column('billing', 'cobro', ({ evidence }) => evidence.billing, billings),
    column('units', 'unidades', ({ units }) => units),
    column('uncertain_units', 'unidades por aclarar', ({ uncertainUnits }) => uncertainUnits),
    column('saved_units', 'unidades ahorradas', ({ savedUnits }) => savedUnits),
    column('saving', 'motivo del ahorro', ({ saving }) => saving, savings),
    column('settled_billing', 'cobro conciliado', ({ settlement }) => settlement?.billing ?? null, billings),
    column('settled_at', 'conciliado el', ({ settlement }) => (settlement === null ? null : localTime(settlement.at))),
    column('settled_note', 'nota de conciliación', ({ settlement }) => settlement?.note ?? null),
  ];
  const blocked = [
    column('blocked_for', 'bloqueado por', ({ blocked }) => blocked?.purpose ?? null),
    column('blocked_until', 'bloqueado hasta', ({ blocked }) => blocked && localTime(blocked.until)),
  ];
  const shown = seesBlocked ? [...columns, ...blocked] : columns;
  if (unitPrice === null) return shown;
  // They are the last columns, so that setting a price moves no other column.
  return [
    ...shown,
    column('amount', 'importe', ({ units }) => amountOf(units, unitPrice)),
    column('uncertain_amount', 'importe por aclarar', ({ uncertainUnits }) => amountOf(uncertainUnits, unitPrice)),
    column('saved_amount', 'importe ahorrado', ({ savedUnits }) => amountOf(savedUnits, unitPrice)),
  ];
}

/** Byte order mark. Without it, spreadsheets assume a local encoding. */
const byteOrderMark = '\ufeff';
const lineEnd = '\r\n';

export function csvFormat(settings: CsvSettings, language: Language): CsvFormat {
  const columns = columnsOf(settings);
  const text = ({ read, words }: Column, entry: LedgerEntry): string => {
    const cell = read(entry);
    return cellText(language === 'es' ? (words?.[String(cell)] ?? cell) : cell);
  };
  return {
    head: `${byteOrderMark}${columns.map(({ name }) => name[language]).join(',')}${lineEnd}`,
    lines: (entries) =>
      entries.map((entry) => columns.map((column) => text(column, entry)).join(',') + lineEnd).join(''),
  };
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'number' ? String(cell) : csvCell(cell);
}
