import type { Remark } from '../batch';

/** A row of a file: its cells, its values by name if it is an object, or why it cannot be read. */
export type DatasetRow = { readonly line: number } & (
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

/** The whole file is rejected. The message does not quote the values of its rows. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
  readonly spanish: string;

  /** `columns` are the columns of the file, if they do not fit the operation, so that the caller can choose among them. */
  constructor(
    { english, spanish }: Remark,
    readonly columns: readonly string[] = [],
  ) {
    super(english);
    this.spanish = spanish;
  }
}
