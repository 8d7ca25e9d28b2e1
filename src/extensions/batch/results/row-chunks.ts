import type { RowBytes, RowPage } from '../batches';
import type { BatchRow, RowFilter, RowSize, RowStore } from '../storage/row-store';

/** Reads a page of rows, limited by the bytes that are left in the response. Returns null if no further row is allowed. */
export async function readRowPage(
  rows: RowStore,
  rowBytes: RowBytes,
  filter: RowFilter,
  count: number,
  after: number,
): Promise<RowPage | null> {
  const sizes = await rows.sizes(filter, after, count + 1);
  const [first] = sizes;
  if (first === undefined) return { rows: [], next: null };
  const isFirstPage = rowBytes.left === rowBytes.allowed;
  if (!isFirstPage && first.bytes > rowBytes.left) return null;
  const page = takeFitting(sizes.slice(0, count), rowBytes.left);
  // Reserves the bytes before the rows are read, because other pages of the response are read at the same time.
  rowBytes.left -= page.reduce((sum, { bytes }) => sum + bytes, 0);
  const read: BatchRow[] = [];
  for await (const chunk of readRows(rows, page)) read.push(...chunk);
  return { rows: read, next: page.length < sizes.length ? (page.at(-1)?.number ?? null) : null };
}

const chunkBytes = 1_000_000;
const maxPageRows = 1_000;

export async function* readAllRows(rows: RowStore): AsyncGenerator<readonly BatchRow[]> {
  for (let after = 0; ; ) {
    const sizes = await rows.sizes('ALL', after, maxPageRows);
    yield* readRows(rows, sizes);
    after = sizes.at(-1)?.number ?? after;
    if (sizes.length < maxPageRows) return;
  }
}

export async function* readRows(rows: RowStore, sizes: readonly RowSize[]): AsyncGenerator<readonly BatchRow[]> {
  for (let first = 0; first < sizes.length; ) {
    const chunk = takeFitting(sizes.slice(first), chunkBytes);
    first += chunk.length;
    yield await rows.read(chunk.map(({ number }) => number));
  }
}

/** Returns the first rows that fit into `maxBytes` together. The first row is always included. */
export function takeFitting(sizes: readonly RowSize[], maxBytes: number): readonly RowSize[] {
  let sum = 0;
  const end = sizes.findIndex(({ bytes }, index) => {
    sum += bytes;
    return sum > maxBytes && index > 0;
  });
  return end === -1 ? sizes : sizes.slice(0, end);
}
