import type { RowBytes, RowPage } from '../batches';
import type { BatchRow, RowFilter, RowStore } from '../storage/row-store';
import { readRows, takeFitting } from './row-chunks';

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
