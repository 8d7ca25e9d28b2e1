import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { openStore } from '../../src/store/open-store';
import { type IdentityProvider, rsaKey, startIdentityProvider } from '../support/keys/identity-provider';
import { runPadron } from '../support/padrons/padron';
import { builtCommand, padronCommand } from '../support/processes/padron-command';
import { startProxy, type TamperingProxy } from '../support/proxies/tampering-proxy';
import { BatchClient, CREDIT, NSS } from '../support/requests/batches';
import { sandboxForTests } from '../support/sandbox/sandbox-for-tests';
import { ownServerRig } from '../support/stores/engines';
import { dumpDatabase } from '../support/stores/postgres';
import { storeMigrations } from '../support/stores/store-migrations';

/** Callers bring their own tokens of the service. */
const ownTokens = { REGISTRY_TOKEN: '', JWT_JWKS_URL: '', JWT_ISSUER: '', JWT_AUDIENCE: '' };
const otherKey = '89abcdef01234567'.repeat(2);

interface Check {
  readonly name: string;
  readonly status: string;
  readonly message: string;
}

describe('the command `padron check`', () => {
  const rig = ownServerRig();
  const sandbox = sandboxForTests();
  let provider: IdentityProvider;
  let proxy: TamperingProxy;
  let environment: Readonly<Record<string, string>>;

  beforeAll(async () => {
    provider = await startIdentityProvider(rsaKey('first'));
    proxy = await startProxy(() => sandbox.url);
  });
  afterAll(async () => {
    await Promise.all([provider.close(), proxy.close()]);
  });
  beforeEach(async () => {
    proxy.reset();
    environment = {
      ...(await rig.emptySettings()).environment,
      REGISTRY_URL: sandbox.url,
      REGISTRY_TOKEN: OTHER_TOKEN,
      JWT_JWKS_URL: provider.url,
      JWT_ISSUER: 'https://issuer.example',
      JWT_AUDIENCE: 'padron',
    };
  });

  /** Runs the command with changed settings. Returns its exit code and its checks by name. */
  async function check(changes: Readonly<Record<string, string>> = {}, run = padronCommand) {
    const { code, output } = await run(['check', '--json'], { ...environment, ...changes });
    const { outcome, checks }: { readonly outcome: string; readonly checks: readonly Check[] } = JSON.parse(output);
    return { code, outcome, checks: Object.fromEntries(checks.map(({ name, ...rest }) => [name, rest])) };
  }

  it('reports every system in one table, without spending, without changes and without secrets', async () => {
    const { code, output, text } = await builtCommand(['check'], environment);
    expect({ code, text }).toEqual({ code: 0, text: '' });
    const names = [
      'settings',
      'service',
      'token',
      'store',
      'schema',
      'data keys',
      'shared settings',
      'data folder',
      'JWT keys',
      'clock',
    ];
    expect(
      [...output.matchAll(/^(\S+(?: \S+)?) {2,}(ok|skipped) /gm)].map(([, name, result]) => [name, result]),
    ).toEqual(
      names.map((name) => [name, ['schema', 'shared settings', 'data folder'].includes(name) ? 'skipped' : 'ok']),
    );
    expect(output).toContain('The next start of padron or `padron migrate` creates its tables.');
    expect(output).toContain('The clock of this machine agrees with the service and agrees with PostgreSQL.');
    const secrets = [OTHER_TOKEN, environment.DATA_KEYS ?? ''];
    expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
    expect(sandbox.calls.map(({ sandbox: isSandbox, units }) => [isSandbox, units])).toEqual([[true, 0]]);
    expect(await dumpDatabase(environment.DATABASE_URL ?? '')).not.toContain('CREATE TABLE');
  });

  it('skips systems that the settings do not name, and passes', async () => {
    const { code, output } = await padronCommand(['check', '--json']);
    expect(code).toBe(0);
    const statuses = JSON.parse(output).checks.map(({ status }: Check) => status);
    expect(statuses).toEqual(['ok', ...Array(9).fill('skipped')]);
  });

  it('reports all errors of the settings, checks nothing else, and exits with 2', async () => {
    const { code, output } = await padronCommand(['check'], { ...environment, PORT: 'many', MAX_UNITS: '-1' });
    expect(code).toBe(2);
    expect(output).toMatch(
      /^check +result +message\nsettings {2}failed {2}PORT .*\nsettings {2}failed {2}MAX_UNITS .*\n$/,
    );
    expect((await padronCommand(['check', '--jsno'], environment)).code).toBe(2);
  });

  it('reports a token that the service does not know', async () => {
    const token = { status: 'failed', message: expect.stringContaining('REGISTRY_TOKEN') };
    const checks = { service: { status: 'ok' }, token };
    expect(await check({ REGISTRY_TOKEN: 'nobody' })).toMatchObject({ code: 1, outcome: 'failed', checks });
  });

  it('checks the service without a token if callers bring their own', async () => {
    expect(await check(ownTokens)).toMatchObject({
      code: 0,
      checks: { service: { status: 'ok' }, token: { status: 'skipped' } },
    });
  });

  it.each([
    [404, '(HTTP 404) Check REGISTRY_URL'],
    [403, 'may not know the address of this machine'],
  ])('does not pass if something in front of the service answers %i', async (status, message) => {
    const headers = { 'content-type': 'text/html' };
    proxy.standIn(() => ({ status, bytes: Buffer.from('<h1>Not here</h1>'), headers }));
    expect(await check({ REGISTRY_URL: proxy.url })).toMatchObject({
      code: 1,
      checks: {
        service: { status: 'failed', message: expect.stringContaining(message) },
        token: { status: 'skipped' },
      },
    });
  });

  it('reports a clock that is wrong', async () => {
    proxy.tamper(() => ({ headers: { date: new Date(Date.now() - 90_000).toUTCString() } }));
    const { code, checks } = await check({ REGISTRY_URL: proxy.url });
    expect(code).toBe(1);
    expect(checks.clock?.message).toMatch(
      /^The clock of this machine is (89|90|91) s ahead of the service and agrees with PostgreSQL\. Synchronize the clocks \(NTP\)\.$/,
    );
  });

  it('reports a user of PostgreSQL without rights, and a database of a newer version', async () => {
    await rig.cluster.run('CREATE ROLE reader LOGIN');
    const url = (environment.DATABASE_URL ?? '').replace('padron@', 'reader@');
    expect((await check({ DATABASE_URL: url })).checks.store).toMatchObject({
      status: 'failed',
      message: expect.stringContaining(
        'run `padron migrate` as a user that may create tables, or grant it CREATE on the schema.',
      ),
    });
    const padron = await runPadron({ environment });
    await padron.stop();
    const migrated = await check();
    expect(migrated).toMatchObject({ code: 0, checks: { store: { status: 'ok' } } });
    expect(migrated.checks.store?.message).toContain('Its tables are those of this version.');
    const store = await openStore({ kind: 'postgres', url: environment.DATABASE_URL ?? '' }, storeMigrations);
    await store.query(`UPDATE padron_migrations SET hash = 'other' WHERE name = 'batch-functions'`);
    expect((await check()).checks.store?.message).toContain(
      'The next start of padron or `padron migrate` changes its functions.',
    );
    await store.query(`INSERT INTO padron_migrations VALUES ('batch-of-the-future', 2, 'hash', false, now())`);
    await store.close();
    expect((await check()).checks.store).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('was migrated by a newer version of padron (batch-of-the-future)'),
    });
  });

  it('reports functions, triggers and indexes that are not those of this version, and what to do about each', async () => {
    const url = environment.DATABASE_URL ?? '';
    const store = await openStore({ kind: 'postgres', url }, storeMigrations);
    const drift = async () => {
      const { output } = await padronCommand(['check', '--json'], environment);
      const { checks }: { readonly checks: readonly Check[] } = JSON.parse(output);
      return checks.filter(({ name }) => name === 'schema').map(({ status, message }) => `${status}: ${message}`);
    };
    expect(await drift()).toEqual(['ok: Functions, triggers and indexes are those of this version.']);
    for (const statement of [
      'CREATE OR REPLACE FUNCTION process_is_alive(p_process text) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT true $$',
      'DROP TRIGGER ledger_count_removed ON ledger_entries',
      'DROP INDEX ledger_entries_open',
      'DROP INDEX ledger_events_by_time',
      'CREATE INDEX ledger_events_by_time ON ledger_events (at DESC)',
      'CREATE INDEX of_the_operator ON ledger_entries (operation)',
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid IN ('batch_by_state'::regclass, 'of_the_operator'::regclass)`,
    ])
      await store.query(statement);
    const again =
      'Run DELETE FROM padron_migrations WHERE number IS NULL, and then `padron migrate`: it applies its functions and triggers again.';
    expect([...(await drift())].sort()).toEqual([
      `failed: The function process_is_alive(text) is not that of this version. ${again}`,
      'failed: The index batch_by_state is invalid, so no query uses it. Run REINDEX INDEX batch_by_state.',
      "failed: The index ledger_entries_open is missing. Run CREATE INDEX ledger_entries_open ON ledger_entries USING btree (process) WHERE outcome = 'OPEN'::text.",
      'failed: The index ledger_events_by_time is not that of this version. Run DROP INDEX ledger_events_by_time; CREATE INDEX ledger_events_by_time ON ledger_events USING btree (at).',
      'failed: The index of_the_operator is invalid, so no query uses it. Run REINDEX INDEX of_the_operator.',
      `failed: The trigger ledger_count_removed of the table ledger_entries is missing. ${again}`,
    ]);
    for (const statement of [
      'DELETE FROM padron_migrations WHERE number IS NULL',
      'REINDEX INDEX batch_by_state',
      'DROP INDEX of_the_operator',
      "CREATE INDEX ledger_entries_open ON ledger_entries USING btree (process) WHERE outcome = 'OPEN'::text",
      'DROP INDEX ledger_events_by_time',
      'CREATE INDEX ledger_events_by_time ON ledger_events USING btree (at)',
    ])
      await store.query(statement);
    await store.close();
    await openStore({ kind: 'postgres', url }, storeMigrations).then((repaired) => repaired.close());
    expect(await drift()).toEqual(['ok: Functions, triggers and indexes are those of this version.']);
  });

  it('reports a database that gives fewer connections than a process needs', async () => {
    const url = new URL(environment.DATABASE_URL ?? '');
    url.username = 'limited';
    await rig.cluster.run('CREATE ROLE limited LOGIN CONNECTION LIMIT 12');
    await rig.cluster.run(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO limited`);
    const store = async () => (await check({ DATABASE_URL: url.href })).checks.store;
    expect(await store()).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('it now gives 12 of the 13 connections that a process needs.'),
    });
    await rig.cluster.run('ALTER ROLE limited CONNECTION LIMIT 13');
    expect(await store()).toMatchObject({ status: 'ok' });
  });

  it('says which settings have no effect', async () => {
    const { code, checks } = await check({ DATA_DIR: rig.folder() });
    expect(code).toBe(0);
    expect(checks.settings?.message).toContain('DATA_DIR is ignored, because DATABASE_URL');
    expect(checks['data folder']?.status).toBe('skipped');
  });

  it('reports keys that stored data was written with and that DATA_KEYS lacks', async () => {
    const padron = await runPadron({ environment: { ...environment, ...ownTokens, REGISTRY_URL: '' } });
    await new BatchClient(padron, SANDBOX_TOKEN).ready(CREDIT, [{ nss: NSS[0] }]);
    await padron.stop();
    const lost = await check({ DATA_KEYS: otherKey });
    const dataKeys = { status: 'failed', message: expect.stringContaining('DATA_KEYS=new,old') };
    expect(lost).toMatchObject({ code: 1, checks: { store: { status: 'ok' }, 'data keys': dataKeys } });
    expect(await check({ DATA_KEYS: `${otherKey},${environment.DATA_KEYS}` })).toMatchObject({ code: 0 });
  });

  it('reports an identity provider without keys', async () => {
    expect(await check({ JWT_JWKS_URL: sandbox.url })).toMatchObject({
      code: 1,
      checks: { 'JWT keys': { status: 'failed', message: expect.stringContaining('Check JWT_JWKS_URL') } },
    });
  });

  it('ends if the systems accept connections and do not answer', async () => {
    rig.cluster.freeze();
    proxy.standIn(() => () => undefined);
    try {
      const { code, checks } = await check({ REGISTRY_URL: proxy.url }, builtCommand);
      expect(code).toBe(1);
      expect([checks.service, checks.store].map((each) => each?.status)).toEqual(Array(2).fill('failed'));
    } finally {
      rig.cluster.thaw();
    }
  });

  it('checks an embedded store and its keys, unless padron uses it', async () => {
    const folder = rig.folder();
    const embedded = { DATABASE_URL: '', DATA_KEYS: '', DATA_DIR: folder };
    const named = async (name: string) => {
      const found = (await check(embedded)).checks[name];
      return `${found?.status}: ${found?.message}`;
    };
    expect(await named('store')).toMatch(/^skipped: .* has no store yet\.$/);
    const padron = await runPadron({ environment: { ...environment, ...embedded } });
    expect(await named('store')).toMatch(/^skipped: .* is in use by process \d+\.$/);
    await padron.stop();
    expect(await named('store')).toMatch(/^ok: .* Its tables are those of this version\.$/);
    expect(await named('data keys')).toMatch(/^ok: /);
    rmSync(join(folder, 'keys'));
    expect(await named('data keys')).toMatch(/^failed: Keys of stored data are missing/);
    expect(existsSync(join(folder, 'keys'))).toBe(false);
  });

  it('reports a folder that cannot be written', async () => {
    const { checks } = await check({ DATABASE_URL: '', DATA_DIR: '/proc/padron' });
    expect(checks['data folder']).toMatchObject({ status: 'failed', message: expect.stringContaining('Set DATA_DIR') });
  });
});
