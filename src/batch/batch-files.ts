import type { BatchParts } from './batch-parts';
import { DatasetError } from './dataset/dataset';
import { type LoadedDataset, loadDataset } from './dataset/load-dataset';
import { readCsv } from './dataset/read-csv';
import { readJsonl } from './dataset/read-jsonl';
import { peekLine } from './dataset/read-lines';
import { writeCsv, writeJsonl } from './results/write-results';
import { openBatch, prepareOperation } from './run/open-batch';
import { BatchStore } from './storage/batch-store';
import { RowStore } from './storage/row-store';

/** Files of batches, for anyone with a link: datasets and results. */
export class BatchFiles {
  private readonly batches: BatchStore;

  constructor(private readonly parts: BatchParts) {
    this.batches = new BatchStore(parts.store);
  }

  /**
   * Loads a dataset. Returns null if the batch no longer exists. Throws a `DatasetError` if the file cannot be read.
   */
  async load(id: string, bytes: AsyncIterable<Buffer>): Promise<LoadedDataset | null> {
    const open = await this.open(id);
    const operation = open === null ? null : prepareOperation(this.parts.operations, open);
    if (open === null || operation === null) return null;
    // The first line tells the format, because a file can have any name.
    const { first, bytes: all } = await peekLine(bytes);
    if (first.trim() === '')
      throw new DatasetError('The first line is empty: it names the columns, or is a JSON object.');
    if (first.includes('\0')) throw new DatasetError(nulInHeader);
    if (/^\s*\[\s*(\{|$)/.test(first)) throw new DatasetError(jsonArray);
    const dataset = first.trimStart().startsWith('{') ? readJsonl(all) : await readCsv(all);
    const loaded = await loadDataset(this.parts.store, open, operation, dataset, this.parts);
    void this.parts.worker.wake();
    return loaded;
  }

  /** Writes the results. Returns null if the batch no longer exists. */
  async write(id: string, format: 'jsonl' | 'csv'): Promise<AsyncGenerator<string> | null> {
    const open = await this.open(id);
    if (open === null) return null;
    const rows = new RowStore(this.parts.store, id, open.key);
    return format === 'csv' ? writeCsv(rows) : writeJsonl(rows);
  }

  private async open(id: string) {
    const batch = await this.batches.get(id);
    return batch === null ? null : openBatch(this.parts.ring, batch);
  }
}

const nulInHeader =
  'The first line has a NUL character (U+0000): the file may be UTF-16. In a spreadsheet save it as «CSV UTF-8».';
const jsonArray =
  'The file is a JSON array. Send JSON lines: one object per line, without brackets around them or commas between them.';
