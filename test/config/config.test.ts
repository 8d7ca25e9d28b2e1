import { faultsOf, KEY_SET, LONG_SECRET, settings, settingsTable } from '../support/padrons/settings';
import { misspeltSettings, readConfig } from '../support/padrons/whole-padron';

describe('the settings', () => {
  it('default to the embedded sandbox and to a loopback address', () => {
    const unset = ['registryUrl', 'registryToken', 'jwt', 'subgraphSecret', 'answerWithinMs', 'maxUnits', 'unitPrice'];
    const alsoUnset = [
      'priceList',
      'tagPattern',
      'identityPath',
      'balancePath',
      'trustedDocuments',
      'docsUrl',
      'publicUrl',
    ];
    expect(readConfig({})).toEqual({
      ...Object.fromEntries([...unset, ...alsoUnset].map((name) => [name, null])),
      ...{ port: 4000, host: '127.0.0.1', corsOrigins: [], linkOrigins: [], schemaScopes: false, logLevel: 'info' },
      proxies: { https: null, http: null, exceptions: [] },
      ...{ registrySandbox: false, registryTimeoutMs: 30_000, registryConcurrency: 64, checkDigits: 'refuse' },
      ...{ introspection: true, callersReadSchema: true, purpose: { allowed: [], months: new Map(), rule: null } },
      ...{ replaySeconds: 30, keepDays: 7, reuseDays: 0, keepAccountBytes: 1_000_000_000 },
      limits: {
        ...{ tokens: 15_000, depth: 15, nodes: 100_000, bytes: 10_000_000, aliases: 5_000, entities: 10_000 },
        ...{ estimateNodes: 1_500_000, bodyBytes: 1_000_000, requests: 10_000 },
      },
      data: {
        ...{
          store: { kind: 'memory' },
          keys: [],
          migrate: 'start',
          ledgerMonths: 60,
          subjectMonths: 24,
          confirmedDay: null,
        },
        ...{ timeZone: 'America/Mexico_City', webhook: null },
      },
      // Extensions that are not padron's have theirs.
      extensions: expect.objectContaining({
        batch: {
          ...{ maxRows: 100_000, concurrency: null, endpoints: 'allowed', role: 'all' },
          account: { batches: 1_000, rows: 1_000_000, bytes: 1_000_000_000 },
          total: { batches: 10_000, rows: 5_000_000, bytes: 5_000_000_000 },
        },
        ...{
          explorer: {},
          agents: { enabled: false, maxUnits: null },
          proof: { keys: [], issuer: null, purposes: [] },
        },
        sandbox: { mode: null, authorities: [] },
      }),
    });
  });

  it.each(settingsTable)('are read: %s=%s', (name, value, expected, environment) => {
    expect(readConfig({ ...environment, [name]: value })).toMatchObject(expected);
    expect(readConfig({})).not.toMatchObject(expected);
  });

  it.each(settingsTable)('count as unset if they are empty: %s', (name) => {
    expect(readConfig({ [name]: ' ' })).toEqual(readConfig({}));
  });

  it('turn introspection off in production by default', () => {
    const production = { NODE_ENV: 'production', REGISTRY_URL: 'https://registry.example' };
    expect(readConfig(production)).toMatchObject({ introspection: false, callersReadSchema: false });
    const readable = { introspection: false, callersReadSchema: true };
    expect(readConfig({ ...production, EXPLORER: 'on' })).toMatchObject(readable);
    expect(readConfig({ ...production, INTROSPECTION: 'on' }).introspection).toBe(true);
  });

  it('keep nothing of real people unasked', () => {
    expect(readConfig({ REGISTRY_URL: 'https://registry.example' }).data.store).toBeNull();
  });
});

const database = 'postgres://padron:secret@db.example/padron';

