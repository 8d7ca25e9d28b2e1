import { z } from 'zod';
import * as kinds from './setting-values';

export type Environment = Readonly<Record<string, string | undefined>>;

/** One variable of the environment. */
export class Setting<Value> {
  constructor(
    readonly name: string,
    readonly kind: z.ZodType<Value>,
    /** Whether it may be in a file (`secret-files.ts`). */
    readonly isSecret = false,
  ) {}

  /** Names of the variable, the preferred name first. Programs prefer the lower-case name of a proxy. */
  get names(): readonly string[] {
    return this.name.endsWith('_PROXY') ? [this.name.toLowerCase(), this.name] : [this.name];
  }
}

/** A setting that has a secret, whole or in a part. */
export const secretSetting = <Value>(name: string, kind: z.ZodType<Value>): Setting<Value> =>
  new Setting(name, kind, true);

/** Every setting by its place in the configuration. Errors are reported in this order. */
const settings = {
  port: new Setting('PORT', kinds.integer(4000, 0, 65_535)),
  host: new Setting('HOST', z.string().default('127.0.0.1')),
  /** Base URL of the registry service, or null to use the service that an extension embeds. */
  registryUrl: new Setting('REGISTRY_URL', kinds.url),
  registryToken: secretSetting('REGISTRY_TOKEN', kinds.text),
  /** Verification of callers that spend `registryToken`. If null, anyone who can reach `host` can spend it. */
  jwt: {
    issuer: new Setting('JWT_ISSUER', kinds.text),
    audience: new Setting('JWT_AUDIENCE', kinds.text),
    jwksUrl: new Setting('JWT_JWKS_URL', kinds.url),
    secret: secretSetting('JWT_SECRET', kinds.secret(32)),
  },
  /** Proxies of connections that leave this machine. */
  proxies: {
    https: secretSetting('HTTPS_PROXY', kinds.proxy),
    http: secretSetting('HTTP_PROXY', kinds.proxy),
    exceptions: new Setting('NO_PROXY', kinds.texts),
  },
  subgraphSecret: secretSetting('SUBGRAPH_SECRET', kinds.secret(16)),
  corsOrigins: new Setting('CORS_ORIGINS', kinds.anyOrigins),
  registrySandbox: new Setting('REGISTRY_SANDBOX', kinds.boolean.default(false)),
  registryTimeoutMs: new Setting('REGISTRY_TIMEOUT_MS', kinds.integer(30_000, 100, 300_000)),
  registryConcurrency: new Setting('REGISTRY_CONCURRENCY', kinds.integer(64, 1, 100_000)),
  /** Milliseconds after which a request is answered with what has arrived, or null to wait for every answer. */
  answerWithinMs: new Setting('ANSWER_WITHIN', kinds.duration),
  replaySeconds: new Setting('REPLAY_SECONDS', kinds.integer(30, 0, 3_600)),
  maxUnits: new Setting('MAX_UNITS', kinds.optionalInteger(0, 1_000_000_000)),
  /** File of the provider's price list. If null, the terms of this version of padron apply, or the list of the store. */
  priceList: new Setting('PRICE_LIST', kinds.text),
  /** Price of one unit in pesos as decimal text. */
  unitPrice: new Setting('UNIT_PRICE', kinds.price),
  /** Tags that callers may send. If null, a tag may have three digits at most. */
  tagPattern: new Setting('TAG_PATTERN', kinds.tagPattern),
  purpose: {
    allowed: new Setting('PURPOSES', kinds.purposes),
    /** With `required`, a paid operation without a purpose is refused. */
    rule: new Setting('PURPOSE', kinds.oneOf('required').nullable().default(null)),
  },
  checkDigits: new Setting('CHECK_DIGITS', kinds.oneOf('refuse', 'warn').default('refuse')),
  identityPath: new Setting('IDENTITY_PATH', kinds.path),
  balancePath: new Setting('BALANCE_PATH', kinds.path),
  linkOrigins: new Setting('LINK_ORIGINS', kinds.secureOrigins),
  schemaScopes: new Setting('SCHEMA_SCOPES', kinds.boolean.default(false)),
  introspection: new Setting('INTROSPECTION', kinds.boolean.optional()),
  trustedDocuments: {
    /** JSON files of documents, or folders of `.graphql` files. */
    paths: new Setting('TRUSTED_DOCUMENTS', kinds.texts),
    mode: new Setting('TRUSTED_DOCUMENTS_MODE', kinds.oneOf('enforce', 'log').default('enforce')),
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
    databaseUrl: secretSetting('DATABASE_URL', kinds.databaseUrl),
    /** Folder of the embedded store. Ignored with `DATABASE_URL`. */
    folder: new Setting('DATA_DIR', kinds.text),
    /** Secrets that the encryption keys are derived from, newest first. */
    keys: secretSetting('DATA_KEYS', kinds.secrets(32)),
    /** With `command`, only `padron migrate` changes the tables of PostgreSQL, and a process that needs it waits. */
    migrate: new Setting('MIGRATE', kinds.oneOf('start', 'command').default('start')),
    ledgerMonths: new Setting('LEDGER_MONTHS', kinds.integer(60, 1, 1_200)),
    /** Months that the link between an entry and the person it is about is kept. */
    subjectMonths: new Setting('SUBJECT_MONTHS', kinds.integer(24, 1, 1_200)),
    /** Newest day of a ledger of which the purge may leave nothing. The embedded store has no second clock that would show that its own is wrong. */
    confirmedDay: new Setting('PURGE_CONFIRMED', kinds.day),
    timeZone: new Setting('TIME_ZONE', kinds.timeZone('America/Mexico_City')),
    webhookUrl: secretSetting('WEBHOOK_URL', kinds.webhook),
    webhookSecrets: secretSetting('WEBHOOK_SECRET', kinds.webhookSecrets),
  },
  /** Days that a batch is kept after its end, and at most that an operation lasts. */
  keepDays: new Setting('KEEP_DAYS', kinds.integer(7, 1, 365)),
  /** Maximum days that an answer is used again for requests that say how old it may be. 0 turns this off. */
  reuseDays: new Setting('REUSE_DAYS', kinds.integer(0, 0, 365)),
  /** Quota of one account: bytes of the answers that its operations and batches keep. */
  keepAccountBytes: new Setting('KEEP_ACCOUNT_BYTES', kinds.integer(1_000_000_000, 1, 1_000_000_000_000)),
  /** Public URL of padron, used in links. If null, links use the address of the request. */
  publicUrl: new Setting('PUBLIC_URL', kinds.url),
};

