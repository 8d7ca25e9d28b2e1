import { z } from 'zod';
import {
  anyOrigins,
  boolean,
  databaseUrl,
  duration,
  integer,
  oneOf,
  optionalInteger,
  path,
  price,
  removed,
  secret,
  secrets,
  secureOrigins,
  tagPattern,
  text,
  texts,
  timeZone,
  url,
  webhook,
} from './setting-values';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every setting by its name in the environment. Errors are reported in this order. */
export const schema = z.object({
  PORT: integer(4000, 0, 65_535),
  HOST: z.string().default('127.0.0.1'),
  REGISTRY_URL: url,
  SANDBOX: oneOf('embedded').nullable().default(null),
  REGISTRY_TOKEN: text,
  JWT_ISSUER: text,
  JWT_AUDIENCE: text,
  JWT_JWKS_URL: url,
  JWT_SECRET: secret(32),
  SUBGRAPH_SECRET: secret(16),
  CORS_ORIGINS: anyOrigins,
  REGISTRY_SANDBOX: boolean.default(false),
  REGISTRY_TIMEOUT_MS: integer(30_000, 100, 600_000),
  REGISTRY_CONCURRENCY: integer(64, 1, 100_000),
  ANSWER_WITHIN: duration,
  REPLAY_SECONDS: integer(30, 0, 3_600),
  REPLAY_URL: removed,
  REPLAY_KEY: removed,
  MAX_UNITS: optionalInteger(0, 1_000_000_000),
  UNIT_PRICE: price,
  TAG_PATTERN: tagPattern,
  CHECK_DIGITS: oneOf('refuse', 'warn').default('refuse'),
  IDENTITY_PATH: path,
  BALANCE_PATH: path,
  LINK_ORIGINS: secureOrigins,
  SCHEMA_SCOPES: boolean.default(false),
  SANDBOX_AUTHORITIES: texts,
  INTROSPECTION: boolean.optional(),
  EXPLORER: boolean.optional(),
  TRUSTED_DOCUMENTS: texts,
  TRUSTED_DOCUMENTS_MODE: oneOf('enforce', 'log').default('enforce'),
  DOCS_URL: url,
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent').default('info'),
  LIMIT_TOKENS: integer(15_000, 100, 1_000_000),
  LIMIT_DEPTH: integer(15, 3, 100),
  LIMIT_NODES: integer(100_000, 100, 10_000_000),
  LIMIT_ANSWER_BYTES: integer(10_000_000, 200_000, 1_000_000_000),
  LIMIT_ALIASES: integer(5_000, 1, 1_000_000),
  LIMIT_ENTITIES: integer(10_000, 1, 1_000_000),
  LIMIT_ESTIMATE_NODES: integer(1_500_000, 100, 100_000_000),
  LIMIT_BODY_BYTES: integer(1_000_000, 10_000, 100_000_000),
  LIMIT_REQUESTS: integer(10_000, 1, 1_000_000),
  DATABASE_URL: databaseUrl,
  DATA_DIR: text,
  LEDGER: oneOf('on', 'off', 'required').optional(),
  DATA_KEYS: secrets(32),
  LEDGER_MONTHS: integer(60, 1, 1_200),
  SUBJECT_MONTHS: integer(24, 1, 1_200),
  TIME_ZONE: timeZone('America/Mexico_City'),
  ALERT_URL: webhook,
  BATCH_MAX_ROWS: integer(100_000, 1, 1_000_000),
  BATCH_CONCURRENCY: optionalInteger(1, 100_000),
  BATCH_RETENTION_DAYS: integer(7, 1, 365),
  BATCH_ACCOUNT_BATCHES: integer(1_000, 1, 1_000_000),
  BATCH_ACCOUNT_ROWS: integer(1_000_000, 1, 1_000_000_000),
  BATCH_ACCOUNT_BYTES: integer(1_000_000_000, 1, 1_000_000_000_000),
  BATCH_TOTAL_BATCHES: integer(10_000, 1, 1_000_000),
  BATCH_TOTAL_ROWS: integer(5_000_000, 1, 1_000_000_000),
  BATCH_TOTAL_BYTES: integer(5_000_000_000, 1, 1_000_000_000_000),
  BATCH_ENDPOINTS: oneOf('allowed', 'any').default('allowed'),
  BATCH_TOKENS: oneOf('memory', 'sealed').default('memory'),
  ROLE: oneOf('all', 'graph', 'worker').default('all'),
  PUBLIC_URL: url,
});

type Values = z.infer<typeof schema>;

export const settingNames: readonly string[] = Object.keys(schema.shape);

export type Config = ReturnType<typeof toConfig>;