/** Values that are malformed, whatever the other settings are. */
const malformed: Readonly<Record<string, readonly string[]>> = {
  PORT: ['65536', '-1', '4e3'],
  REGISTRY_URL: [
    'registry.example',
    'ftp://a.example',
    'https://user:secret@a.example',
    'https://a.example?token=secret',
  ],
  SANDBOX: ['remote'],
  REGISTRY_SANDBOX: ['maybe'],
  REGISTRY_TIMEOUT_MS: ['99'],
  REGISTRY_CONCURRENCY: ['0'],
  ANSWER_WITHIN: ['2'],
  REPLAY_SECONDS: ['-1'],
  MAX_UNITS: ['many'],
  UNIT_PRICE: ['0.00', '-1.20', '1,20', '$1.20', '1.2.0', '.5', '1e3', '1.1234567'],
  CHECK_DIGITS: ['ignore'],
  IDENTITY_PATH: ['https://elsewhere.example/', '/api?x=1'],
  BALANCE_PATH: ['balance'],
  LINK_ORIGINS: ['https://a.example/path', 'files'],
  SCHEMA_SCOPES: ['2'],
  CORS_ORIGINS: ['*'],
  SUBGRAPH_SECRET: ['short'],
  INTROSPECTION: ['perhaps'],
  LOG_LEVEL: ['loud'],
  DATABASE_URL: [
    ...['mysql://root:secret@127.0.0.1/x', 'postgres://padron:secret@127.0.0.1/padron?host=db.example'],
    ...['', '?sslmode=disable', '?sslmode=no-verify', '?sslmode=require&ssl=0'].map((query) => database + query),
  ],
  DATA_KEYS: ['secret,secret'],
  PROOF_KEY: [Buffer.alloc(48).toString('base64')],
  PROOF_PURPOSES: ['credit', 'credit=', 'a=b=c', 'credit=Crédito,hiring'],
  MIGRATE: ['never'],
  LEDGER_MONTHS: ['0'],
  PURPOSES: [
    ...['hiring:0', 'hiring:abc', 'hiring:12:3', 'hiring:1201', 'hiring:1.5', 'hiring:', ':12'],
    ...['hiring,hiring', 'hiring:12,hiring', 'credit,hiring:12,hiring:24'],
  ],
  PURGE_CONFIRMED: ['yes', '2026-13-01'],
  TIME_ZONE: ['Mexico/Nowhere'],
  PUBLIC_URL: ['graph.example'],
  BATCH_MAX_ROWS: ['0'],
  BATCH_CONCURRENCY: ['0'],
  KEEP_DAYS: ['400'],
  REUSE_DAYS: ['366'],
  KEEP_ACCOUNT_BYTES: ['0'],
  BATCH_ENDPOINTS: ['some'],
  ROLE: ['router'],
};

describe('an invalid setting', () => {
  it.each(Object.entries(malformed).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    'is named in the error without its value: %s=%s',
    (name, value) => {
      const faults = faultsOf({ [name]: value });
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(new RegExp(`^${name} .*\\.$`));
      expect(faults[0]).not.toMatch(/secret/);
    },
  );
});

describe('an unencrypted address', () => {
  const faultsWith = (name: string, value: string) =>
    faultsOf({ ...(name.startsWith('JWT') ? { REGISTRY_TOKEN: 'x', ...KEY_SET } : {}), [name]: value });

  it.each([
    ['REGISTRY_URL', 'http://registry.example'],
    ['REGISTRY_URL', 'http://10.0.0.7:8080'],
    ['REGISTRY_URL', 'http://127.0.0.1.example'],
    ['REGISTRY_URL', 'http://localhost.example'],
    ['REGISTRY_URL', 'http://0.0.0.0:80'],
    ['JWT_JWKS_URL', 'http://id.example/keys'],
    ['LINK_ORIGINS', 'http://files.example'],
    ['LINK_ORIGINS', 'https://files.example, http://10.0.0.7'],
  ])('is only allowed on this machine: %s=%s is rejected', (name, value) => {
    expect(faultsWith(name, value)).toEqual([expect.stringMatching(`^${name} must use https: outside loopback`)]);
  });

  it.each([
    ['REGISTRY_URL', 'http://127.0.0.1:4010'],
    ['REGISTRY_URL', 'http://localhost:4010'],
    ['REGISTRY_URL', 'http://[::1]:4010'],
    ['JWT_JWKS_URL', 'http://localhost:8080/keys'],
    ['LINK_ORIGINS', 'http://127.0.0.1:4011,https://files.example'],
    ['CORS_ORIGINS', 'http://desk.example'],
  ])('is allowed for %s=%s', (name, value) => {
    expect(faultsWith(name, value)).toEqual([]);
  });

  it.each([
    'postgres://padron:secret@127.0.0.1/padron',
    'postgres:///padron?host=/var/run/postgresql',
    'postgresql://padron:secret@db.example:5432/padron?sslmode=verify-full&sslrootcert=/ca.pem',
  ])('is not reported for a database on this machine, or for one with TLS: %s', (url) => {
    expect(faultsOf({ DATABASE_URL: url, DATA_KEYS: LONG_SECRET })).toEqual([]);
  });
});