export type SettingGroup = { readonly [key: string]: Setting<unknown> | SettingGroup };

export type Values<Group> = {
  readonly [Key in keyof Group]: Group[Key] extends Setting<infer Value> ? Value : Values<Group[Key]>;
};

/** A rule about several settings: whether it is broken, and what to do then. */
export type Rule = readonly [isBroken: boolean, message: string];
export type IsSet = (name: string) => boolean;

/** The settings of an extension. Their values are in `config.extensions`, under its name. */
export interface SettingsPart<Group extends SettingGroup = SettingGroup> {
  readonly name: string;
  readonly settings?: Group;
  /** Returns the conflicts of its settings with others. */
  conflicts?(config: Config, environment: Environment, isSet: IsSet): readonly Rule[];
  /** Whether authenticated callers may read the schema, even if `INTROSPECTION` is off. */
  readsSchema?(config: Config): boolean;
}

/** Returns the values of an extension's settings. */
export const settingsOf = <Group extends SettingGroup>(
  { extensions }: Pick<Config, 'extensions'>,
  { name }: { readonly name: string; readonly settings: Group },
): Values<Group> => extensions[name] as Values<Group>;

type SettingValues = Values<typeof settings>;

const settingsIn = (group: object): readonly Setting<unknown>[] =>
  Object.values(group).flatMap((member) => (member instanceof Setting ? member : settingsIn(member)));

