import { existsSync } from 'node:fs';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** What the process is told by its environment. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Null: the embedded sandbox. */
  readonly registryUrl: string | null;
  readonly registryToken: string | null;
  readonly registrySandbox: boolean;
  readonly registryTimeoutMs: number;
  readonly registryConcurrency: number;
  readonly replaySeconds: number;
  /** Null: no ceiling. */
  readonly maxUnits: number | null;
  readonly checkDigits: 'refuse' | 'warn';
  readonly identityPath: string;
  /** Null: the balance is not asked for. */
  readonly balancePath: string | null;
  readonly linkOrigins: readonly string[];
  readonly schemaScopes: boolean;
  readonly sandboxAuthorities: readonly string[];
  readonly introspection: boolean;
  readonly logLevel: LogLevel;
}

/** Every fault of the environment at once, so that it is mended in one go. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(`The settings cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of the design that this version does not act on: refused, since a bound that is ignored is worse than none. */
const notYetSupported = ['JWT_JWKS_URL', 'JWT_SECRET', 'JWT_ISSUER', 'JWT_AUDIENCE', 'CORS_ORIGINS', 'SUBGRAPH_SECRET'];

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** The process's environment; a `.env` file beside it fills in what is not set. */
export function processEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** Reads the settings, or throws a `ConfigError` that lists every fault. */
export function readConfig(environment: Environment): Config {
  const read = new Reader(environment);
  const production = environment.NODE_ENV === 'production';
  const config: Config = {
    port: read.whole('PORT', 4000, 0, 65_535),
    host: read.text('HOST') ?? '127.0.0.1',
    registryUrl: read.url('REGISTRY_URL'),
    registryToken: read.text('REGISTRY_TOKEN'),
    registrySandbox: read.flag('REGISTRY_SANDBOX', false),
    registryTimeoutMs: read.whole('REGISTRY_TIMEOUT_MS', 30_000, 100, 600_000),
    registryConcurrency: read.whole('REGISTRY_CONCURRENCY', 64, 1, 100_000),
    replaySeconds: read.whole('REPLAY_SECONDS', 30, 0, 3_600),
    maxUnits: read.text('MAX_UNITS') === null ? null : read.whole('MAX_UNITS', 0, 0, 1_000_000_000),
    checkDigits: read.choice('CHECK_DIGITS', ['refuse', 'warn'], 'refuse'),
    identityPath: read.path('IDENTITY_PATH', '/api/renapo/grupo/valida-curp'),
    balancePath: read.text('BALANCE_PATH') === null ? null : read.path('BALANCE_PATH', '/'),
    linkOrigins: read.origins('LINK_ORIGINS'),
    schemaScopes: read.flag('SCHEMA_SCOPES', false),
    sandboxAuthorities: read.list('SANDBOX_AUTHORITIES'),
    introspection: read.flag('INTROSPECTION', !production),
    logLevel: read.choice('LOG_LEVEL', logLevels, 'info'),
  };
  const faults = [...read.faults, ...faultsTogether(config, environment)];
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function faultsTogether(config: Config, environment: Environment): readonly string[] {
  const faults = notYetSupported
    .filter((name) => environment[name] !== undefined && environment[name] !== '')
    .map((name) => `${name} is not supported by this version yet; unset it.`);
  if (config.registryToken !== null && !isLoopback(config.host)) {
    faults.push(
      'REGISTRY_TOKEN would let anyone who reaches HOST spend its units. Listen on loopback, or let callers bring their own tokens.',
    );
  }
  if (config.registryUrl !== null && config.sandboxAuthorities.length > 0) {
    faults.push('SANDBOX_AUTHORITIES belongs to the embedded sandbox, which does not run when REGISTRY_URL is set.');
  }
  return faults;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Reads one variable at a time and remembers what is wrong with each. An empty variable is an unset one. */
class Reader {
  readonly faults: string[] = [];

  constructor(private readonly environment: Environment) {}

  text(name: string): string | null {
    const value = this.environment[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  whole(name: string, otherwise: number, least: number, most: number): number {
    const value = this.text(name);
    if (value === null) return otherwise;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    return this.fault(name, `must be a whole number from ${least} to ${most}`, otherwise);
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.text(name)?.toLowerCase() ?? null;
    if (value === null) return otherwise;
    if (value === 'true' || value === 'on') return true;
    if (value === 'false' || value === 'off') return false;
    return this.fault(name, 'must be true or false', otherwise);
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], otherwise: Choice): Choice {
    const value = this.text(name);
    if (value === null) return otherwise;
    const chosen = choices.find((choice) => choice === value);
    return chosen ?? this.fault(name, `must be one of ${choices.join(', ')}`, otherwise);
  }

  list(name: string): readonly string[] {
    const entries = (this.text(name) ?? '').split(',').map((entry) => entry.trim());
    return entries.filter((entry) => entry !== '');
  }

  /** The token travels there: in clear only within this machine. */
  url(name: string): string | null {
    const value = this.text(name);
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || !/^https?:$/.test(url.protocol)) return this.fault(name, 'must be an http(s) URL', null);
    if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
      return this.fault(name, 'must hold no credentials, query or fragment', null);
    }
    if (url.protocol === 'https:' || isLoopback(url.hostname)) return value;
    return this.fault(name, 'must use https: outside loopback', null);
  }

  path(name: string, otherwise: string): string {
    const value = this.text(name) ?? otherwise;
    return /^\/[\w\-./]*$/.test(value) ? value : this.fault(name, 'must be a path that starts with /', otherwise);
  }

  origins(name: string): readonly string[] {
    return this.list(name).flatMap((entry) => {
      const origin = URL.canParse(entry) ? new URL(entry).origin : null;
      if (origin === entry.replace(/\/$/, '') && origin !== 'null') return [origin];
      return this.fault(name, 'must be origins such as https://files.example.com, separated by commas', []);
    });
  }

  private fault<Value>(name: string, rule: string, value: Value): Value {
    this.faults.push(`${name} ${rule}.`);
    return value;
  }
}