export function toConfig(values: Values, isProduction: boolean) {
  const introspection = values.INTROSPECTION ?? !isProduction;
  const paths = values.TRUSTED_DOCUMENTS;
  return {
    port: values.PORT,
    host: values.HOST,
    /** Base URL of the registry service, or null to use the embedded sandbox. */
    registryUrl: values.REGISTRY_URL,
    /** `embedded` if the sandbox may answer in production too. */
    sandbox: values.SANDBOX,
    registryToken: values.REGISTRY_TOKEN,
    /** Verification of callers that spend `registryToken`. If null, anyone who can reach `host` can spend it. */
    jwt: toJwt(values),
    subgraphSecret: values.SUBGRAPH_SECRET,
    corsOrigins: values.CORS_ORIGINS,
    registrySandbox: values.REGISTRY_SANDBOX,
    registryTimeoutMs: values.REGISTRY_TIMEOUT_MS,
    registryConcurrency: values.REGISTRY_CONCURRENCY,
    /** Milliseconds after which a request is answered with what has arrived, or null to wait for every answer. */
    answerWithinMs: values.ANSWER_WITHIN,
    replaySeconds: values.REPLAY_SECONDS,
    maxUnits: values.MAX_UNITS,
    /** Price of one unit in pesos as decimal text. */
    unitPrice: values.UNIT_PRICE,
    /** Tags that callers may send. If null, a tag may have three digits at most. */
    tagPattern: values.TAG_PATTERN,
    checkDigits: values.CHECK_DIGITS,
    identityPath: values.IDENTITY_PATH,
    balancePath: values.BALANCE_PATH,
    linkOrigins: values.LINK_ORIGINS,
    schemaScopes: values.SCHEMA_SCOPES,
    sandboxAuthorities: values.SANDBOX_AUTHORITIES,
    introspection,
    /** Whether the explorer is served. If introspection is off, only authenticated callers may introspect. */
    explorer: values.EXPLORER ?? introspection,
    /** JSON files of documents, or folders of `.graphql` files. */
    trustedDocuments: paths.length === 0 ? null : { paths, mode: values.TRUSTED_DOCUMENTS_MODE },
    /** URL at which docs/ is published. If null, padron serves the error reference. */
    docsUrl: values.DOCS_URL,
    logLevel: values.LOG_LEVEL,
    limits: {
      tokens: values.LIMIT_TOKENS,
      depth: values.LIMIT_DEPTH,
      nodes: values.LIMIT_NODES,
      bytes: values.LIMIT_ANSWER_BYTES,
      aliases: values.LIMIT_ALIASES,
      entities: values.LIMIT_ENTITIES,
      /** Values of all the rows of one `unitEstimate`. */
      estimateNodes: values.LIMIT_ESTIMATE_NODES,
      bodyBytes: values.LIMIT_BODY_BYTES,
      /** Concurrent GraphQL requests. Beyond this number, padron asks clients to retry later. */
      requests: values.LIMIT_REQUESTS,
    },
    data: toData(values),
    batch: {
      maxRows: values.BATCH_MAX_ROWS,
      /** Concurrent calls of one batch in this process. */
      concurrency: values.BATCH_CONCURRENCY ?? values.REGISTRY_CONCURRENCY,
      retentionDays: values.BATCH_RETENTION_DAYS,
      /** Quota of one account, or of one client with a JWT. Stored answers do not count in `bytes`. */
      account: {
        batches: values.BATCH_ACCOUNT_BATCHES,
        rows: values.BATCH_ACCOUNT_ROWS,
        bytes: values.BATCH_ACCOUNT_BYTES,
      },
      total: { batches: values.BATCH_TOTAL_BATCHES, rows: values.BATCH_TOTAL_ROWS, bytes: values.BATCH_TOTAL_BYTES },
      /** `any` includes the endpoints that the service's interface excludes from batches. */
      endpoints: values.BATCH_ENDPOINTS,
      /** Storage of the callers' tokens while their batches run. */
      tokens: values.BATCH_TOKENS,
      /** Tasks of this process: serving the graph, running batches, or both. */
      role: values.ROLE,
    },
    /** Public URL of padron, used in links. If null, links use the address of the request. */
    publicUrl: values.PUBLIC_URL,
  };
}

function toJwt({ JWT_ISSUER: issuer, JWT_AUDIENCE: audience, JWT_JWKS_URL: jwksUrl, JWT_SECRET: secret }: Values) {
  if (jwksUrl !== null) return { issuer, audience, jwksUrl, secret: null };
  return secret === null ? null : { issuer, audience, jwksUrl: null, secret };
}

const defaultFolder = '.padron';

function toData(values: Values) {
  const store = locateStore(values);
  return {
    store,
    /** Data folder of this process. It holds the journal and, if the store is embedded, the store. */
    folder: values.DATA_DIR ?? defaultFolder,
    /** Secrets that the encryption keys are derived from, newest first. */
    keys: values.DATA_KEYS,
    /** With `required`, no call is sent unless it can be recorded first. */
    ledger: values.LEDGER ?? (store === null ? 'off' : 'on'),
    ledgerMonths: values.LEDGER_MONTHS,
    /** Months that the link between an entry and the person it is about is kept. */
    subjectMonths: values.SUBJECT_MONTHS,
    timeZone: values.TIME_ZONE,
    /** Webhook that receives budget alerts. */
    alertUrl: values.ALERT_URL,
  };
}

/** With the embedded sandbox the default is a ledger in memory. With a real service padron keeps no data unless a setting asks for it. */
function locateStore(values: Values) {
  if (values.DATABASE_URL !== null) return { kind: 'postgres', url: values.DATABASE_URL } as const;
  if (values.DATA_DIR !== null) return { kind: 'folder', path: values.DATA_DIR } as const;
  if (values.REGISTRY_URL === null) return { kind: 'memory' } as const;
  const isWanted = values.LEDGER === 'on' || values.LEDGER === 'required';
  return isWanted ? ({ kind: 'folder', path: defaultFolder } as const) : null;
}
