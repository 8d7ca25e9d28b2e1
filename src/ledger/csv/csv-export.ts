import type { SealedLinks } from '../../store/sealed-links';
import type { Store } from '../../store/store';
import { countEntries, readEntries, type Selection } from '../reading/entries';
import { csvHead, csvLines } from './csv-lines';

/** Some 20 MB: beyond, nobody opens it in a spreadsheet. */
export const maxCsvEntries = 100_000;
const sliceEntries = 1_000;
/** What links to these files are sealed for. */
export const csvPlace = 'ledger csv';

/** A file that a link stands for, or why there is none. */
export type CsvFile =
  | { readonly name: string; readonly chunks: AsyncGenerator<string> }
  | { readonly refusal: 'unknown link' | 'too many entries' };

/** Writes the entries that a link stands for, slice by slice: as fast as they are read, and never all at once. */
export class CsvExport {
  constructor(
    private readonly store: Store,
    private readonly links: SealedLinks,
    private readonly flush: () => Promise<void>,
    private readonly now: () => Date,
  ) {}

  async open(link: unknown): Promise<CsvFile> {
    const selection = toSelection(this.links.open(csvPlace, link));
    if (selection === null) return { refusal: 'unknown link' };
    await this.flush();
    if ((await countEntries(this.store, selection, maxCsvEntries)) > maxCsvEntries)
      return { refusal: 'too many entries' };
    const name = `padron-ledger-${this.now().toISOString().slice(0, 10)}.csv`;
    return { name, chunks: this.write(selection) };
  }

  private async *write(selection: Selection): AsyncGenerator<string> {
    yield csvHead;
    for (let after: string | null = null, rest = maxCsvEntries; rest > 0; rest -= sliceEntries) {
      const entries: Awaited<ReturnType<typeof readEntries>> = await readEntries(
        this.store,
        selection,
        sliceEntries,
        after,
      );
      const last = entries.at(-1);
      if (last === undefined) return;
      yield csvLines(entries);
      if (entries.length < sliceEntries) return;
      after = last.id;
    }
  }
}

/** What was sealed is ours: only its dates have become text. */
function toSelection(content: unknown): Selection | null {
  if (typeof content !== 'object' || content === null) return null;
  const { view, filter, links } = content as Selection;
  const date = (value: Date | string | null): Date | null => (value === null ? null : new Date(value));
  return { view, links, filter: filter && { ...filter, from: date(filter.from), to: date(filter.to) } };
}
