export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly password: string | null;
  readonly database: number;
  readonly tls: boolean;
  readonly cluster: boolean;
}

const connectTimeoutMs = 2_000;
const reconnectAfterMs = 500;

export function parseRedisUrl(text: string): RedisAddress {
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(text);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 6379 : Number(port),
    username: username === '' ? null : decodeURIComponent(username),
    password: password === '' ? null : decodeURIComponent(password),
    database: Number(pathname.slice(1) || 0),
    tls: protocol === 'rediss:',
    cluster: searchParams.get('cluster') === 'true',
  };
}

/**
 * Returns the options of ioredis. A command that cannot be sent fails at once, and no command is sent twice. If a command
 * fails, the instance continues alone.
 */
export function toRedisOptions({ host, port, username, password, database, tls }: RedisAddress) {
  return {
    host,
    port,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    db: database,
    ...(tls ? { tls: { servername: host } } : {}),
    protocol: 2 as const,
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // padron subscribes again itself. If ioredis fails to do so, it emits an unhandled error, which would end the process.
    autoResubscribe: false,
    // `checkPolicy` sends the same command (INFO), and reports a missing right.
    enableReadyCheck: false,
    // The access list of Redis 7.0 cannot allow this command (CLIENT SETINFO).
    disableClientInfo: true,
    retryStrategy: () => reconnectAfterMs,
  };
}
