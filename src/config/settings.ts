import { z } from 'zod';
import * as kinds from './setting-values';

export type Environment = Readonly<Record<string, string | undefined>>;

class Setting<Value> {
  constructor(
    readonly name: string,
    readonly kind: z.ZodType<Value>,
  ) {}
}

const sharedAnswers = 'processes share answers through DATABASE_URL. Remove it, and set DATABASE_URL in each process';
const storedTokens =
  "the token of a batch's caller is now always stored, encrypted, until its batch ends, so that any process can run the batch. Remove it";
const webhooks =
  'its key was derived from DATA_KEYS. Remove it, and set WEBHOOK_URL and WEBHOOK_SECRET to receive budgets and other events in the form of Standard Webhooks';

/** Every setting by its place in the configuration. Errors are reported in this order. */
const settings = {
  port: new Setting('PORT', kinds.integer(4000, 0, 65_535)),
  host: new Setting('HOST', z.string().default('127.0.0.1')),
  /** Base URL of the registry service, or null to use the embedded sandbox. */
  registryUrl: new Setting('REGISTRY_URL', kinds.url),
  /** `embedded` if the sandbox may answer in production too. */
  sandbox: new Setting('SANDBOX', kinds.oneOf('embedded').nullable().default(null)),
  registryToken: new Setting('REGISTRY_TOKEN', kinds.text),
  /** Verification of callers that spend `registryToken`. If null, anyone who can reach `host` can spend it. */
  jwt: {
    issuer: new Setting('JWT_ISSUER', kinds.text),
    audience: new Setting('JWT_AUDIENCE', kinds.text),
    jwksUrl: new Setting('JWT_JWKS_URL', kinds.url),
    secret: new Setting('JWT_SECRET', kinds.secret(32)),
  },
  subgraphSecret: new Setting('SUBGRAPH_SECRET', kinds.secret(16)),
  corsOrigins: new Setting('CORS_ORIGINS', kinds.anyOrigins),
  registrySandbox: new Setting('REGISTRY_SANDBOX', kinds.boolean.default(false)),
  registryTimeoutMs: new Setting('REGISTRY_TIMEOUT_MS', kinds.integer(30_000, 100, 300_000)),
  registryConcurrency: new Setting('REGISTRY_CONCURRENCY', kinds.integer(64, 1, 100_000)),
  /** Milliseconds after which a request is answered with what has arrived, or null to wait for every answer. */
  answerWithinMs: new Setting('ANSWER_WITHIN', kinds.duration),
  replaySeconds: new Setting('REPLAY_SECONDS', kinds.integer(30, 0, 3_600)),
  removed: {
    replayUrl: new Setting('REPLAY_URL', kinds.removed(sharedAnswers)),
    replayKey: new Setting('REPLAY_KEY', kinds.removed(sharedAnswers)),
    alertUrl: new Setting('ALERT_URL', kinds.removed(webhooks)),
    retentionDays: new Setting('BATCH_RETENTION_DAYS', kinds.removed('KEEP_DAYS replaces it. Rename it')),
    /** Ignored, like LEDGER, if it asks for what padron does anyway. */
    batchTokens: new Setting('BATCH_TOKENS', kinds.removed(storedTokens, 'sealed')),
    ledger: new Setting('LEDGER', kinds.oneOf('on', 'off', 'required').optional()),
  },
  maxUnits: new Setting('MAX_UNITS', kinds.optionalInteger(0, 1_000_000_000)),
  /** Price of one unit in pesos as decimal text. */
  unitPrice: new Setting('UNIT_PRICE', kinds.price),
  /** Tags that callers may send. If null, a tag may have three digits at most. */
  tagPattern: new Setting('TAG_PATTERN', kinds.tagPattern),
  purpose: {
    allowed: new Setting('PURPOSES', kinds.names),
    /** With `required`, a paid operation without a purpose is refused. */
    rule: new Setting('PURPOSE', kinds.oneOf('required').nullable().default(null)),
  },
  checkDigits: new Setting('CHECK_DIGITS', kinds.oneOf('refuse', 'warn').default('refuse')),
  identityPath: new Setting('IDENTITY_PATH', kinds.path),
  balancePath: new Setting('BALANCE_PATH', kinds.path),
  linkOrigins: new Setting('LINK_ORIGINS', kinds.secureOrigins),
  schemaScopes: new Setting('SCHEMA_SCOPES', kinds.boolean.default(false)),
  sandboxAuthorities: new Setting('SANDBOX_AUTHORITIES', kinds.texts),
  introspection: new Setting('INTROSPECTION', kinds.boolean.optional()),
  explorer: new Setting('EXPLORER', kinds.boolean.optional()),
  trustedDocuments: {
    /** JSON files of documents, or folders of `.graphql` files. */
    paths: new Setting('TRUSTED_DOCUMENTS', kinds.texts),
    mode: new Setting('TRUSTED_DOCUMENTS_MODE', kinds.oneOf('enforce', 'log').default('enforce')),
  },
  mcp: {
    /** Whether agents can call the trusted documents as tools at `/mcp`. */
    enabled: new Setting('MCP', kinds.boolean.default(false)),
    /** Maximum units of a call, unless the person agrees to its price. Null for no limit. */
    maxUnits: new Setting('MCP_MAX_UNITS', kinds.optionalInteger(0, 999_999_999)),
  },
  /** URL at which docs/ is published. If null, padron serves the error reference. */
  docsUrl: new Setting('DOCS_URL', kinds.url),
  logLevel: new Setting('LOG_LEVEL', kinds.oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent').default('info')),
  limits: {
    tokens: new Setting('LIMIT_TOKENS', kinds.integer(15_000, 100, 1_000_000)),
    depth: new Setting('LIMIT_DEPTH', kinds.integer(15, 3, 100)),
    nodes: new Setting('LIMIT_NODES', kinds.integer(100_000, 100, 10_000_000)),
    bytes: new Setting('LIMIT_ANSWER_BYTES', kinds.integer(10_000_000, 200_000, 1_000_000_000)),
    aliases: new Setting('LIMIT_ALIASES', kinds.integer(5_000, 1, 1_000_000)),
    entities: new Setting('LIMIT_ENTITIES', kinds.integer(10_000, 1, 1_000_000)),
    /** Values of all the rows of one `unitEstimate`. */
    estimateNodes: new Setting('LIMIT_ESTIMATE_NODES', kinds.integer(1_500_000, 100, 100_000_000)),
    bodyBytes: new Setting('LIMIT_BODY_BYTES', kinds.integer(1_000_000, 10_000, 100_000_000)),
    /** Concurrent GraphQL requests. Beyond this number, padron asks clients to retry later. */
    requests: new Setting('LIMIT_REQUESTS', kinds.integer(10_000, 1, 1_000_000)),
  },
  data: {
    databaseUrl: new Setting('DATABASE_URL', kinds.databaseUrl),
    /** Folder of the embedded store. Ignored with `DATABASE_URL`. */
    folder: new Setting('DATA_DIR', kinds.text),
    /** Secrets that the encryption keys are derived from, newest first. */
    keys: new Setting('DATA_KEYS', kinds.secrets(32)),
    ledgerMonths: new Setting('LEDGER_MONTHS', kinds.integer(60, 1, 1_200)),
    /** Months that the link between an entry and the person it is about is kept. */
    subjectMonths: new Setting('SUBJECT_MONTHS', kinds.integer(24, 1, 1_200)),
    timeZone: new Setting('TIME_ZONE', kinds.timeZone('America/Mexico_City')),
    webhookUrl: new Setting('WEBHOOK_URL', kinds.webhook),
    webhookSecrets: new Setting('WEBHOOK_SECRET', kinds.webhookSecrets),
  },
  /** Days that a batch is kept after its end, and at most that an operation lasts. */
  keepDays: new Setting('KEEP_DAYS', kinds.integer(7, 1, 365)),
  /** Quota of one account: bytes of the answers that its operations and batches keep. */
  keepAccountBytes: new Setting('KEEP_ACCOUNT_BYTES', kinds.integer(1_000_000_000, 1, 1_000_000_000_000)),
  batch: {
    maxRows: new Setting('BATCH_MAX_ROWS', kinds.integer(100_000, 1, 1_000_000)),
    /** Concurrent calls of one batch in this process. */
    concurrency: new Setting('BATCH_CONCURRENCY', kinds.optionalInteger(1, 100_000)),
    /** Quota of one account, or of one client with a JWT. Stored answers do not count in `bytes`. */
    account: {
      batches: new Setting('BATCH_ACCOUNT_BATCHES', kinds.integer(1_000, 1, 1_000_000)),
      rows: new Setting('BATCH_ACCOUNT_ROWS', kinds.integer(1_000_000, 1, 1_000_000_000)),
      bytes: new Setting('BATCH_ACCOUNT_BYTES', kinds.integer(1_000_000_000, 1, 1_000_000_000_000)),
    },
    total: {
      batches: new Setting('BATCH_TOTAL_BATCHES', kinds.integer(10_000, 1, 1_000_000)),
      rows: new Setting('BATCH_TOTAL_ROWS', kinds.integer(5_000_000, 1, 1_000_000_000)),
      bytes: new Setting('BATCH_TOTAL_BYTES', kinds.integer(5_000_000_000, 1, 1_000_000_000_000)),
    },
    /** `any` includes the endpoints that the service's interface excludes from batches. */
    endpoints: new Setting('BATCH_ENDPOINTS', kinds.oneOf('allowed', 'any').default('allowed')),
    /** Tasks of this process: serving the graph, running batches, or both. */
    role: new Setting('ROLE', kinds.oneOf('all', 'graph', 'worker').default('all')),
  },
  /** Public URL of padron, used in links. If null, links use the address of the request. */
  publicUrl: new Setting('PUBLIC_URL', kinds.url),
};

type Values<Group> = {
  readonly [Key in keyof Group]: Group[Key] extends Setting<infer Value> ? Value : Values<Group[Key]>;
};

type SettingValues = Values<typeof settings>;

export const settingNames: readonly string[] = namesIn(settings);

function namesIn(group: object): readonly string[] {
  return Object.values(group).flatMap((member) => (member instanceof Setting ? member.name : namesIn(member)));
}

/** Returns the values of the settings, and their errors. An invalid setting gets its default, and an empty variable counts as unset. */
export function readSettings(environment: Environment): { readonly values: SettingValues; readonly errors: string[] } {
  const errors: string[] = [];
  const readGroup = (group: object): object => {
    const members = Object.entries(group).map(([key, member]) => {
      if (!(member instanceof Setting)) return [key, readGroup(member)];
      const { data, error } = member.kind.safeParse(environment[member.name]?.trim() || undefined);
      if (error === undefined) return [key, data];
      errors.push(`${member.name} ${error.issues[0]?.message}.`);
      return [key, member.kind.parse(undefined)];
    });
    return Object.fromEntries(members);
  };
  return { values: readGroup(settings) as SettingValues, errors };
}

export type Config = ReturnType<typeof toConfig>;

export function toConfig({ removed: _removed, ...values }: SettingValues, isProduction: boolean) {
  const introspection = values.introspection ?? !isProduction;
  const { trustedDocuments, batch } = values;
  return {
    ...values,
    introspection,
    /** Whether the explorer is served. If introspection is off, only authenticated callers may introspect. */
    explorer: values.explorer ?? introspection,
    jwt: toJwt(values.jwt),
    trustedDocuments: trustedDocuments.paths.length === 0 ? null : trustedDocuments,
    batch: { ...batch, concurrency: batch.concurrency ?? values.registryConcurrency },
    data: toData(values),
  };
}

function toJwt({ issuer, audience, jwksUrl, secret }: SettingValues['jwt']) {
  if (jwksUrl !== null) return { issuer, audience, jwksUrl, secret: null };
  return secret === null ? null : { issuer, audience, jwksUrl: null, secret };
}

function toData(values: Pick<SettingValues, 'data' | 'registryUrl'>) {
  const { databaseUrl: _url, folder: _folder, webhookUrl, webhookSecrets: secrets, ...data } = values.data;
  /** The receiver of events, or null if events are only logged. */
  const webhook = webhookUrl === null ? null : { url: webhookUrl, secrets };
  return { ...data, store: locateStore(values), webhook };
}

/** With the embedded sandbox the default is a store in memory. With a real service padron keeps no data unless a setting asks for it. */
function locateStore({ data: { databaseUrl, folder }, registryUrl }: Pick<SettingValues, 'data' | 'registryUrl'>) {
  if (databaseUrl !== null) return { kind: 'postgres', url: databaseUrl } as const;
  if (folder !== null) return { kind: 'folder', path: folder } as const;
  return registryUrl === null ? ({ kind: 'memory' } as const) : null;
}
