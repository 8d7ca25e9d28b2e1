import { faultsOf, LONG_SECRET, settingsTable } from '../support/padrons/settings';
import { readConfig } from '../support/padrons/whole-padron';

describe('the settings', () => {
  it('default to the embedded sandbox and to a loopback address', () => {
    expect(readConfig({})).toEqual({
      port: 4000,
      host: '127.0.0.1',
      registryUrl: null,
      registryToken: null,
      jwt: null,
      subgraphSecret: null,
      corsOrigins: [],
      registrySandbox: false,
      registryTimeoutMs: 30_000,
      registryConcurrency: 64,
      answerWithinMs: null,
      replaySeconds: 30,
      maxUnits: null,
      unitPrice: null,
      tagPattern: null,
      purpose: { allowed: [], rule: null },
      checkDigits: 'refuse',
      identityPath: null,
      balancePath: null,
      linkOrigins: [],
      schemaScopes: false,
      limits: {
        tokens: 15_000,
        depth: 15,
        nodes: 100_000,
        bytes: 10_000_000,
        aliases: 5_000,
        entities: 10_000,
        estimateNodes: 1_500_000,
        bodyBytes: 1_000_000,
        requests: 10_000,
      },
      introspection: true,
      callersReadSchema: true,
      trustedDocuments: null,
      docsUrl: null,
      logLevel: 'info',
      data: {
        store: { kind: 'memory' },
        keys: [],
        ledgerMonths: 60,
        subjectMonths: 24,
        timeZone: 'America/Mexico_City',
        webhook: null,
      },
      keepDays: 7,
      reuseDays: 0,
      keepAccountBytes: 1_000_000_000,
      publicUrl: null,
      extensions: {
        batch: {
          maxRows: 100_000,
          concurrency: null,
          account: { batches: 1_000, rows: 1_000_000, bytes: 1_000_000_000 },
          total: { batches: 10_000, rows: 5_000_000, bytes: 5_000_000_000 },
          endpoints: 'allowed',
          role: 'all',
          removed: { retentionDays: null, tokens: null },
        },
        explorer: {},
        agents: { enabled: false, maxUnits: null },
        proof: { keys: [] },
        sandbox: { mode: null, authorities: [] },
      },
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
    expect(readConfig({ ...production, EXPLORER: 'on' })).toMatchObject({
      introspection: false,
      callersReadSchema: true,
    });
    expect(readConfig({ ...production, INTROSPECTION: 'on' }).introspection).toBe(true);
  });
});

describe('an invalid setting', () => {
  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '4e3'],
    ['REGISTRY_URL', 'registry.example'],
    ['REGISTRY_URL', 'ftp://registry.example'],
    ['REGISTRY_URL', 'http://registry.example'],
    ['REGISTRY_URL', 'http://127.0.0.1.example'],
    ['REGISTRY_URL', 'https://user:secret@registry.example'],
    ['REGISTRY_URL', 'https://registry.example?token=secret'],
    ['SANDBOX', 'remote'],
    ['REGISTRY_SANDBOX', 'maybe'],
    ['REGISTRY_TIMEOUT_MS', '99'],
    ['REGISTRY_CONCURRENCY', '0'],
    ['ANSWER_WITHIN', '2'],
    ['REPLAY_SECONDS', '-1'],
    ['MAX_UNITS', 'many'],
    ['UNIT_PRICE', '0.00'],
    ['UNIT_PRICE', '-1.20'],
    ['UNIT_PRICE', '1,20'],
    ['UNIT_PRICE', '$1.20'],
    ['UNIT_PRICE', '1.2.0'],
    ['UNIT_PRICE', '.5'],
    ['UNIT_PRICE', '1e3'],
    ['UNIT_PRICE', '1.1234567'],
    ['CHECK_DIGITS', 'ignore'],
    ['IDENTITY_PATH', 'https://elsewhere.example/'],
    ['IDENTITY_PATH', '/api?x=1'],
    ['BALANCE_PATH', 'balance'],
    ['LINK_ORIGINS', 'https://a.example/path'],
    ['LINK_ORIGINS', 'files'],
    ['SCHEMA_SCOPES', '2'],
    ['CORS_ORIGINS', '*'],
    ['SUBGRAPH_SECRET', 'short'],
    ['INTROSPECTION', 'perhaps'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://root:secret@127.0.0.1/x'],
    ['DATABASE_URL', 'postgres://padron:secret@db.example/padron'],
    ['DATABASE_URL', 'postgres://padron:secret@db.example/padron?sslmode=disable'],
    ['DATABASE_URL', 'postgres://padron:secret@db.example/padron?sslmode=no-verify'],
    ['DATABASE_URL', 'postgres://padron:secret@127.0.0.1/padron?host=db.example'],
    ['DATABASE_URL', 'postgres://padron:secret@db.example/padron?sslmode=require&ssl=0'],
    ['DATA_KEYS', 'secret,secret'],
    ['PROOF_KEY', Buffer.alloc(48).toString('base64')],
    ['LEDGER', 'maybe'],
    ['LEDGER_MONTHS', '0'],
    ['TIME_ZONE', 'Mexico/Nowhere'],
    ['PUBLIC_URL', 'graph.example'],
    ['BATCH_MAX_ROWS', '0'],
    ['BATCH_CONCURRENCY', '0'],
    ['KEEP_DAYS', '400'],
    ['REUSE_DAYS', '366'],
    ['KEEP_ACCOUNT_BYTES', '0'],
    ['BATCH_ENDPOINTS', 'some'],
    ['ROLE', 'router'],
  ])('is named in the error without its value: %s=%s', (name, value) => {
    const faults = faultsOf({ [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} .*\\.$`));
    expect(faults[0]).not.toMatch(/secret/);
  });

  it.each(['http://127.0.0.1:4010', 'http://localhost:4010', 'http://[::1]:4010'])(
    'is a registry URL without TLS outside loopback: %s',
    (url) => {
      expect(faultsOf({ REGISTRY_URL: url })).toEqual([]);
    },
  );

  it.each([
    'postgres://padron:secret@127.0.0.1/padron',
    'postgres:///padron?host=/var/run/postgresql',
    'postgresql://padron:secret@db.example:5432/padron?sslmode=verify-full&sslrootcert=/ca.pem',
  ])('is a database URL without encryption outside loopback: %s', (url) => {
    expect(faultsOf({ DATABASE_URL: url, DATA_KEYS: LONG_SECRET })).toEqual([]);
  });

  it('keeps nothing of real people unasked', () => {
    expect(readConfig({ REGISTRY_URL: 'https://registry.example' }).data.store).toBeNull();
  });
});
