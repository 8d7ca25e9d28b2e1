import type { BatchRow, RowSize, RowStore } from '../storage/row-store';

/** Bytes of sealed rows that are in memory at once: many rows if they are small, few if they hold files. */
const stepBytes = 1_000_000;

/** Reads rows in steps, so that neither memory nor the event loop bears all of them at once. */
export async function* readRows(rows: RowStore, sizes: readonly RowSize[]): AsyncGenerator<readonly BatchRow[]> {
  for (let first = 0; first < sizes.length; ) {
    const step = takeFitting(sizes.slice(first), stepBytes);
    first += step.length;
    yield await rows.read(step.map(({ number }) => number));
  }
}

/** Returns the rows from the first on that fit into so many bytes, and the first one in any case. */
export function takeFitting(sizes: readonly RowSize[], maxBytes: number): readonly RowSize[] {
  let sum = 0;
  const end = sizes.findIndex(({ bytes }, index) => {
    sum += bytes;
    return sum > maxBytes && index > 0;
  });
  return end === -1 ? sizes : sizes.slice(0, end);
}
