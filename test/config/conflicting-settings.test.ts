import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findIgnored } from '../../src/config/conflicting-settings';
import { settingNames } from '../../src/config/settings';
import { extensions } from '../../src/extensions';
import { ed25519Key } from '../support/keys/identity-provider';
import { faultsOf, KEY_SET, LONG_SECRET, ownExtensions, settings } from '../support/padrons/settings';
import { readConfig } from '../support/padrons/whole-padron';

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

describe('the ledger, which padron has if it has a store', () => {
  const database = { DATABASE_URL: 'postgres://127.0.0.1/x', DATA_KEYS: LONG_SECRET };
  const root = mkdtempSync(join(tmpdir(), 'padron-config-'));
  const folder = { DATA_DIR: join(root, 'data') };
  const noticesOf = (environment: Readonly<Record<string, string>>): readonly string[] =>
    findIgnored(readConfig(environment), environment);
  afterAll(() => rmSync(root, { recursive: true }));

  it('is in PostgreSQL only: DATA_DIR is ignored beside DATABASE_URL, with one notice', () => {
    const both = { ...service, ...database, ...folder };
    expect(readConfig(both).data.store?.kind).toBe('postgres');
    expect(noticesOf(both)).toEqual([expect.stringMatching(/^DATA_DIR is ignored, because DATABASE_URL is set: /)]);
    expect(existsSync(folder.DATA_DIR)).toBe(false);
  });
});

describe('the documents about settings', () => {
  const names = settings.map(([name]) => name).sort();

  it('are complete here: these are the names that the code reads', () => {
    const own = extensions.filter(({ name }) => ownExtensions.includes(name));
    expect([...settingNames(own)].sort()).toEqual([...names].sort());
  });

  for (const file of ['docs/configuration.md', '.env.example']) {
    (existsSync(fileOf(file)) ? it : it.skip)(`name each one: ${file}`, () => {
      const text = readFileSync(fileOf(file), 'utf8');
      expect(names.filter((name) => !text.includes(name))).toEqual([]);
    });
  }
});
