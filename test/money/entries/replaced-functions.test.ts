import { openStore } from '../../../src/store/open-store';
import type { Migration, Store } from '../../../src/store/store';
import { bothEngines, engineRig } from '../../support/stores/engines';
import { storeMigrations } from '../../support/stores/store-migrations';
import { callOf, charged, openCalls, writeEntries } from './calls';

/** Migrations of another version with the same tables. */
const changed = storeMigrations.map(
  (migration): Migration =>
    migration.kind === 'functions' ? { ...migration, sql: `${migration.sql}\n-- another version` } : migration,
);

const readSchema = async (store: Store) => [
  await store.query(
    `SELECT oid::regprocedure::text AS name FROM pg_proc WHERE proname LIKE 'ledger%' OR proname LIKE 'batch%' OR proname LIKE 'call%' ORDER BY 1`,
  ),
  await store.query(`SELECT tgname AS name FROM pg_trigger WHERE tgname LIKE 'ledger%' ORDER BY 1`),
];
const readSpent = async (store: Store) => (await store.query('SELECT spent, reserved FROM ledger_spend'))[0];

async function recordCalls(store: Store, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const call = callOf();
    expect(await openCalls(store, [call])).toEqual([]);
    await writeEntries(store, [charged(call)]);
  }
}

describe.each(bothEngines)('the functions of another version on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('are replaced, and the tables, the sums and the time zone stay', async () => {
    const { store: settings } = await rig.emptySettings();
    const before = await openStore(settings, storeMigrations);
    await before.query('SELECT ledger_set_time_zone($1, $2)', ['UTC', '']);
    await recordCalls(before, 2);
    const schema = await readSchema(before);
    await before.close();
    const after = await openStore(settings, changed);
    expect(await readSchema(after)).toEqual(schema);
    expect(schema.map((names) => names.length)).toEqual([34, 3]);
    expect(await after.query('SELECT time_zone FROM ledger_calendar')).toEqual([{ time_zone: 'UTC' }]);
    await recordCalls(after, 1);
    expect(await readSpent(after)).toEqual({ spent: 3, reserved: 0 });
    await after.close();
  });
});

describe('the functions of another version on PostgreSQL', () => {
  const rig = engineRig('postgres');

  it('are replaced by processes that start at the same time, while another process records calls', async () => {
    const { store: settings } = await rig.emptySettings();
    const running = await openStore(settings, storeMigrations);
    const recorded = recordCalls(running, 200);
    const starting = Array.from({ length: 6 }, () => openStore(settings, changed));
    const [, ...started] = await Promise.all([recorded, ...starting]);
    await recordCalls(running, 1);
    expect(await readSpent(running)).toEqual({ spent: 201, reserved: 0 });
    expect(await running.query(`SELECT count(*) AS count FROM padron_migrations`)).toEqual([
      { count: storeMigrations.length },
    ]);
    for (const store of [running, ...started]) await store.close();
  });
});
