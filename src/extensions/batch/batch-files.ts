import type { Language } from '../../identifiers/text';
import type { SheetNames } from './batch';
import type { BatchDependencies } from './batches';
import { type LoadedDataset, loadDataset } from './dataset/load-dataset';
import { openDataset } from './dataset/open-dataset';
import type { TextEncoding } from './dataset/text/decode-text';
import { openBatch, prepareOperation } from './open-batch';
import { ResultTable, toInputColumns } from './results/result-table';
import { writeCsv, writeJsonl } from './results/write-text';
import { writeXlsx } from './results/write-xlsx';
import { BatchStore, extendUploadTime } from './storage/batch-store';
import { RowStore } from './storage/row-store';

export type ResultFormat = 'jsonl' | 'csv' | 'xlsx';

export interface ResultFile {
  /** Name of the batch, which is that of its file unless the caller chose another. */
  readonly name: string | null;
  readonly language: Language;
  /** Whether rows of the batch may still change. */
  readonly isPartial: boolean;
  readonly content: AsyncGenerator<string | Buffer>;
}

export interface LoadedFile extends LoadedDataset, SheetNames {
  /** The encoding of a text, or null for a workbook. */
  readonly encoding: TextEncoding | null;
  readonly headerLine: number | null;
}

export class BatchFiles {
  private readonly batches: BatchStore;

  constructor(private readonly dependencies: BatchDependencies) {
    this.batches = new BatchStore(dependencies.store);
  }

  /** Returns null if the batch no longer exists. Throws a `DatasetError` if the file cannot be read. */
  async load(id: string, bytes: AsyncIterable<Buffer>): Promise<LoadedFile | null> {
    const open = await this.open(id);
    const operation = open === null ? null : prepareOperation(this.dependencies.operations, open);
    if (open === null || operation === null) return null;
    await extendUploadTime(this.dependencies.store, id);
    const reader = `${open.batch.account} ${open.batch.owner}`;
    const { dataset, encoding, close } = await openDataset(bytes, operation, open.header.choices, reader);
    try {
      const loaded = await loadDataset(this.dependencies.store, open, operation, dataset, this.dependencies);
      void this.dependencies.worker.wake();
      const { headerLine, sheet, sheets } = dataset;
      return { ...loaded, encoding: encoding(), headerLine, sheet, sheets };
    } finally {
      close();
    }
  }

  async languageOf(id: string, language: Language | null): Promise<Language> {
    return language ?? (await this.batches.get(id))?.language ?? 'en';
  }

  async write(id: string, format: ResultFormat, requested: Language | null = null): Promise<ResultFile | null> {
    const open = await this.open(id);
    if (open === null) return null;
    const { batch, header, key } = open;
    const language = requested ?? batch.language;
    const rows = new RowStore(this.dependencies.store, id, key);
    const answerColumns = this.dependencies.operations.outline(header.operation, header.operationName, language);
    const inputColumns = toInputColumns(header);
    const file = { name: header.name, language, isPartial: batch.state !== 'DONE' && batch.state !== 'CANCELED' };
    if (format === 'jsonl') {
      const names = inputColumns.map(({ name }) => name);
      return { ...file, content: writeJsonl(rows, names, language) };
    }
    const table = new ResultTable(language, inputColumns, answerColumns, this.dependencies.timeZone);
    return { ...file, content: format === 'csv' ? writeCsv(rows, table) : writeXlsx(rows, table) };
  }

  private async open(id: string) {
    const batch = await this.batches.get(id);
    return batch === null ? null : openBatch(this.dependencies.ring, batch);
  }
}
