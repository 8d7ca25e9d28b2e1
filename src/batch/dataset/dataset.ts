/** A row of a file: its values by column, or why it cannot be read. */
export type DatasetRow =
  | { readonly line: number; readonly values: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly message: string };

/** Content of a file: its columns, if it has a header, and its rows. */
export interface Dataset {
  /** The columns of the header. Null if each row names its own columns. */
  readonly columns: readonly string[] | null;
  /** Whether every value is text that must be converted to the type of its variable. */
  readonly isText: boolean;
  readonly rows: AsyncIterable<DatasetRow> | Iterable<DatasetRow>;
}

/** The whole file is rejected. The message does not quote its content. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
}
