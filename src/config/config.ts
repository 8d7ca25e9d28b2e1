import { existsSync } from 'node:fs';
import { type BatchSettings, readBatchSettings } from './batch-settings';
import { findConflicts } from './conflicting-settings';
import { type DataSettings, readDataSettings } from './data-settings';
import { type Environment, EnvReader } from './env-reader';
import { findMisspeltSettings, type MisspeltSetting } from './misspelt-settings';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Verification of the callers' JWTs, with a key set or a shared secret. */
export type JwtConfig = { readonly issuer: string | null; readonly audience: string | null } & (
  | { readonly jwksUrl: string; readonly secret: null }
  | { readonly jwksUrl: null; readonly secret: string }
);

/** Maximum sizes of a request and of its response. */
export interface Limits {
  readonly tokens: number;
  readonly depth: number;
  readonly nodes: number;
  readonly bytes: number;
  readonly aliases: number;
  readonly entities: number;
  /** Values of all the rows of one `unitEstimate`. */
  readonly estimateNodes: number;
  readonly bodyBytes: number;
  /** Concurrent GraphQL requests. Beyond this number, padron asks clients to retry later. */
  readonly requests: number;
}

/** The only documents that callers may run, and what happens to other operations. */
export interface TrustedDocumentsConfig {
  /** JSON files of documents, or folders of `.graphql` files. */
  readonly paths: readonly string[];
  readonly mode: 'enforce' | 'log';
}

/** The settings of the process. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Base URL of the registry service, or null to use the embedded sandbox. */
  readonly registryUrl: string | null;
  /** `embedded` if the sandbox may answer in production too. */
  readonly sandbox: 'embedded' | null;
  readonly registryToken: string | null;
  /** Verification of callers that spend `registryToken`. If null, anyone who can reach `host` can spend it. */
  readonly jwt: JwtConfig | null;
  readonly subgraphSecret: string | null;
  readonly corsOrigins: readonly string[];
  readonly registrySandbox: boolean;
  readonly registryTimeoutMs: number;
  readonly registryConcurrency: number;
  /** Milliseconds after which a request is answered with what has arrived, or null to wait for every answer. */
  readonly answerWithinMs: number | null;
  readonly replaySeconds: number;
  /** Redis server through which instances share answers. If null, each instance keeps its own answers. */
  readonly replayUrl: string | null;
  /** Secrets that derive the keys' names and encrypt the values in Redis, newest first. */
  readonly replayKeys: readonly string[];
  /** Maximum number of units of one request, or null for no limit. */
  readonly maxUnits: number | null;
  /** Price of one unit in pesos as decimal text, or null if padron reports no amounts. */
  readonly unitPrice: string | null;
  /** Tags that callers may send. If null, a tag may have three digits at most. */
  readonly tagPattern: RegExp | null;
  readonly checkDigits: 'refuse' | 'warn';
  /** Path of the population registry. If null, padron uses the path of the endpoint. */
  readonly identityPath: string | null;
  /** Path of the balance endpoint. If null, padron does not query the balance. */
  readonly balancePath: string | null;
  readonly linkOrigins: readonly string[];
  readonly schemaScopes: boolean;
  readonly sandboxAuthorities: readonly string[];
  readonly introspection: boolean;
  /** Documents that callers may run, or null if callers may run any operation. */
  readonly trustedDocuments: TrustedDocumentsConfig | null;
  /** Whether the explorer is served. If introspection is off, only authenticated callers may introspect. */
  readonly explorer: boolean;
  /** URL at which docs/ is published. If null, padron serves the error reference. */
  readonly docsUrl: string | null;
  readonly logLevel: LogLevel;
  readonly limits: Limits;
  readonly data: DataSettings;
  readonly batch: BatchSettings;
  /** Public URL of padron, used in links. If null, links use the address of the request. */
  readonly publicUrl: string | null;
}

/** All errors of the settings, so that the operator can fix them in one pass. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly errors: readonly string[]) {
    super(
      `padron cannot start with these settings. Fix these errors and start it again:\n${errors.map((error) => `  - ${error}`).join('\n')}`,
    );
  }
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** Returns the environment of the process. A `.env` file in the working directory supplies variables that are not set. */
export function processEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** Reads the settings, or throws a `ConfigError` that lists every error. */
export function readConfig(environment: Environment): Config {
  const read = new EnvReader(environment);
  const config = readSettings(read, environment.NODE_ENV === 'production');
  const errors = [...read.errors, ...findConflicts(config, environment)];
  if (errors.length === 0) return config;
  // A missing setting may be present under a misspelt name.
  const hints = findMisspeltSettings(environment, read.names).map(
    ({ name, nearest }) => `${name} is not a setting. Did you mean ${nearest}?`,
  );
  throw new ConfigError([...errors, ...hints]);
}

