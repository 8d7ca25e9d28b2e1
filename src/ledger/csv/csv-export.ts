import type { SealedLinks } from '../../store/sealed-links';
import type { Store } from '../../store/store';
import { countEntries, readEntries, type Selection } from '../reading/entries';
import { type CsvFormat, type CsvSettings, csvFormat } from './csv-lines';
import { createLocalTime } from './local-time';

/** Maximum number of entries in a file (about 20 MB). Spreadsheets cannot open much larger files. */
export const maxCsvEntries = 100_000;
const chunkEntries = 1_000;
/** Purpose of links to CSV files. It is part of their encryption, so a link for another purpose does not open here. */
export const csvLinkPurpose = 'ledger csv';

/** The file of a link, or the reason why there is none. */
export type CsvFile =
  | { readonly name: string; readonly chunks: AsyncGenerator<string> }
  | { readonly refusal: 'unknown link' | 'too many entries' };

export interface ExportOptions extends CsvSettings {
  readonly store: Store;
  readonly links: SealedLinks;
  /** Resolves when all entries of this process are in the store. */
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
