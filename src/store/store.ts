/** A parameter of a statement. JSON is passed as text. */
export type StoreParameter = string | number | boolean | null | Date | Uint8Array | readonly (string | number | null)[];

export interface Connections {
  readonly opened: number;
  readonly wanted: number;
}

/**
 * A database on PostgreSQL or on the embedded engine. Both return the same values: int8 and numeric as numbers, timestamptz as `Date`,
 * date as text, bytea as `Buffer`, jsonb as the parsed value.
 */
export interface Store {
  readonly engine: 'embedded' | 'postgres';
  /** Connections that the server gave at the start, and those that this process needs. Null without a server. */
  readonly connections: Connections | null;
  /** False while the store is being opened, and after it could not be opened. */
  readonly isOpen: boolean;
  /**
   * Runs one statement with parameters `$1`, `$2` and so on. Opens the store first if necessary. Rejects with `StoreUnavailableError`
   * if the store does not answer, and with `StatementError` if the engine rejects the statement.
   */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    parameters?: readonly StoreParameter[],
  ): Promise<readonly Row[]>;
  /**
   * Runs one statement that only reads and may take long. Readers have separate connections and their own time limit, so they never
   * make calls wait. Rejects as `query` does, and with `StoreBusyError` if the time limit is reached.
   */
  read<Row extends object = Record<string, unknown>>(
    sql: string,
    parameters?: readonly StoreParameter[],
  ): Promise<readonly Row[]>;
  /** Runs one short statement ahead of all others, which may wait for locks. */
  queryAhead<Row extends object = Record<string, unknown>>(
    sql: string,
    parameters?: readonly StoreParameter[],
  ): Promise<readonly Row[]>;
  runLong(sql: string, parameters: readonly StoreParameter[]): Promise<void>;
  /** Receives the notifications of a channel, while the connection lasts. Returns a function that ends it. An embedded store sends none. */
  listen(channel: string, onMessage: (message: string) => void): () => Promise<void>;
  close(): Promise<void>;
}

/**
 * A step to the schema of this version, identified by its name. It can contain several statements. The number is the version of the store that
 * the step belongs to. A numbered migration is applied once, and the text of a released one never changes. Functions and triggers have no
 * number: they are applied again whenever their text changes, while other processes may use them. They are therefore replaced
 * (`CREATE OR REPLACE`), and the text first drops the signatures of the last release that it no longer has (`DROP FUNCTION IF EXISTS`).
 */
export interface Migration {
  readonly number: number | null;
  readonly name: string;
  readonly sql: string;
  /**
   * Whether processes of earlier versions cannot work with this migration, or with the functions of its version. It is then applied after they
   * have stopped. One that was suspended may wake up later. So a breaking migration of the calls also changes the parameters of `process_beat`:
   * a process opens no calls without its heartbeat.
   */
  readonly breaking?: boolean;
}

/**
 * The store is unavailable and may recover. It is unknown whether the statement was carried out, so only idempotent statements may be
 * retried.
 */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
}

/** Returns null for an error of the store that passes. Throws any other error. */
export function nullIfUnavailable(error: unknown): null {
  if (error instanceof StoreUnavailableError) return null;
  throw error;
}

/** The store is available but did not finish this statement in time, for example because of a lock. */
export class StoreBusyError extends StoreUnavailableError {
  override readonly name = 'StoreBusyError';
}

/** The engine rejected a statement. `code` is the SQLSTATE. */
export class StatementError extends Error {
  override readonly name = 'StatementError';

  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** The store cannot be used by this process, and waiting does not help, so padron does not start. The message contains no secret. */
export class UnusableStoreError extends Error {
  override readonly name = 'UnusableStoreError';
}

/** One connection that runs statements one after another. */
export interface Session {
  query(sql: string, parameters?: readonly StoreParameter[]): Promise<readonly object[]>;
  script(sql: string): Promise<void>;
}

export interface Engine {
  readonly name: 'embedded' | 'postgres';
  readonly connections: Connections | null;
  /** Connects to the database. Rejects with `UnusableStoreError` if waiting does not help. */
  connect(): Promise<void>;
  query(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]>;
  read(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]>;
  queryAhead(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]>;
  /** Runs `use` with a connection that no other statement uses meanwhile. */
  withSession<Result>(use: (session: Session) => Promise<Result>): Promise<Result>;
  listen?(channel: string, onMessage: (message: string) => void): () => Promise<void>;
  close(): Promise<void>;
}

/** Codes of an unavailable store: connection lost, resources such as the disk exhausted, shutdown, I/O error, read-only. */
const unavailable = /^(08|53|57P|58|25006)/;
/** Codes of a statement that may succeed if it is retried: canceled by a timeout, deadlock, serialization failure, lock timeout, too many connections. */
const busy = /^(57014|40|55P03|53300)/;

/** Whether a code is an SQLSTATE. Each SQLSTATE has a digit, and system codes such as `EPIPE` have none. */
export const isSqlState = (code: string): boolean => /^(?=.*\d)[0-9A-Z]{5}$/.test(code);

/** Turns an SQLSTATE into an error of the store. Messages of temporary failures only name the code, because engines may quote rows. */
export function toStoreError(
  code: string,
  message: string,
  ifUnavailable: string,
): StatementError | StoreUnavailableError {
  if (busy.test(code)) return new StoreBusyError(`The statement did not finish in time (${code}).`);
  if (unavailable.test(code)) return new StoreUnavailableError(`${ifUnavailable} (${code}).`);
  return new StatementError(message, code);
}

export interface StoreObserver {
  /** `reason` does not contain secrets. */
  storeUnavailable(reason: string): void;
  storeAvailable(): void;
}

/** Health of the store. A statement that does not reach the store marks it as unavailable, and a successful write as available. */
export class StoreHealth {
  private isMarkedUnavailable = false;
  private isEnded = false;

  constructor(private readonly observer: StoreObserver) {}

  get isUnavailable(): boolean {
    return this.isMarkedUnavailable;
  }

  /** Ends the reports. A statement that runs while the process closes its connections says nothing about the store. */
  end(): void {
    this.isEnded = true;
  }

  recordFailure(error: unknown): void {
    if (
      this.isEnded ||
      this.isMarkedUnavailable ||
      !(error instanceof StoreUnavailableError) ||
      error instanceof StoreBusyError
    )
      return;
    this.isMarkedUnavailable = true;
    this.observer.storeUnavailable(error.message);
  }

  /** Records a successful write. Reads do not count, because a store with a full disk still answers readers. */
  recordWrite(): void {
    if (!this.isMarkedUnavailable) return;
    this.isMarkedUnavailable = false;
    this.observer.storeAvailable();
  }

  watch(store: Store): Store {
    const record = (error: unknown): never => {
      this.recordFailure(error);
      throw error;
    };
    return {
      engine: store.engine,
      get connections() {
        return store.connections;
      },
      get isOpen() {
        return store.isOpen;
      },
      query: (sql, parameters) => store.query<never>(sql, parameters).catch(record),
      queryAhead: (sql, parameters) => store.queryAhead<never>(sql, parameters).catch(record),
      read: (sql, parameters) => store.read<never>(sql, parameters).catch(record),
      runLong: (sql, parameters) => store.runLong(sql, parameters).catch(record),
      listen: (channel, onMessage) => store.listen(channel, onMessage),
      close: () => store.close(),
    };
  }
}
