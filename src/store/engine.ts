import type { StoreParameter } from './store';

export interface Session {
  query(sql: string, parameters?: readonly StoreParameter[]): Promise<readonly object[]>;
  script(sql: string): Promise<void>;
}

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
