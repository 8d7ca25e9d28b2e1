import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientBase, type ClientConfig, type PoolClient, types } from 'pg';
import { times } from '../times';
import { ConnectionPool } from './connection-pool';
import type { Engine, Session } from './store';
import {
  isSqlState,
  type StatementError,
  StoreBusyError,
  type StoreParameter,
  StoreUnavailableError,
  toStoreError,
  UnusableStoreError,
} from './store';

const connectMs = 5_000;
/** Time limit of the client, after which the server counts as unavailable. */
const answerMs = 10_000;
/** Time limit of a statement in the server. It is shorter than the client's, so that no statement outside sessions outlives its client. */
const statementMs = 9_000;
/** Time limit of statements in a session. Migrations may rewrite tables, or wait for a process that does. */
const sessionMs = 120_000;
const limitStatements = `SET statement_timeout = ${statementMs}`;
/** Number of connections of a process. One more listens, and carries the heartbeat. */
const connections = { calls: 8, readers: 4 } as const;
const wanted = connections.calls + connections.readers + 1;
const tooManyConnections = '53300';
/** Message of `pg-pool` if no connection became free in time. If the server does not answer, the message is different. */
const poolIsFull = 'timeout exceeded when trying to connect';

const settingErrors: Readonly<Record<string, string>> = {
  '28P01': 'the user or the password is wrong',
  '28000': 'the server does not accept this user or this way of connecting',
  '3D000': 'the server has no such database',
  '42501': 'this user lacks privileges that padron needs',
};
const encryptionErrors = /SSL|self.signed|certificate|altnames/i;

const oid = { int8: 20, date: 1082, timestamp: 1114, numeric: 1700, int8Array: 1016, numericArray: 1231 } as const;
const asText = (text: string): string => text;
/** Parses a flat array of numbers such as `{1,2}`. */
const asNumbers = (text: string): readonly number[] => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number));
const parsers = new Map<number, (text: string) => unknown>([
  [oid.int8, Number],
  [oid.numeric, Number],
  [oid.date, asText],
  [oid.timestamp, asText],
  [oid.int8Array, asNumbers],
  [oid.numericArray, asNumbers],
]);

const getTypeParser = ((id: number, format?: 'text') =>
  parsers.get(id) ?? types.getTypeParser(id, format)) as typeof types.getTypeParser;

const settingsOf = (url: string): ClientConfig => ({
  connectionString: url,
  application_name: 'padron',
  connectionTimeoutMillis: connectMs,
  query_timeout: answerMs,
  keepAlive: true,
  types: { getTypeParser },
});

/** PostgreSQL. Readers have separate connections. Each statement ends within its time limit, whatever the server does. */
export class PostgresEngine implements Engine {
  readonly name = 'postgres';
  /** Connections that the server gave when they were opened, and those that a process needs. */
  connections = { opened: 0, wanted };
  private readonly calls: ConnectionPool;
  private readonly readers: ConnectionPool;
  private listener: Client | null = null;

  constructor(private readonly url: string) {
    // Connection poolers reject the limit of statements as a parameter of the connection.
    const config = {
      ...settingsOf(url),
      onConnect: async (client: ClientBase) => void (await client.query(limitStatements)),
    };
    this.calls = new ConnectionPool({ ...config, max: connections.calls });
    this.readers = new ConnectionPool({ ...config, max: connections.readers });
  }

  /** Opens all connections, because another process may take them later. */
  async connect(): Promise<void> {
    try {
      await this.calls.query('SELECT 1');
    } catch (error) {
      const reason = explainSettingError(error);
      if (reason !== null)
        throw new UnusableStoreError(`DATABASE_URL cannot be used: ${reason}. Correct the setting or the server.`);
      throw translate(error);
    }
    this.listener ??= await this.openListener().catch(() => null);
    const opened = await Promise.all([this.calls.openAll(), this.readers.openAll()]);
    this.connections = { opened: opened[0] + opened[1] + (this.listener === null ? 0 : 1), wanted };
  }

  query(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]> {
    return this.run(this.calls, sql, parameters);
  }

  /** Runs a statement on the connection that listens, which no statement holds for long. */
  async queryAhead(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]> {
    const { listener } = this;
    if (listener === null) return this.query(sql, parameters);
    try {
      return (await listener.query({ text: sql, values: [...parameters] })).rows as object[];
    } catch (error) {
      // The connection may be broken without having noticed. `keepListening` connects again.
      if (!isSqlState(codeOf(error))) listener.end().catch(() => undefined);
      throw translate(error);
    }
  }

