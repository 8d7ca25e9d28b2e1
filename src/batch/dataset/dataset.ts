import type { Remark } from '../batch';

/**
 * A row of a file: its cells, its values by name if it is an object, or why it cannot be read. `typed` has the positions of the cells
 * that are numbers, dates or booleans. A file that only has text has none.
 */
export type DatasetRow = { readonly line: number; readonly typed?: readonly number[] } & (
  | { readonly cells: readonly string[] }
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly cells: readonly string[]; readonly message: Remark }
);

/** Content of a file: its columns, if it is a table, and its rows. */
export interface Dataset {
  /** The columns of a table, whose cells are text. Null if each row is an object with typed values. */
  readonly columns: readonly string[] | null;
  /** The line of the header, or null without a header. */
  readonly headerLine: number | null;
  readonly rows: AsyncIterable<DatasetRow> | Iterable<DatasetRow>;
}

/** The columns of a file, and the variables that they can fill, so that the caller can choose. */
export interface ColumnOptions {
  readonly columns: readonly string[];
  readonly variables: readonly string[];
}

/** The whole file is rejected. The message does not quote the values of its rows. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
  readonly spanish: string;

  /** `choice` is given if the columns do not fit the operation. */
  constructor(
    { english, spanish }: Remark,
    readonly choice: ColumnOptions | null = null,
  ) {
    super(english);
    this.spanish = spanish;
  }
}
