import { Pool, type PoolClient, types } from 'pg';
import type { Engine, Session } from './engine';
import { StatementError, type StoreParameter, StoreRefusedError, StoreUnavailableError } from './store';

const connectMs = 5_000;
const statementMs = 10_000;
/** Steps of a migration may rewrite tables, and wait for another process that does. */
const sessionMs = 120_000;
const maxConnections = 8;

/** A server in its own time, or a row that another one holds: waiting helps. */
const passingCodes = /^(08|53|57|58|40|25006|55P03)/;
const missingRight = '42501';
/** The settings are wrong: waiting does not help. */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'the user or the password is wrong',
  '28000': 'the server does not let this user in, or not this way',
  '3D000': 'there is no such database on the server',
  [missingRight]: 'this user may not do what is needed there',
};
const encryptionErrors = /SSL|self.signed|certificate|altnames/i;

const oid = { int8: 20, date: 1082, timestamp: 1114, numeric: 1700, int8Array: 1016, numericArray: 1231 } as const;
const asText = (text: string): string => text;
/** Of a flat array of numbers: `{1,2}`. */
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

/** PostgreSQL, over a few connections. Whatever the server does, each statement ends within its time. */
export class PostgresEngine implements Engine {
  readonly name = 'postgres';
  /** The server has the work of a statement, and its client no `COPY`. */
  readonly copy = null;
  private readonly pool: Pool;

  constructor(url: string) {
    this.pool = new Pool({
      connectionString: url,
      application_name: 'padron',
      max: maxConnections,
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs,
      keepAlive: true,
      types: { getTypeParser },
    });
    // Of a connection that nobody uses; the next statement takes another.
    this.pool.on('error', () => undefined);
  }

  async connect(): Promise<void> {
    try {
      await this.pool.query('SELECT 1');
    } catch (error) {
      const reason = refusalOf(error);
      if (reason !== null) throw new StoreRefusedError(`DATABASE_URL cannot be used: ${reason}.`);
      throw translate(error);
    }
  }

  async query(sql: string, parameters: readonly StoreParameter[]): Promise<readonly object[]> {
    try {
      return (await this.pool.query(sql, [...parameters])).rows as object[];
    } catch (error) {
      throw translate(error);
    }
  }

  async withSession<Result>(use: (session: Session) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw translate(error);
    });
    let failure: Error | undefined;
    // A connection that breaks meanwhile fails the statement; nobody else has to hear of it.
    const ignore = (): void => undefined;
    client.on('error', ignore);
    try {
      return await use(sessionOver(client));
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(failure);
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

function sessionOver(client: PoolClient): Session {
  const run = async (text: string, values?: StoreParameter[]): Promise<readonly object[]> => {
    const config = { text, query_timeout: sessionMs, ...(values === undefined ? {} : { values }) };
    try {
      return (await client.query(config)).rows as object[];
    } catch (error) {
      // It is about the tables: a user who may not make them is no server that is away.
      throw codeOf(error) === missingRight ? toStatementError(error) : translate(error);
    }
  };
  return {
    query: (sql, parameters = []) => run(sql, [...parameters]),
    script: async (sql) => void (await run(sql)),
  };
}

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown } | null)?.code ?? '');

function refusalOf(error: unknown): string | null {
  const reason = refusals[codeOf(error)];
  if (reason !== undefined) return reason;
  const message = error instanceof Error ? error.message : '';
  return encryptionErrors.test(message)
    ? 'the connection cannot be encrypted, or the certificate is not trusted'
    : null;
}

/** What has no SQLSTATE comes from the way to the server. */
function translate(error: unknown): StatementError | StoreUnavailableError {
  const code = codeOf(error);
  const isStatement = /^[0-9A-Z]{5}$/.test(code) && !passingCodes.test(code) && refusals[code] === undefined;
  if (isStatement) return toStatementError(error);
  const reason = refusals[code];
  if (reason !== undefined) return new StoreUnavailableError(`PostgreSQL refuses: ${reason}.`);
  return new StoreUnavailableError(`PostgreSQL cannot be reached (${code === '' ? 'no answer' : code}).`);
}

function toStatementError(error: unknown): StatementError {
  return new StatementError(error instanceof Error ? error.message : codeOf(error), codeOf(error));
}
