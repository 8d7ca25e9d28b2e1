import type { BatchRow, RowSize, RowStore } from '../storage/row-store';

/** Maximum encrypted bytes of a chunk, except for a single larger row. */
const chunkBytes = 1_000_000;
const maxPageRows = 1_000;

/** Reads all rows of a batch, also the refused ones, in their order and in chunks. */
export async function* readAllRows(rows: RowStore): AsyncGenerator<readonly BatchRow[]> {
  for (let after = 0; ; ) {
    const sizes = await rows.sizes('ALL', after, maxPageRows);
    yield* readRows(rows, sizes);
    after = sizes.at(-1)?.number ?? after;
    if (sizes.length < maxPageRows) return;
  }
}

/** Reads rows in chunks, which limits the memory and the time for which the event loop is blocked. */
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
