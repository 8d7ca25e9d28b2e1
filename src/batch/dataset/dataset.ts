/** A row as it came: values by column, or why it cannot be read. */
export type DatasetRow =
  | { readonly line: number; readonly values: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly message: string };

/** What a file holds: its columns where it names them itself, and its rows one after the other. */
export interface Dataset {
  /** Null where each row names its own. */
  readonly columns: readonly string[] | null;
  /** Whether every value is text, to be read as its variable wants it. */
  readonly isText: boolean;
  readonly rows: AsyncIterable<DatasetRow> | Iterable<DatasetRow>;
}

/** The file as a whole cannot be taken; the message quotes nothing of it. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
}
