import type { StoreParameter } from './store';

/** One connection, on which statements follow each other. */
export interface Session {
  query(sql: string, parameters?: readonly StoreParameter[]): Promise<readonly object[]>;
  /** Several statements without parameters. */
  script(sql: string): Promise<void>;
}

/** What carries statements out. */
export interface Engine {
  readonly name: 'embedded' | 'postgres';
  /** Rejects with `StoreRefusedError` where waiting does not help. */
  connect(): Promise<void>;
  query(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]>;
  /** As a store's `read`. */
  read(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]>;
  /** One connection that nobody else uses meanwhile. */
  withSession<Result>(use: (session: Session) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
