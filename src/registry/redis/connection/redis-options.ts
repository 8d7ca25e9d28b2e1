/** Address of the store, from REPLAY_URL. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly password: string | null;
  readonly database: number;
  readonly tls: boolean;
  /** Whether it is one node of a cluster. */
  readonly cluster: boolean;
}

const connectTimeoutMs = 2_000;
const reconnectAfterMs = 500;

/** Reads a URL that the settings have found to be one. */
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
 * Returns the options of ioredis. A command that cannot be sent fails at once, and no command is sent twice: the
 * instance then continues alone.
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
    // padron does this after each reconnection: ioredis emits an unhandled error, which would end the process.
    autoResubscribe: false,
    // The check of the eviction policy sends the same command, and reports a missing right itself.
    enableReadyCheck: false,
    // Redis 7.0 knows no rule for it in an access list.
    disableClientInfo: true,
    retryStrategy: () => reconnectAfterMs,
  };
}
