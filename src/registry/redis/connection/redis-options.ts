/** Where the store is, as REPLAY_URL says it. */
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

/** A command that cannot be sent now fails at once, and none is sent twice: the instance then goes on alone. */
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
    // The check of the policy asks the same, and says in words of its own where it may not.
    enableReadyCheck: false,
    // Redis 7.0 knows no rule for it in an access list.
    disableClientInfo: true,
    retryStrategy: () => reconnectAfterMs,
  };
}
