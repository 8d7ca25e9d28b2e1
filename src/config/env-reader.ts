import { parseDuration } from './duration';
import { compileTagPattern } from './tag-pattern';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether an address is only reachable from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Minimum number of different characters in a secret. A random secret has more. */
const minDistinctCharacters = 8;

const databaseParameters = new Set(['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'application_name']);
/** Values of `sslmode` with which the client verifies the server's certificate. */
const encryptedModes = new Set(['require', 'verify-ca', 'verify-full']);

function canDecode({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== null;
  } catch {
    return false;
  }
}

/** Reads settings from environment variables and collects the errors. An empty variable counts as unset. */
export class EnvReader {
  readonly errors: string[] = [];
  /** Names of all settings read so far. */
  readonly names = new Set<string>();

  constructor(private readonly environment: Environment) {}

  text(name: string): string | null {
    this.names.add(name);
    const value = this.environment[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  /** Reads a secret. The error never shows its value. */
  secret(name: string, min: number): string | null {
    const value = this.text(name);
    if (value === null || value.length >= min) return value;
    return this.fail(name, `must have at least ${min} characters`, null);
  }

  /** Reads a list of secrets, newest first. The error never shows their values. */
  secrets(name: string, min: number): readonly string[] {
    const secrets = this.list(name);
    if (secrets.some((secret) => secret.length < min || new Set(secret).size < minDistinctCharacters))
      return this.fail(
        name,
        `must be random and have at least ${min} characters per key. Generate one with \`openssl rand -hex 32\``,
        [],
      );
    return secrets;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    return this.fail(name, `must be a whole number from ${min} to ${max}`, fallback);
  }

  /** Reads a price as decimal text, because a floating-point number cannot represent every price. */
  price(name: string): string | null {
    const value = this.text(name);
    const isPrice = value === null || (/^\d{1,6}(\.\d{1,6})?$/.test(value) && /[1-9]/.test(value));
    return isPrice
      ? value
      : this.fail(name, 'must be a price in pesos greater than 0 without a sign, such as 1.20', null);
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.text(name)?.toLowerCase() ?? null;
    if (value === null) return fallback;
    if (value === 'true' || value === 'on') return true;
    if (value === 'false' || value === 'off') return false;
    return this.fail(name, 'must be true or false', fallback);
  }

  oneOf<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    const value = this.text(name);
    if (value === null) return fallback;
    const chosen = choices.find((choice) => choice === value);
    return chosen ?? this.fail(name, `must be one of ${choices.join(', ')}`, fallback);
  }

  list(name: string): readonly string[] {
    const entries = (this.text(name) ?? '').split(',').map((entry) => entry.trim());
    return entries.filter((entry) => entry !== '');
  }

  /** Reads an http(s) URL. Outside loopback it must use https, because requests carry the token. */
  url(name: string): string | null {
    const value = this.webhook(name);
    if (value === null) return null;
    const { search, hash, username, password } = new URL(value);
    if (search === '' && hash === '' && username === '' && password === '') return value;
    return this.fail(name, 'must not contain credentials, a query or a fragment', null);
  }

  /** Reads the URL of a Redis server. Outside loopback it must use TLS, because the connection carries a password and answers. */
  redisUrl(name: string): string | null {
    const value = this.text(name);
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    const isRedis = url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '';
    const isPlain = url !== null && /^\/?\d{0,4}$/.test(url.pathname) && /^(?:\?cluster=true)?$/.test(url.search);
    if (!isRedis || !isPlain || !canDecode(url) || (url.search !== '' && url.pathname.length > 1))
      return this.fail(name, 'must be like rediss://user:password@host:6379, with ?cluster=true for a cluster', null);
    if (url.protocol === 'rediss:' || isLoopback(url.hostname)) return value;
    return this.fail(name, 'must use rediss: outside loopback', null);
  }

  /** Reads the URL of a webhook. It may have a query, because receivers put their secrets there. */
  webhook(name: string): string | null {
    const value = this.text(name);
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || !/^https?:$/.test(url.protocol)) return this.fail(name, 'must be an http(s) URL', null);
    if (url.protocol === 'https:' || isLoopback(url.hostname)) return value;
    return this.fail(name, 'must use https: outside loopback', null);
  }

  /**
   * Reads the URL of a PostgreSQL database. Outside loopback it must use TLS, because the connection carries rows. The error never
   * shows the URL, because it holds a password.
   */
  databaseUrl(name: string): string | null {
    const value = this.text(name);
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
      return this.fail(name, 'must be a URL such as postgres://user:password@host:5432/database', null);
    }
    const parameters = [...url.searchParams];
    const socket = url.searchParams.get('host');
    const unsupported = parameters.filter(
      ([key, text]) => !databaseParameters.has(key) && !(key === 'host' && text.startsWith('/')),
    );
    if (unsupported.length > 0) {
      return this.fail(
        name,
        `must have no parameters other than ${[...databaseParameters].join(', ')}, and host for the folder of a socket`,
        null,
      );
    }
    const isLocal = socket !== null || isLoopback(url.hostname);
    const isEncrypted = encryptedModes.has(url.searchParams.get('sslmode') ?? '');
    return isLocal || isEncrypted ? value : this.fail(name, 'must have sslmode=verify-full outside loopback', null);
  }

  timeZone(name: string, fallback: string): string {
    const value = this.text(name) ?? fallback;
    // Looking up a time zone takes a tenth of the start time.
    if (value === fallback) return fallback;
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
    } catch {
      return this.fail(name, 'must be a time zone such as America/Mexico_City', fallback);
    }
  }

  duration(name: string): number | null {
    const value = this.text(name);
    const milliseconds = value === null ? null : parseDuration(value);
    return value === null || milliseconds !== null
      ? milliseconds
      : this.fail(name, 'must be a time of up to 60s such as 2s or 800ms', null);
  }

  /** Reads a regular expression for whole tags. */
  tagPattern(name: string): RegExp | null {
    const value = this.text(name);
    const pattern = value === null ? null : compileTagPattern(value);
    return typeof pattern === 'string' ? this.fail(name, pattern, null) : pattern;
  }

  path(name: string): string | null {
    const value = this.text(name);
    const isPath = value === null || /^\/[\w\-./]*$/.test(value);
    return isPath ? value : this.fail(name, 'must be a path that starts with /', null);
  }

  /** Reads origins that serve personal data. Outside loopback they must use https. */
  secureOrigins(name: string): readonly string[] {
    const origins = this.origins(name);
    const inClear = origins.some((origin) => !origin.startsWith('https:') && !isLoopback(new URL(origin).hostname));
    return inClear ? this.fail(name, 'must use https: outside loopback', []) : origins;
  }

  origins(name: string): readonly string[] {
    return this.list(name).flatMap((entry) => {
      const origin = URL.canParse(entry) ? new URL(entry).origin : null;
      if (origin === entry.replace(/\/$/, '') && origin !== 'null') return [origin];
      return this.fail(name, 'must be origins such as https://files.example.com, separated by commas', []);
    });
  }

  private fail<Value>(name: string, rule: string, value: Value): Value {
    this.errors.push(`${name} ${rule}.`);
    return value;
  }
}