const allSettings = (parts: readonly SettingsPart[]): readonly Setting<unknown>[] =>
  settingsIn([settings, ...parts.map((part) => part.settings ?? {})]);

export const settingNames = (parts: readonly SettingsPart[]): readonly string[] =>
  allSettings(parts).flatMap(({ names }) => names);

export const secretNames = (parts: readonly SettingsPart[]): readonly string[] =>
  allSettings(parts).flatMap(({ name, isSecret }) => (isSecret ? name : []));

interface ReadSettings {
  readonly values: SettingValues;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly errors: readonly string[];
}

/** Returns the values of the settings, and their errors. An invalid setting gets its default, and an empty variable counts as unset. */
export function readSettings(environment: Environment, parts: readonly SettingsPart[]): ReadSettings {
  const errors: string[] = [];
  const readGroup = (group: object): object => {
    const members = Object.entries(group).map(([key, member]) => {
      if (!(member instanceof Setting)) return [key, readGroup(member)];
      const text = member.names.map((name) => environment[name]?.trim()).find(Boolean);
      const { data, error } = member.kind.safeParse(text);
      if (error === undefined) return [key, data];
      errors.push(`${member.name} ${error.issues[0]?.message}.`);
      return [key, member.kind.parse(undefined)];
    });
    return Object.fromEntries(members);
  };
  const values = readGroup(settings) as SettingValues;
  const extensions = Object.fromEntries(parts.map((part) => [part.name, readGroup(part.settings ?? {})]));
  return { values, extensions, errors };
}

export type Config = ReturnType<typeof toConfig>;

export function toConfig({ values, extensions }: Omit<ReadSettings, 'errors'>, isProduction: boolean) {
  const { trustedDocuments } = values;
  return {
    ...values,
    introspection: values.introspection ?? !isProduction,
    /** Whether authenticated callers may read the schema, even if `introspection` is off. */
    callersReadSchema: false,
    jwt: toJwt(values),
    purpose: toPurposes(values.purpose),
    trustedDocuments: trustedDocuments.paths.length === 0 ? null : trustedDocuments,
    data: toData(values),
    /** Values of the settings of each extension, by its name. */
    extensions,
  };
}

function toJwt({ jwt: { issuer, audience, jwksUrl, secret }, proxies }: Pick<SettingValues, 'jwt' | 'proxies'>) {
  if (jwksUrl !== null) return { issuer, audience, jwksUrl, secret: null, proxies };
  return secret === null ? null : { issuer, audience, jwksUrl: null, secret, proxies };
}

function toPurposes({ allowed, rule }: SettingValues['purpose']) {
  /** Months that the proofs of a purpose are kept, also despite an erasure. */
  const months = new Map(allowed.flatMap(([name, count]) => (count === null ? [] : [[name, count]])));
  return { allowed: allowed.map(([name]) => name), months, rule };
}

function toData(values: Pick<SettingValues, 'data' | 'proxies' | 'registryUrl'>) {
  const { databaseUrl: _url, folder: _folder, webhookUrl, webhookSecrets: secrets, ...data } = values.data;
  /** The receiver of events, or null if events are only logged. */
  const webhook = webhookUrl === null ? null : { url: webhookUrl, secrets, proxies: values.proxies };
  return { ...data, store: locateStore(values), webhook };
}

/** With an embedded service the default is a store in memory. With a real service padron keeps no data unless a setting asks for it. */
function locateStore({ data: { databaseUrl, folder }, registryUrl }: Pick<SettingValues, 'data' | 'registryUrl'>) {
  if (databaseUrl !== null) return { kind: 'postgres', url: databaseUrl } as const;
  if (folder !== null) return { kind: 'folder', path: folder } as const;
  return registryUrl === null ? ({ kind: 'memory' } as const) : null;
}