/** Returns the variables that have no effect but whose names resemble settings. */
export function misspeltSettings(environment: Environment): readonly MisspeltSetting[] {
  const read = new EnvReader({});
  readSettings(read, false);
  return findMisspeltSettings(environment, read.names);
}

function readSettings(read: EnvReader, production: boolean): Config {
  const registryUrl = read.url('REGISTRY_URL');
  const registryConcurrency = read.integer('REGISTRY_CONCURRENCY', 64, 1, 100_000);
  const introspection = read.boolean('INTROSPECTION', !production);
  return {
    port: read.integer('PORT', 4000, 0, 65_535),
    host: read.text('HOST') ?? '127.0.0.1',
    registryUrl,
    sandbox: read.text('SANDBOX') === null ? null : read.oneOf<'embedded'>('SANDBOX', ['embedded'], 'embedded'),
    registryToken: read.text('REGISTRY_TOKEN'),
    jwt: readJwt(read),
    subgraphSecret: read.secret('SUBGRAPH_SECRET', 16),
    corsOrigins: read.origins('CORS_ORIGINS'),
    registrySandbox: read.boolean('REGISTRY_SANDBOX', false),
    registryTimeoutMs: read.integer('REGISTRY_TIMEOUT_MS', 30_000, 100, 600_000),
    registryConcurrency,
    answerWithinMs: read.duration('ANSWER_WITHIN'),
    replaySeconds: read.integer('REPLAY_SECONDS', 30, 0, 3_600),
    replayUrl: read.redisUrl('REPLAY_URL'),
    replayKeys: read.secrets('REPLAY_KEY', 32),
    maxUnits: read.text('MAX_UNITS') === null ? null : read.integer('MAX_UNITS', 0, 0, 1_000_000_000),
    unitPrice: read.price('UNIT_PRICE'),
    tagPattern: read.tagPattern('TAG_PATTERN'),
    checkDigits: read.oneOf('CHECK_DIGITS', ['refuse', 'warn'], 'refuse'),
    identityPath: read.path('IDENTITY_PATH'),
    balancePath: read.path('BALANCE_PATH'),
    linkOrigins: read.secureOrigins('LINK_ORIGINS'),
    schemaScopes: read.boolean('SCHEMA_SCOPES', false),
    sandboxAuthorities: read.list('SANDBOX_AUTHORITIES'),
    introspection,
    explorer: read.boolean('EXPLORER', introspection),
    trustedDocuments: readTrustedDocuments(read),
    docsUrl: read.url('DOCS_URL'),
    logLevel: read.oneOf('LOG_LEVEL', logLevels, 'info'),
    limits: {
      tokens: read.integer('LIMIT_TOKENS', 15_000, 100, 1_000_000),
      depth: read.integer('LIMIT_DEPTH', 15, 3, 100),
      nodes: read.integer('LIMIT_NODES', 100_000, 100, 10_000_000),
      bytes: read.integer('LIMIT_ANSWER_BYTES', 10_000_000, 200_000, 1_000_000_000),
      aliases: read.integer('LIMIT_ALIASES', 5_000, 1, 1_000_000),
      entities: read.integer('LIMIT_ENTITIES', 10_000, 1, 1_000_000),
      estimateNodes: read.integer('LIMIT_ESTIMATE_NODES', 1_500_000, 100, 100_000_000),
      bodyBytes: read.integer('LIMIT_BODY_BYTES', 1_000_000, 10_000, 100_000_000),
      requests: read.integer('LIMIT_REQUESTS', 10_000, 1, 1_000_000),
    },
    data: readDataSettings(read, registryUrl),
    batch: readBatchSettings(read, registryConcurrency),
    publicUrl: read.url('PUBLIC_URL'),
  };
}

function readTrustedDocuments(read: EnvReader): TrustedDocumentsConfig | null {
  const paths = read.list('TRUSTED_DOCUMENTS');
  const mode = read.oneOf('TRUSTED_DOCUMENTS_MODE', ['enforce', 'log'], 'enforce');
  return paths.length === 0 ? null : { paths, mode };
}

function readJwt(read: EnvReader): JwtConfig | null {
  const claims = { issuer: read.text('JWT_ISSUER'), audience: read.text('JWT_AUDIENCE') };
  const jwksUrl = read.url('JWT_JWKS_URL');
  const secret = read.secret('JWT_SECRET', 32);
  if (jwksUrl !== null) return { ...claims, jwksUrl, secret: null };
  return secret === null ? null : { ...claims, jwksUrl: null, secret };
}
