import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingNames } from '../../src/config/settings';
import { extensions } from '../../src/extensions';
import { ed25519Key } from '../support/keys/identity-provider';
import { faultsOf, KEY_SET, LONG_SECRET, ownExtensions, settings } from '../support/padrons/settings';
import { findIgnored, readConfig } from '../support/padrons/whole-padron';

const fileOf = (name: string): string => join(__dirname, '../..', name);
const EVENTS = 'https://events.example/hook?key=1';
const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes).toString('base64')}`;
const service = { REGISTRY_URL: 'https://r.example' };
const token = { REGISTRY_TOKEN: 'x' };
const everywhere = { ...token, HOST: '0.0.0.0' };
const database = { DATABASE_URL: 'postgres://127.0.0.1/x' };
const agents = { MCP: 'on', ...service };
const documents = { TRUSTED_DOCUMENTS: 'documents.json' };
const explorer = { EXPLORER: 'on', INTROSPECTION: 'off' };
const required = { PURPOSE: 'required' };
const webhook = { WEBHOOK_URL: EVENTS, WEBHOOK_SECRET: secretOf(32) };

describe('settings that depend on each other', () => {
  it.each([
    ['a token that anyone who reaches us could spend', everywhere, 'REGISTRY_TOKEN'],
    ['a token, on a name that is not loopback', { ...token, HOST: '127.0.0.1.example' }, 'REGISTRY_TOKEN'],
    ['a JWT without a token to spend', { JWT_SECRET: LONG_SECRET }, 'JWT_*'],
    ['two ways to verify a JWT', { ...token, JWT_SECRET: LONG_SECRET, ...KEY_SET }, 'Set JWT_JWKS_URL'],
    ['a key set whose tokens may be for anyone', { ...token, ...KEY_SET, JWT_AUDIENCE: '' }, 'JWT_JWKS_URL'],
    ['a key set of tokens by anyone', { ...token, ...KEY_SET, JWT_ISSUER: ' ' }, 'JWT_JWKS_URL'],
    ['claims without a key', { ...token, JWT_ISSUER: 'me' }, 'JWT_ISSUER'],
    ['production without a service to ask', { NODE_ENV: 'production' }, 'NODE_ENV=production'],
    ['invented people beside real ones', { SANDBOX: 'embedded', ...service }, 'SANDBOX=embedded'],
    ["the sandbox's authorities beside a service", { SANDBOX_AUTHORITIES: 'a.cer', ...service }, 'SANDBOX_AUTHORITIES'],
    ['a database without keys', database, 'DATABASE_URL'],
    ['a database with keys of nothing', { ...database, DATA_KEYS: ' , ' }, 'DATABASE_URL'],
    ['an explorer for callers who are not authenticated', { ...explorer, ...token }, 'EXPLORER=on'],
    ['agents over a service, without documents', { ...agents, MCP_MAX_UNITS: '3' }, 'MCP=on needs TRUSTED_DOCUMENTS'],
    ['agents over a service, without a limit', { ...agents, ...documents }, 'MCP=on needs a limit'],
    ['a limit of calls by agents without agents', { MCP_MAX_UNITS: '3' }, 'MCP_MAX_UNITS'],
    ['a mode of trusted documents without the documents', { TRUSTED_DOCUMENTS_MODE: 'log' }, 'TRUSTED_DOCUMENTS_MODE'],
    [
      'trusted documents behind a router, which plans its own operations',
      { ...documents, SUBGRAPH_SECRET: LONG_SECRET },
      'TRUSTED_DOCUMENTS and SUBGRAPH_SECRET',
    ],
    ['a required purpose, and none to name', { ...required, PURPOSES: ' , ' }, 'PURPOSE=required needs PURPOSES'],
    ['a purpose that no header can carry', { ...required, PURPOSES: 'hiring,工資' }, 'PURPOSES must be names'],
    ['a worker without a store', { ROLE: 'worker', ...service }, 'ROLE=worker'],
    ['a worker whose store is in its own memory', { ROLE: 'worker' }, 'ROLE=worker'],
    ['a worker of a database that is no address', { ROLE: 'worker', DATABASE_URL: 'database' }, 'DATABASE_URL must'],
    ['a receiver of events without a secret', { WEBHOOK_URL: EVENTS }, 'WEBHOOK_URL and WEBHOOK_SECRET'],
    ['a secret of events without a receiver', { WEBHOOK_SECRET: secretOf(32) }, 'WEBHOOK_URL and WEBHOOK_SECRET'],
    ['a receiver of events that nothing keeps', { ...service, ...webhook }, 'WEBHOOK_URL needs a store'],
    ['a key of proofs without a store', { ...service, PROOF_KEY: ed25519Key('').pem }, 'PROOF_KEY needs a store'],
    // Wrong by themselves: nothing is said of what they would go with.
    ['a key that is short', { ...database, DATA_KEYS: 'short' }, 'DATA_KEYS must be random'],
    ['a second key that is short', { ...database, DATA_KEYS: `${LONG_SECRET},short` }, 'DATA_KEYS must be random'],
    ['a secret for JWTs that is short', { ...everywhere, JWT_SECRET: 'short' }, 'JWT_SECRET must have'],
    ["a router's secret that is short", { ...everywhere, SUBGRAPH_SECRET: 'short' }, 'SUBGRAPH_SECRET must have'],
    ['a service whose address is none', { NODE_ENV: 'production', REGISTRY_URL: 'registry' }, 'REGISTRY_URL must be'],
  ])('are rejected: %s', (_what, environment, name) => {
    const faults = faultsOf(environment);
    expect([faults.length, faults[0]?.slice(0, name.length)]).toEqual([1, name]);
  });

  it.each([
    { HOST: '127.0.0.1' },
    { HOST: '::1' },
    { HOST: 'localhost' },
    { HOST: '0.0.0.0', JWT_SECRET: LONG_SECRET },
    { HOST: '0.0.0.0', ...KEY_SET },
    { HOST: '0.0.0.0', SUBGRAPH_SECRET: LONG_SECRET },
  ])('are accepted: a token behind %j', (environment) => {
    expect(faultsOf({ ...token, ...environment })).toEqual([]);
  });
});

describe('the settings of events', () => {
  it.each([
    ['WEBHOOK_URL', 'http://events.example/AAAA'],
    ['WEBHOOK_URL', 'https://user:AAAA@events.example'],
    ['WEBHOOK_URL', 'ftp://events.example/AAAA'],
    ['WEBHOOK_SECRET', secretOf(23)],
    ['WEBHOOK_SECRET', secretOf(65)],
    ['WEBHOOK_SECRET', secretOf(32).replace('whsec_', '')],
    ['WEBHOOK_SECRET', secretOf(32).replace('whsec_', 'WHSEC_')],
    ['WEBHOOK_SECRET', secretOf(32).replace(/=$/, '')],
    ['WEBHOOK_SECRET', secretOf(32).replace('A', '-')],
    ['WEBHOOK_SECRET', `${secretOf(32)} ${secretOf(32)}`],
    ['WEBHOOK_SECRET', `${secretOf(32)},whsec_`],
    ['WEBHOOK_SECRET', [1, 2, 3].map(() => secretOf(32)).join()],
    ['WEBHOOK_SECRET', ','],
  ])('are rejected if they are malformed, and the error does not contain them: %s=%s', (name, value) => {
    const faults = faultsOf({ ...webhook, [name]: value });
    expect(faults).toEqual([expect.stringMatching(`^${name} must`)]);
    expect(faults[0]).not.toContain('AAAA');
  });

  it.each(['http://127.0.0.1:4100/x', 'http://localhost:4100', 'https://events.example/hook?key=1'])(
    'are accepted: %s',
    (url) => {
      for (const secret of [secretOf(24), secretOf(64), `${secretOf(24)}, ${secretOf(64)}`])
        expect(faultsOf({ WEBHOOK_URL: url, WEBHOOK_SECRET: secret })).toEqual([]);
    },
  );
});

describe('a setting that no longer exists', () => {
  it.each([
    ['REPLAY_URL', 'rediss://user:secret@store.example', 'DATABASE_URL'],
    ['REPLAY_KEY', 'secret', 'DATABASE_URL'],
    ['ALERT_URL', 'https://alerts.example/secret', 'DATA_KEYS.*WEBHOOK_URL and WEBHOOK_SECRET'],
    ['BATCH_RETENTION_DAYS', '7', 'KEEP_DAYS'],
    ['BATCH_TOKENS', 'memory', 'stored, encrypted, until its batch ends'],
    ['BATCH_TOKENS', 'secret', 'stored, encrypted, until its batch ends'],
  ])('is rejected, names what replaces it, and is not shown: %s', (name, value, hint) => {
    const faults = faultsOf({ [name]: value });
    expect(faults).toEqual([expect.stringMatching(`^${name} no longer exists: .*${hint}`)]);
    expect(faults[0]).not.toContain('secret');
  });

  it('is ignored with one notice if padron does anyway what it asks for', () => {
    const environment = { BATCH_TOKENS: 'sealed' };
    expect(findIgnored(readConfig(environment), environment)).toEqual([
      expect.stringMatching(/^BATCH_TOKENS is not needed any more: .*\.$/),
    ]);
  });

  it('is ignored if it is empty', () => {
    expect(faultsOf({ REPLAY_URL: '', REPLAY_KEY: ' ' })).toEqual([]);
  });
});

describe('the ledger, which padron has if it has a store', () => {
  const database = { DATABASE_URL: 'postgres://127.0.0.1/x', DATA_KEYS: LONG_SECRET };
  const root = mkdtempSync(join(tmpdir(), 'padron-config-'));
  const folder = { DATA_DIR: join(root, 'data') };
  const noticesOf = (environment: Readonly<Record<string, string>>): readonly string[] =>
    findIgnored(readConfig(environment), environment);
  afterAll(() => rmSync(root, { recursive: true }));

  it.each(['on', 'required'])('is there without LEDGER=%s, which gets one notice', (LEDGER) => {
    for (const store of [{ ...service, ...database }, { ...service, ...folder }, {}])
      expect(noticesOf({ ...store, LEDGER })).toEqual([expect.stringMatching(/^LEDGER means nothing any more: .*\.$/)]);
  });

  it.each(['on', 'required'])('is not lost without a word: LEDGER=%s without a store is refused', (LEDGER) => {
    expect(faultsOf({ ...service, LEDGER })).toEqual([
      expect.stringMatching(new RegExp(`^LEDGER=${LEDGER} needs a store\\. .* DATA_DIR=\\.padron is the folder`)),
    ]);
  });

  it('cannot be turned off beside a store: the error names what to remove, also in a container', () => {
    for (const [store, names] of [
      [folder, 'DATA_DIR'],
      [database, 'DATABASE_URL'],
      [{ ...database, ...folder }, 'DATABASE_URL and DATA_DIR'],
    ] as const)
      expect(faultsOf({ ...service, ...store, LEDGER: 'off' })).toEqual([
        `LEDGER=off cannot be set with ${names}, because a padron with a store has a ledger. Remove LEDGER, or remove ${names}. The image sets DATA_DIR: \`docker run --env DATA_DIR= …\` removes it.`,
      ]);
    expect(noticesOf({ ...service, LEDGER: 'off', DATA_DIR: '' })).toHaveLength(1);
    expect(noticesOf({ ...service, DATA_DIR: '' })).toEqual([]);
  });

  it('is in PostgreSQL only: DATA_DIR is ignored beside DATABASE_URL, with one notice', () => {
    const both = { ...service, ...database, ...folder };
    expect(readConfig(both).data.store?.kind).toBe('postgres');
    expect(noticesOf(both)).toEqual([expect.stringMatching(/^DATA_DIR is ignored, because DATABASE_URL is set: /)]);
    expect(existsSync(folder.DATA_DIR)).toBe(false);
  });

  it('loses no entry that the journal of an earlier version has: it is refused until it is stored or deleted', () => {
    const journal = join(folder.DATA_DIR, 'journal');
    mkdirSync(journal, { recursive: true });
    const file = join(journal, '0badcafe-000001.journal');
    writeFileSync(file, '');
    expect(faultsOf({ ...service, ...database, ...folder })).toEqual([]);
    writeFileSync(file, '+{}\n');
    for (const store of [folder, { ...database, ...folder }])
      expect(faultsOf({ ...service, ...store })).toEqual([
        `${journal} has entries of the ledger that the earlier version of padron has not stored yet, and this version does not read them. Start the earlier version once more with these settings, so that it stores them, and stop it. If you do not need the entries, delete ${journal}.`,
      ]);
    expect(faultsOf(service)).toEqual([]);
  });

  it('loses none in the folder that an earlier version made by default', () => {
    mkdirSync(join(root, '.padron', 'journal'), { recursive: true });
    writeFileSync(join(root, '.padron', 'journal', '0badcafe-000001.journal'), '+{}\n');
    const before = process.cwd();
    process.chdir(root);
    try {
      expect(faultsOf({ ...service, ...database })).toEqual([expect.stringMatching(/^\.padron\/journal has entries/)]);
      expect(faultsOf(service)).toEqual([]);
    } finally {
      process.chdir(before);
    }
  });
});

describe('the documents about settings', () => {
  const names = settings.map(([name]) => name).sort();

  it('are complete here: these are the names that the code reads', () => {
    const removed = ['ALERT_URL', 'BATCH_RETENTION_DAYS', 'BATCH_TOKENS', 'LEDGER', 'REPLAY_KEY', 'REPLAY_URL'];
    const own = extensions.filter(({ name }) => ownExtensions.includes(name));
    expect([...settingNames(own)].sort()).toEqual([...names, ...removed].sort());
  });

  for (const file of ['docs/configuration.md', '.env.example']) {
    (existsSync(fileOf(file)) ? it : it.skip)(`name each one: ${file}`, () => {
      const text = readFileSync(fileOf(file), 'utf8');
      expect(names.filter((name) => !text.includes(name))).toEqual([]);
    });
  }
});
