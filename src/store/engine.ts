import type { StoreParameter } from './store';

/** One connection that runs statements one after another. */
export interface Session {
  query(sql: string, parameters?: readonly StoreParameter[]): Promise<readonly object[]>;
  /** Runs several statements without parameters. */
  script(sql: string): Promise<void>;
}

/** A database engine that runs statements. */
export interface Engine {
  readonly name: 'embedded' | 'postgres';
  /** Connects to the database. Rejects with `UnusableStoreError` if waiting does not help. */
  connect(): Promise<void>;
  query(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]>;
  /** Runs a statement that only reads, as `Store.read` does. */
  read(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]>;
  /** Runs `use` with a connection that no other statement uses meanwhile. */
  withSession<Result>(use: (session: Session) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