describe('a proxy', () => {
  it.each([
    'socks5://user:hush@proxy.example:1080',
    'proxy.example:3128',
    'user:hush@proxy.example:3128',
    'http://',
    'http://user:hu#sh@proxy.example:3128',
    'http://user:12/hush@proxy.example:3128',
    'http://user:12?hush@proxy.example:3128',
    'http://proxy.example:3128/hush',
    'http://user:hush@proxy.example:99999',
  ])('is rejected beside every other mistake, and its password is not quoted: %s', (url) => {
    const faults = faultsOf({ PORT: 'x', HTTPS_PROXY: url, http_proxy: url });
    const must = (name: string) => expect.stringMatching(`^${name} must be an http\\(s\\) URL such as http://user:`);
    expect(faults).toEqual([expect.stringMatching('^PORT must'), must('HTTPS_PROXY'), must('HTTP_PROXY')]);
    expect(faults.join()).not.toMatch(/hush|hu#/);
  });

  it.each([
    'http://proxy.example',
    'https://proxy.example:8443/',
    'http://user:100%@proxy.example',
    'http://[::1]:3128',
  ])('is read: %s', (url) => {
    const { origin } = new URL(url);
    expect(readConfig({ HTTPS_PROXY: url }).proxies.https?.origin).toBe(origin);
  });
});

describe('a variable whose name resembles a setting', () => {
  it.each(['https_proxy', 'http_proxy', 'no_proxy', 'ALL_PROXY', 'all_proxy', 'ftp_proxy', 'FTP_PROXY'])(
    'is not a proxy as other programs name it: %s',
    (name) => expect(misspeltSettings({ [name]: 'x' })).toEqual([]),
  );

  it.each([
    ['MAX_UNIT', 'MAX_UNITS'],
    ['MAX_UNTIS', 'MAX_UNITS'],
    ['max_units', 'MAX_UNITS'],
    ['Port', 'PORT'],
    ['REGISTRY_TOKN', 'REGISTRY_TOKEN'],
    ['REGISTERY_TOKEN', 'REGISTRY_TOKEN'],
    ['JWT_AUDIENCES', 'JWT_AUDIENCE'],
    ['JWT_JWK_URL', 'JWT_JWKS_URL'],
    ['SUBGRAPH_SECRETS', 'SUBGRAPH_SECRET'],
    ['LIMIT_ALIAS', 'LIMIT_ALIASES'],
    ['REPLAY_SECOND', 'REPLAY_SECONDS'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
  ])('is reported with the setting: %s', (name, nearest) => {
    expect(misspeltSettings({ [name]: '3' })).toEqual([{ name, nearest }]);
  });

  it.each([
    ...['PATH', 'HOME', 'PWD', 'POST', 'PORTS', 'HOSTS', 'HOSTNAME', 'LOGNAME', 'LANG', 'NODE_ENV', 'NODE_OPTIONS'],
    ...['PADRON_PORT', 'PADRON_SERVICE_HOST', 'REGISTRY_PORT', 'REGISTRY_SERVICE_PORT', 'REGISTRY_PASSWORD'],
    ...['npm_config_registry', 'npm_package_version', 'JWT_SECRET_KEY', 'DATABASE_URL', 'OTEL_LOG_LEVEL', '_'],
  ])('is not reported if it belongs to another program: %s', (name) => {
    expect(misspeltSettings({ [name]: '3' })).toEqual([]);
  });

  it('is not reported if it is a setting or empty', () => {
    const environment = Object.fromEntries(settings.map(([name, value]) => [name, value]));
    expect(misspeltSettings({ ...environment, MAX_UNIT: ' ' })).toEqual([]);
  });

  it('is reported with the error that it causes', () => {
    expect(faultsOf({ HOST: '0.0.0.0', REGISTRY_TOKEN: 'x', SUBGRAPH_SECRT: 'y'.repeat(20) })).toEqual([
      expect.stringMatching(/^REGISTRY_TOKEN would let anyone/),
      'SUBGRAPH_SECRT is not a setting. Did you mean SUBGRAPH_SECRET?',
    ]);
  });
});

describe('TAG_PATTERN', () => {
  const read = (TAG_PATTERN: string): RegExp | null => readConfig({ TAG_PATTERN }).tagPattern;

  it('is a pattern for the whole tag', () => {
    const pattern = read('CC-\\d{5}|Nómina (?:MX|US)? ?\\d{4}');
    const matches = (tag: string): boolean => pattern?.test(tag) ?? false;
    expect(['CC-10245', 'Nómina MX 2026', 'Nómina 2026'].map(matches)).toEqual([true, true, true]);
    expect(['CC-102456', 'xCC-10245', 'CC-1024', 'nómina 2026'].map(matches)).toEqual([false, false, false, false]);
  });

  it.each([
    ['a group that is not closed', 'CC-(\\d', /TAG_PATTERN must be a regular expression.*: Unterminated group/],
    ['a useless escape', 'CC\\-\\d', /Invalid escape/],
    ['a text that is only valid inside another group', 'a)|(?:b', /Unmatched/],
    ['a repeated group', '(a+)+', /no repeated group/],
    ['a repeated group with alternatives', '(?:a|a)*b', /no repeated group/],
    ['a group that is repeated a number of times', '(?:a*){20}', /no repeated group/],
    ['a lookahead', '(?=a)a', /lookaround/],
    ['a reference to a group', '(a*)\\1', /reference to a group/],
    ['many parts of any length', 'a*a*a*a*b', /at most three parts/],
    ['many alternatives in sequence', `${'a?'.repeat(30)}b`, /at most three parts/],
    ['more than 200 characters', 'a'.repeat(201), /at most 200 characters/],
  ])('is rejected if it has %s', (_what, pattern, message) => {
    expect(() => read(pattern)).toThrow(message);
  });

  it('accepts three parts of any length, and checks the slowest tag without blocking', () => {
    const pattern = read('\\w*\\w*\\w*!');
    // A repeated group would take years, and the test would not end.
    expect(pattern?.test('a'.repeat(64))).toBe(false);
  });
});
