import { ConfigError } from '../../../src/config/config';
import { ed25519Key } from '../keys/identity-provider';
import { readConfig } from './whole-padron';

export const LONG_SECRET = '0123456789abcdef'.repeat(2);

export const KEY_SET = {
  JWT_JWKS_URL: 'https://id.example/keys',
  JWT_ISSUER: 'https://id.example',
  JWT_AUDIENCE: 'padron',
} as const;

const webhookSecrets = [Buffer.alloc(24, 1), Buffer.alloc(64, 2)].map((bytes) => `whsec_${bytes.toString('base64')}`);

/** Names of padron's own extensions. Tests that list what they have leave out others. */
export const ownExtensions = ['batch', 'explorer', 'agents', 'proof', 'sandbox', 'endpoints'];

/** Every setting by its name in the environment: some value of it, and what the process then knows. */
type Setting = readonly [name: string, value: string, known: object, others?: Readonly<Record<string, string>>];

export const settings: readonly Setting[] = [
  ['PORT', '0', { port: 0 }],
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['REGISTRY_URL', 'https://registry.example/v3', { registryUrl: 'https://registry.example/v3' }],
  ['SANDBOX', 'embedded', { extensions: { sandbox: { mode: 'embedded' } } }],
  ['REGISTRY_TOKEN', 'a-token', { registryToken: 'a-token' }],
  ['REGISTRY_SANDBOX', 'true', { registrySandbox: true }],
  ['REGISTRY_TIMEOUT_MS', '100', { registryTimeoutMs: 100 }],
  ['REGISTRY_CONCURRENCY', '1', { registryConcurrency: 1 }],
  ['ANSWER_WITHIN', '1.5s', { answerWithinMs: 1_500 }],
  ['REPLAY_SECONDS', '0', { replaySeconds: 0 }],
  ['KEEP_DAYS', '30', { keepDays: 30 }],
  ['REUSE_DAYS', '30', { reuseDays: 30 }],
  ['MAX_UNITS', '0', { maxUnits: 0 }],
  ['PRICE_LIST', 'prices.json', { priceList: 'prices.json' }],
  ['UNIT_PRICE', '1.20', { unitPrice: '1.20' }],
  ['TAG_PATTERN', 'CC-\\d{5}', { tagPattern: expect.objectContaining({ source: '^(?:CC-\\d{5})$' }) }],
  [
    'PURPOSES',
    'hiring, Proveeduría : 1200',
    { purpose: { allowed: ['hiring', 'Proveeduría'], months: new Map([['Proveeduría', 1_200]]), rule: null } },
  ],
  ['PURPOSE', 'required', { purpose: { allowed: ['hiring'], rule: 'required' } }, { PURPOSES: 'hiring' }],
  ['CHECK_DIGITS', 'warn', { checkDigits: 'warn' }],
  ['EXTENSIONS', './a.mjs, pkg', { extensions: { endpoints: { files: ['./a.mjs', 'pkg'] } } }],
  ['NSS_FINDER', 'findNss', { extensions: { endpoints: { nssFinder: 'findNss' } } }, { EXTENSIONS: './a.mjs' }],
  ['IDENTITY_PATH', '/api/curp', { identityPath: '/api/curp' }],
  ['BALANCE_PATH', '/api/balance', { balancePath: '/api/balance' }],
  [
    'LINK_ORIGINS',
    'https://a.example, https://b.example/',
    { linkOrigins: ['https://a.example', 'https://b.example'] },
  ],
  ['SCHEMA_SCOPES', 'true', { schemaScopes: true }],
  ['SANDBOX_AUTHORITIES', 'a.cer, b.pem', { extensions: { sandbox: { authorities: ['a.cer', 'b.pem'] } } }],
  [
    'JWT_JWKS_URL',
    'https://id.example/keys',
    { jwt: { jwksUrl: 'https://id.example/keys', secret: null, issuer: 'https://id.example', audience: 'padron' } },
    { REGISTRY_TOKEN: 'x', ...KEY_SET },
  ],
  [
    'JWT_SECRET',
    LONG_SECRET,
    { jwt: { jwksUrl: null, secret: LONG_SECRET, issuer: null, audience: null } },
    { REGISTRY_TOKEN: 'x' },
  ],
  [
    'JWT_ISSUER',
    'me',
    { jwt: { jwksUrl: null, secret: LONG_SECRET, issuer: 'me', audience: null } },
    { REGISTRY_TOKEN: 'x', JWT_SECRET: LONG_SECRET },
  ],
  [
    'JWT_AUDIENCE',
    'you',
    { jwt: { jwksUrl: null, secret: LONG_SECRET, issuer: null, audience: 'you' } },
    { REGISTRY_TOKEN: 'x', JWT_SECRET: LONG_SECRET },
  ],
  ['HTTPS_PROXY', 'http://user:a%40b@proxy.example:3128', { proxies: { https: { host: 'proxy.example:3128' } } }],
  ['HTTP_PROXY', 'https://proxy.example', { proxies: { http: { origin: 'https://proxy.example' } } }],
  ['NO_PROXY', 'localhost, .corp', { proxies: { exceptions: ['localhost', '.corp'] } }],
  ['https_proxy', 'http://proxy.example:1', { proxies: { https: { host: 'proxy.example:1' } } }, { HTTPS_PROXY: '-' }],
  ['http_proxy', 'http://proxy.example:1', { proxies: { http: { host: 'proxy.example:1' } } }, { HTTP_PROXY: '-' }],
  ['no_proxy', '*', { proxies: { exceptions: ['*'] } }, { NO_PROXY: '.corp' }],
  ['CORS_ORIGINS', 'https://app.example', { corsOrigins: ['https://app.example'] }],
  ['SUBGRAPH_SECRET', LONG_SECRET, { subgraphSecret: LONG_SECRET }],
  ['LIMIT_TOKENS', '100', { limits: { tokens: 100 } }],
  ['LIMIT_DEPTH', '5', { limits: { depth: 5 } }],
  ['LIMIT_NODES', '1000', { limits: { nodes: 1000 } }],
  ['LIMIT_ANSWER_BYTES', '500000', { limits: { bytes: 500_000 } }],
  ['LIMIT_ESTIMATE_NODES', '5000', { limits: { estimateNodes: 5000 } }],
  ['LIMIT_ALIASES', '50', { limits: { aliases: 50 } }],
  ['LIMIT_ENTITIES', '100', { limits: { entities: 100 } }],
  ['LIMIT_REQUESTS', '5000', { limits: { requests: 5000 } }],
  ['LIMIT_BODY_BYTES', '20000', { limits: { bodyBytes: 20_000 } }],
  ['INTROSPECTION', 'off', { introspection: false, callersReadSchema: false }],
  ['EXPLORER', 'off', { extensions: { explorer: { enabled: false } } }],
  ['TRUSTED_DOCUMENTS', 'old.json, new', { trustedDocuments: { paths: ['old.json', 'new'], mode: 'enforce' } }],
  [
    'TRUSTED_DOCUMENTS_MODE',
    'log',
    { trustedDocuments: { paths: ['documents.json'], mode: 'log' } },
    { TRUSTED_DOCUMENTS: 'documents.json' },
  ],
  ['MCP', 'on', { extensions: { agents: { enabled: true } } }],
  ['MCP_MAX_UNITS', '3', { extensions: { agents: { enabled: true, maxUnits: 3 } } }, { MCP: 'on' }],
  ['DOCS_URL', 'https://docs.example/padron/', { docsUrl: 'https://docs.example/padron/' }],
  ['LOG_LEVEL', 'trace', { logLevel: 'trace' }],
  ['BATCH_MAX_ROWS', '500', { extensions: { batch: { maxRows: 500 } } }],
  ['BATCH_CONCURRENCY', '8', { extensions: { batch: { concurrency: 8 } } }],
  ['KEEP_ACCOUNT_BYTES', '5000', { keepAccountBytes: 5_000 }],
  ['BATCH_ACCOUNT_BATCHES', '5', { extensions: { batch: { account: { batches: 5 } } } }],
  ['BATCH_ACCOUNT_ROWS', '50', { extensions: { batch: { account: { rows: 50 } } } }],
  ['BATCH_ACCOUNT_BYTES', '5000', { extensions: { batch: { account: { bytes: 5_000 } } } }],
  ['BATCH_TOTAL_BATCHES', '6', { extensions: { batch: { total: { batches: 6 } } } }],
  ['BATCH_TOTAL_ROWS', '60', { extensions: { batch: { total: { rows: 60 } } } }],
  ['BATCH_TOTAL_BYTES', '6000', { extensions: { batch: { total: { bytes: 6_000 } } } }],
  ['BATCH_ENDPOINTS', 'any', { extensions: { batch: { endpoints: 'any' } } }],
  ['ROLE', 'worker', { extensions: { batch: { role: 'worker' } } }, { DATA_DIR: '/var/lib/padron' }],
  [
    'DATABASE_URL',
    'postgres://padron@127.0.0.1/padron',
    { data: { store: { kind: 'postgres', url: 'postgres://padron@127.0.0.1/padron' } } },
    { DATA_KEYS: LONG_SECRET },
  ],
  ['DATA_DIR', '/var/lib/padron', { data: { store: { kind: 'folder', path: '/var/lib/padron' } } }],
  ['PROOF_KEY', ed25519Key('').pem, { extensions: { proof: { keys: [{ asymmetricKeyType: 'ed25519' }] } } }],
  ['PROOF_ISSUER', 'Acme, S.A.', { extensions: { proof: { issuer: 'Acme, S.A.' } } }],
  ['PROOF_PURPOSES', 'a=Alta, b=Baja', { extensions: { proof: { purposes: ['a=Alta', 'b=Baja'] } } }],
  ['DATA_KEYS', `${LONG_SECRET}, ${LONG_SECRET}2`, { data: { keys: [LONG_SECRET, `${LONG_SECRET}2`] } }],
  ['MIGRATE', 'command', { data: { migrate: 'command' } }],
  ['LEDGER_MONTHS', '12', { data: { ledgerMonths: 12 } }],
  ['SUBJECT_MONTHS', '3', { data: { subjectMonths: 3 } }],
  ['PURGE_CONFIRMED', '2026-05-31', { data: { confirmedDay: '2026-05-31' } }],
  ['TIME_ZONE', 'America/Tijuana', { data: { timeZone: 'America/Tijuana' } }],
  [
    'WEBHOOK_URL',
    'https://events.example/hook?key=1',
    { data: { webhook: { url: 'https://events.example/hook?key=1' } } },
    { WEBHOOK_SECRET: webhookSecrets.join() },
  ],
  [
    'WEBHOOK_SECRET',
    webhookSecrets.join(', '),
    { data: { webhook: { secrets: [Buffer.alloc(24, 1), Buffer.alloc(64, 2)] } } },
    { WEBHOOK_URL: 'http://localhost:4100' },
  ],
  ['PUBLIC_URL', 'https://graph.example', { publicUrl: 'https://graph.example' }],
];

export const settingsTable = settings.map(
  ([name, value, expected, environment = {}]) => [name, value, expected, environment] as const,
);

export function faultsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
  return [];
}
