import type { BatchDependencies } from './batch-dependencies';
import { DatasetError } from './dataset/dataset';
import { type LoadedDataset, loadDataset } from './dataset/load-dataset';
import { readCsv } from './dataset/read-csv';
import { readJsonl } from './dataset/read-jsonl';
import { peekLine } from './dataset/read-lines';
import { inputColumnsOf } from './results/input-columns';
import { ResultTable } from './results/result-table';
import { writeCsv } from './results/write-csv';
import { writeJsonl } from './results/write-jsonl';
import { writeXlsx } from './results/write-xlsx';
import { openBatch, prepareOperation } from './run/open-batch';
import { BatchStore } from './storage/batch-store';
import { RowStore } from './storage/row-store';

/** Format of a file of results. */
export type ResultFormat = 'jsonl' | 'csv' | 'xlsx';

/** Receives datasets and writes results. The caller must have checked the link. */
export class BatchFiles {
  private readonly batches: BatchStore;

  constructor(private readonly dependencies: BatchDependencies) {
    this.batches = new BatchStore(dependencies.store);
  }

  /**
   * Loads a dataset. Returns null if the batch no longer exists. Throws a `DatasetError` if the file cannot be read.
   */
  async load(id: string, bytes: AsyncIterable<Buffer>): Promise<LoadedDataset | null> {
    const open = await this.open(id);
    const operation = open === null ? null : prepareOperation(this.dependencies.operations, open);
    if (open === null || operation === null) return null;
    // The format is detected from the first line, because a file can have any name.
    const { first, bytes: all } = await peekLine(bytes);
    if (first.trim() === '') throw new DatasetError(emptyLine);
    if (first.includes('\0')) throw new DatasetError(nulInHeader);
    if (/^\s*\[\s*(\{|$)/.test(first)) throw new DatasetError(jsonArray);
    const dataset = first.trimStart().startsWith('{') ? readJsonl(all) : await readCsv(all);
    const loaded = await loadDataset(this.dependencies.store, open, operation, dataset, this.dependencies);
    void this.dependencies.worker.wake();
    return loaded;
  }

  /** Writes the results. Returns null if the batch no longer exists. */
  async write(id: string, format: ResultFormat): Promise<AsyncGenerator<string | Buffer> | null> {
    const open = await this.open(id);
    if (open === null) return null;
    const { batch, header, key } = open;
    const rows = new RowStore(this.dependencies.store, id, key);
    const outline = this.dependencies.operations.outline(header.operation, header.operationName, batch.language);
    const inputColumns = inputColumnsOf(header, outline.variables);
    if (format === 'jsonl') return writeJsonl(rows, inputColumns, batch.language);
    const table = new ResultTable(batch.language, inputColumns, outline.columns);
    return format === 'csv' ? writeCsv(rows, table) : writeXlsx(rows, table);
  }

  private async open(id: string) {
    const batch = await this.batches.get(id);
    return batch === null ? null : openBatch(this.dependencies.ring, batch);
  }
}

const emptyLine = {
  english: 'The first line is empty. Begin the file with the names of the columns, or with a JSON object.',
  spanish: 'La primera línea está vacía. El archivo debe empezar con los nombres de las columnas o con un objeto JSON.',
};
const nulInHeader = {
  english:
    'The first line has a NUL character (U+0000). The file may be UTF-16: in a spreadsheet, save it as «CSV UTF-8».',
  spanish:
    'La primera línea tiene un carácter NUL (U+0000). El archivo puede estar en UTF-16: en la hoja de cálculo, guárdelo como «CSV UTF-8».',
};
const jsonArray = {
  english:
    'The file is a JSON array. Send JSON lines: one object per line, without brackets around them or commas between them.',
  spanish:
    'El archivo es un arreglo JSON. Envíe líneas JSON: un objeto por línea, sin corchetes alrededor ni comas entre ellos.',
};
