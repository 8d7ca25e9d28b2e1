import type { SealedLinks } from '../../store/sealed-links';
import type { Store } from '../../store/store';
import { countEntries, readEntries, type Selection } from '../reading/entries';
import { csvHead, csvLines } from './csv-lines';

/** Maximum number of entries in a file (about 20 MB). Spreadsheets cannot open much larger files. */
export const maxCsvEntries = 100_000;
const chunkEntries = 1_000;
/** Purpose of links to CSV files. It is part of their encryption, so a link for another purpose does not open here. */
export const csvLinkPurpose = 'ledger csv';

/** The file of a link, or the reason why there is none. */
export type CsvFile =
  | { readonly name: string; readonly chunks: AsyncGenerator<string> }
  | { readonly refusal: 'unknown link' | 'too many entries' };

/** Creates the CSV file of a link. The file is written in chunks, so that memory never holds all of its entries. */
export class CsvExport {
  constructor(
    private readonly store: Store,
    private readonly links: SealedLinks,
    private readonly flush: () => Promise<void>,
    private readonly now: () => Date,
  ) {}

  async open(link: unknown): Promise<CsvFile> {
    const selection = toSelection(this.links.open(csvLinkPurpose, link));
    if (selection === null) return { refusal: 'unknown link' };
    await this.flush();
    if ((await countEntries(this.store, selection, maxCsvEntries)) > maxCsvEntries)
      return { refusal: 'too many entries' };
    const name = `padron-ledger-${this.now().toISOString().slice(0, 10)}.csv`;
    return { name, chunks: this.write(selection) };
  }

  private async *write(selection: Selection): AsyncGenerator<string> {
    yield csvHead;
    for (let after: string | null = null, rest = maxCsvEntries; rest > 0; rest -= chunkEntries) {
      const entries: Awaited<ReturnType<typeof readEntries>> = await readEntries(
        this.store,
        selection,
        chunkEntries,
        after,
      );
      const last = entries.at(-1);
      if (last === undefined) return;
      yield csvLines(entries);
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
