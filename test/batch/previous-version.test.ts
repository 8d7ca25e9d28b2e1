import { batchMigrations } from '../../src/batch/sql/migrations';
import { ledgerMigrations } from '../../src/ledger/sql/migrations';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../src/sandbox/accounts/accounts';
import { openStore } from '../../src/store/open-store';
import { signedBySecret } from '../support/keys/identity-provider';
import type { RunningPadron } from '../support/padrons/padron';
import { withPadron } from '../support/padrons/with-padron';
import { BatchClient, CREDIT, NSS } from '../support/requests/batches';
import { sandboxForTests } from '../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../support/stores/engines';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const rows = NSS.slice(0, 3).map((nss) => ({ nss }));
const scope = 'padron_batch use_buscar_credito';

/** Reverts a store to the version before batches had owners. */
const undo = `
DROP INDEX batch_by_key;
ALTER TABLE batch ADD UNIQUE (account, key_name);
ALTER TABLE batch DROP COLUMN owner, DROP COLUMN kept_rows, DROP COLUMN kept_bytes, DROP COLUMN row_units;
DELETE FROM padron_migrations WHERE name IN ('batch-5-owners', 'batch-6-functions', 'batch-7-workers');
`;

describe.each(engines)('batches of a version without owners, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const sandbox = sandboxForTests();

  /** Runs padron with the same service each time, because an account belongs to a service. */
  const run = <Result>(
    environment: Readonly<Record<string, string>>,
    use: (padron: RunningPadron) => Promise<Result>,
  ): Promise<Result> => withPadron({ environment, registryUrl: () => sandbox.url }, use);

  it('belong to the client or the account that created them, and are not visible to others', async () => {
    const { store: settings, environment } = await rig.settings();
    const byJwt = { ...environment, REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET };
    const as = (url: string, azp: string | null, scopes = scope) =>
      new BatchClient({ url }, signedBySecret(SECRET, { scope: scopes, ...(azp === null ? {} : { azp }) }));
    const input = { operation: CREDIT, rows, key: 'before the update' };
    const own = await run(environment, (padron) => new BatchClient(padron).ready(CREDIT, rows));
    const [named, nameless] = await run(byJwt, async ({ url }) => {
      const created = await as(url, 'payroll').create(input);
      const operator = as(url, null, `${scope} padron_batches_all`);
      return [created.batch, await operator.ready(CREDIT, rows)];
    });
    const store = await openStore(settings, [...ledgerMigrations, ...batchMigrations]);
    for (const statement of undo.split(';').filter((text) => text.trim() !== '')) await store.query(statement);
    await store.close();

    await run(environment, async ({ url }) => {
      const client = new BatchClient({ url }, SANDBOX_TOKEN);
      await client.change(`startRegistryBatch(id: "${own.id}", maxUnits: 100)`);
      expect((await client.until(own.id, 'DONE', 'PAUSED')).progress).toMatchObject({ done: 3, spentUnits: 3 });
      expect(await client.get(named.id)).toBeNull();
    });
    await run(byJwt, async ({ url }) => {
      const payroll = as(url, 'payroll');
      expect((await payroll.create(input)).batch.id).toBe(named.id);
      await payroll.until(named.id, 'READY');
      await payroll.change(`startRegistryBatch(id: "${named.id}", maxUnits: 100)`);
      expect((await payroll.until(named.id, 'DONE', 'PAUSED')).progress).toMatchObject({ done: 3, spentUnits: 3 });
      for (const id of [own.id, nameless.id]) expect(await payroll.get(id)).toBeNull();
      expect(await as(url, 'intern').get(named.id)).toBeNull();
      const all = as(url, 'auditor', `${scope} padron_batches_all`);
      expect([await all.get(named.id), await all.get(nameless.id)]).toMatchObject([
        { id: named.id },
        { id: nameless.id },
      ]);
    });
    // Five processes open the store one after the other.
  }, 180_000);

  it('count towards the quotas with their stored rows', async () => {
    const { store: settings, environment } = await rig.settings();
    await run(environment, (padron) => new BatchClient(padron).ready(CREDIT, rows));
    const store = await openStore(settings, [...ledgerMigrations, ...batchMigrations]);
    for (const statement of undo.split(';').filter((text) => text.trim() !== '')) await store.query(statement);
    await store.close();
    await run({ ...environment, BATCH_ACCOUNT_ROWS: '5' }, async ({ url }) => {
      const { problems } = await new BatchClient({ url }).create({ operation: CREDIT, rows });
      expect(problems[0].message).toMatch(/^This account stores 3 of at most 5 rows/);
    });
  }, 180_000);
});
