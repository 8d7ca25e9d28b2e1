/** One set of rows for both engines: PostgreSQL, and the one that is embedded. */
export interface Store {
  readonly engine: 'embedded' | 'postgres';
  /** Runs one statement; `$1` and so on stand for the parameters. Rejects with `StoreUnavailableError` where nobody answers. */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    parameters?: readonly unknown[],
  ): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** A step that a store goes through once, in the order of the list; its name says which. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The store cannot be reached now. It may be back later; what was to be written is not lost by this alone. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}
