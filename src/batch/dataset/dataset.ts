/** A row as it came: values by column, or why it cannot be read. */
export type DatasetRow =
  | { readonly line: number; readonly values: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly message: string };

/** Content of a file: its columns, if it has a header, and its rows. */
export interface Dataset {
  /** Null if each row names its own columns. */
  readonly columns: readonly string[] | null;
  /** Whether every value is text, to be read as its variable wants it. */
  readonly isText: boolean;
  readonly rows: AsyncIterable<DatasetRow> | Iterable<DatasetRow>;
}

/** The file as a whole cannot be taken; the message quotes nothing of it. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
}