  read(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]> {
    return this.run(this.readers, sql, parameters);
  }

  async withSession<Result>(use: (session: Session) => Promise<Result>): Promise<Result> {
    const client = await this.calls.connect().catch((error: unknown) => {
      throw translate(error);
    });
    let failure: Error | undefined;
    // If the connection breaks, the running statement fails. Without a listener, the event would end the process.
    const ignore = (): void => undefined;
    client.on('error', ignore);
    try {
      await sessionOver(client).script(`SET statement_timeout = ${sessionMs}`);
      const result = await use(sessionOver(client));
      await sessionOver(client).script(`SET statement_timeout = ${statementMs}`);
      return result;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(failure);
    }
  }

  /** Listens on its own connection, and connects again if it breaks. A connection pooler in transaction mode forwards no notifications. */
  listen(channel: string, onMessage: (message: string) => void): () => Promise<void> {
    const stopping = new AbortController();
    const listening = this.keepListening(channel, onMessage, stopping.signal);
    return () => {
      stopping.abort();
      return listening;
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.calls.end(), this.readers.end(), this.listener?.end()]);
  }

  /** While a connection is open, a statement that the server has no other connection for waits for it. */
  private async run(
    pool: ConnectionPool,
    sql: string,
    parameters: readonly StoreParameter[],
  ): Promise<readonly object[]> {
    const started = performance.now();
    for (;;) {
      try {
        return (await pool.query(sql, [...parameters])).rows as object[];
      } catch (error) {
        if (error instanceof Error && error.message === poolIsFull)
          throw new StoreBusyError('All connections to PostgreSQL are in use.');
        if (codeOf(error) !== tooManyConnections) throw translate(error);
        if (pool.opened === 0 && this.listener !== null) return this.queryAhead(sql, parameters);
        if (pool.opened === 0 || performance.now() - started > connectMs) throw translate(error);
        pool.waitForOpened();
      }
    }
  }

  private async openListener(): Promise<Client> {
    const client = new Client(settingsOf(this.url));
    client.on('error', () => undefined);
    await client.connect();
    await client.query(limitStatements);
    return client;
  }

  private async keepListening(
    channel: string,
    onMessage: (message: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      const client = this.listener ?? (await this.openListener().catch(() => null));
      this.listener = client;
      if (client !== null) {
        await this.listenUntilEnd(client, channel, onMessage, signal);
        this.listener = null;
        // A server that hangs does not answer the goodbye.
        client.end().catch(() => undefined);
      }
      if (!signal.aborted) await sleep(times.listenRetry, undefined, { signal }).catch(() => undefined);
    }
  }

  private async listenUntilEnd(
    client: Client,
    channel: string,
    onMessage: (message: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    client.once('end', end);
    client.once('error', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    client.on('notification', ({ payload = '' }) => onMessage(payload));
    await client
      .query(`LISTEN ${channel}`)
      .then(() => ended)
      .catch(() => undefined);
    signal.removeEventListener('abort', end);
  }
}

function sessionOver(client: PoolClient): Session {
  const run = async (text: string, values?: StoreParameter[]): Promise<readonly object[]> => {
    const config = { text, query_timeout: sessionMs, ...(values === undefined ? {} : { values }) };
    try {
      return (await client.query(config)).rows as object[];
    } catch (error) {
      throw translate(error);
    }
  };
  return {
    query: (sql, parameters = []) => run(sql, [...parameters]),
    script: async (sql) => void (await run(sql)),
  };
}

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown } | null)?.code ?? '');

/** Returns what is wrong with the settings, or null if the error may pass. */
function explainSettingError(error: unknown): string | null {
  const reason = settingErrors[codeOf(error)];
  if (reason !== undefined) return reason;
  const message = error instanceof Error ? error.message : '';
  return encryptionErrors.test(message)
    ? 'the connection cannot be encrypted, or the certificate is not trusted'
    : null;
}

/** Turns an error of `pg` into an error of the store. An error without an SQLSTATE comes from the connection. */
function translate(error: unknown): StatementError | StoreUnavailableError {
  const code = codeOf(error);
  const reason = settingErrors[code];
  if (reason !== undefined)
    return new StoreUnavailableError(`PostgreSQL refuses the connection or statement: ${reason}.`);
  const message = error instanceof Error ? error.message : code;
  if (isSqlState(code)) return toStoreError(code, message, 'PostgreSQL cannot be used now');
  return new StoreUnavailableError(`PostgreSQL cannot be reached (${code === '' ? 'no answer' : code}).`);
}
