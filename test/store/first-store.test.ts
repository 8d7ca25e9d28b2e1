import { findDrift } from '../../src/server/check/schema-drift';
import { openStore } from '../../src/store/open-store';
import { runPadron } from '../support/padrons/padron';
import { CREDIT } from '../support/requests/batches';
import { engineRig } from '../support/stores/engines';
import {
  firstStoreClient,
  firstStoreHeaders,
  firstStorePeople,
  firstStoreSettings,
  restoreFirstStore,
} from '../support/stores/first-store';
import { storeMigrations } from '../support/stores/store-migrations';

const { asked, ofBatch } = firstStorePeople;

/** A new table or column of version 1 needs a new dump until the first release: `npm run print:store`. */
describe('a dump of the store of version 1 on PostgreSQL', () => {
  const rig = engineRig('postgres');

  async function restore(): Promise<string> {
    const { environment } = await rig.emptySettings();
    const url = environment.DATABASE_URL ?? '';
    await restoreFirstStore(url);
    return url;
  }

  it('is migrated to the schema that a new store has', async () => {
    const store = await openStore({ kind: 'postgres', url: await restore() }, storeMigrations);
    const all = await store.query('SELECT name FROM padron_migrations WHERE number IS NOT NULL');
    expect(all).toHaveLength(storeMigrations.filter(({ number }) => number !== null).length);
    expect(await findDrift(store, storeMigrations)).toEqual([]);
    await store.close();
  });

  it('shows its entries, its budget and its batch, and takes new ones', async () => {
    const url = await restore();
    const padron = await runPadron({ environment: { ...firstStoreSettings, DATABASE_URL: url } });
    rig.atEnd(() => padron.stop());
    const entries = 'entries { tag purpose references outcome evidence { units billing } }';
    const person = `subject: { nss: "${asked}" }`;
    const read = `{ registryLedger { ${entries} } registryProofs(${person}) { ${entries} } registryBudgets { period units alertsAt } }`;
    const client = firstStoreClient(padron, firstStoreHeaders);
    const labels = { tag: 'north', purpose: 'hiring', references: ['file 17'] };
    const entry = { ...labels, outcome: 'FOUND', evidence: { units: 1, billing: 'CHARGED' } };
    const ofRow = { ...entry, tag: null, references: [] };
    expect(await client.ask(read)).toEqual({
      registryLedger: { entries: [ofRow, ofRow, entry] },
      registryProofs: { entries: [entry] },
      registryBudgets: [{ period: 'MONTH', units: 500, alertsAt: [50] }],
    });
    const store = await openStore({ kind: 'postgres', url }, storeMigrations);
    const [batch] = await store.query<{ readonly id: string }>('SELECT id FROM batch');
    await store.close();
    const rows = await client.rows(batch?.id ?? '');
    expect(rows.map(({ state, data: { person } }) => [state, person.credit.outcome])).toEqual(
      ofBatch.map(() => ['DONE', 'FOUND']),
    );
    expect((await client.ask(CREDIT, { nss: asked })).person.credit.outcome).toBe('FOUND');
    expect((await client.ask(read)).registryProofs.entries).toEqual([entry, entry]);
  });
});
