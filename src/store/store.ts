/** What a statement takes: JSON goes as text, bytes as they are. */
export type StoreParameter = string | number | boolean | null | Date | Uint8Array | readonly (string | number)[];

/**
 * One set of rows for both engines: PostgreSQL, and the one that is embedded. Both give the same values: int8 and numeric as numbers,
 * timestamptz as `Date`, date as text, bytea as `Buffer`, jsonb as what it holds.
 */
export interface Store {
  readonly engine: 'embedded' | 'postgres';
  /**
   * Runs one statement; `$1` and so on stand for the parameters. Rejects with `StoreUnavailableError` where nobody answers, and
   * with `StatementError` where the statement itself is refused. Opens the store where it is not open yet.
   */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    parameters?: readonly StoreParameter[],
  ): Promise<readonly Row[]>;
  /**
   * Runs one statement that only reads and may take long. It has connections and a time limit of its own, so that readers never
   * make calls wait. Rejects as `query` does, and with `StoreBusyError` if the limit is reached.
   */
  read<Row extends object = Record<string, unknown>>(
    sql: string,
    parameters?: readonly StoreParameter[],
  ): Promise<readonly Row[]>;
  /** Runs a rare statement that may take two minutes. */
  runLong(sql: string, parameters: readonly StoreParameter[]): Promise<void>;
  close(): Promise<void>;
}

/** A step that a store goes through once, in the order of the list; its name says which. It may hold several statements. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/**
 * The store cannot be reached now. It may be back later; what was to be written is not lost by this alone. Whether the statement
 * was carried out nobody knows: what is sent again must bear that.
 */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
}

/** The store answers other statements, but not this one in time: it took too long, waited too long, or met another one's lock. */
export class StoreBusyError extends StoreUnavailableError {
  override readonly name = 'StoreBusyError';
}

/** The engine refused a statement. `code` is its SQLSTATE. */
export class StatementError extends Error {
  override readonly name = 'StatementError';

  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** This store cannot be used by this process, and waiting does not help: padron does not start. Its words hold no secret. */
export class StoreRefusedError extends Error {
  override readonly name = 'StoreRefusedError';
}
