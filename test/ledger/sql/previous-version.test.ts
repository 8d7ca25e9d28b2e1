import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerMigrations } from '../../../src/ledger/sql/migrations';
import { openStore } from '../../../src/store/open-store';
import type { Migration, Store } from '../../../src/store/store';
import { engineRig, engines } from '../../support/stores/engines';
import { callOf, charged, newId, now, openCalls, unknown, writeEntries } from './calls';

const functionsOf05 = readFileSync(join(__dirname, 'functions-of-ledger-05.sql'), 'utf8');

/** Migrations up to `name`, as padron released them. */
function migrationsUntil(name: string): readonly Migration[] {
  const count = ledgerMigrations.findIndex((migration) => migration.name === name) + 1;
  return ledgerMigrations
    .slice(0, count)
    .map((migration) =>
      migration.name === 'ledger-05-sums' ? { ...migration, sql: migration.sql + functionsOf05 } : migration,
    );
}

const insertBudget = (store: Store) =>
  store.query(
    `INSERT INTO ledger_budgets (id, account, client, tag, period, units, alerts_at) VALUES ('b', 'a', NULL, NULL, 'MONTH', 9, '{50}')`,
  );
const readBudget = async (store: Store) =>
  (await store.query('SELECT id, units, spent, uncertain, reserved FROM ledger_budgets'))[0];

describe.each(engines)('a store of an earlier version on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('keeps its sums, its open calls and its time zone when the functions get other names', async () => {
    const { store: settings } = await rig.settings();
    const before = await openStore(settings, migrationsUntil('ledger-05-sums'));
    await before.query('SELECT ledger_use_zone($1, $2)', ['UTC', '']);
    await insertBudget(before);
    await before.query("UPDATE ledger_budgets SET accounts = '{a}'");
    const [first, second, third] = [callOf({ price: 2 }), callOf({ price: 3 }), callOf()];
    expect(await openCalls(before, [first, second, third])).toEqual([]);
    await writeEntries(before, [{ ...charged(first), opened: true }]);
    expect(await readBudget(before)).toEqual({ id: 'b', units: 9, spent: 2, uncertain: 0, reserved: 4 });
    await before.close();

    const after = await openStore(settings, ledgerMigrations);
    expect(await after.query('SELECT time_zone FROM ledger_calendar')).toEqual([{ time_zone: 'UTC' }]);
    expect(await readBudget(after)).toEqual({ id: 'b', units: 9, spent: 2, uncertain: 0, reserved: 4 });
    expect(await openCalls(after, [callOf({ price: 4 }), callOf({ price: 3 })])).toEqual([[0, 3]]);
    await writeEntries(after, [
      { ...charged(second), opened: true },
      { ...unknown(third), opened: true },
    ]);
    expect(await readBudget(after)).toEqual({ id: 'b', units: 9, spent: 5, uncertain: 1, reserved: 3 });
    expect(await after.query('SELECT percent, spent FROM ledger_alerts')).toEqual([{ percent: 50, spent: 6 }]);
    await after.query('SELECT ledger_start_periods($1, $2)', [['a'], now]);
    expect(await readBudget(after)).toEqual({ id: 'b', units: 9, spent: 5, uncertain: 1, reserved: 3 });
    await after.close();
  });

  it('has the same functions and triggers as a new store', async () => {
    const listOf = async (store: Store) => [
      await store.query("SELECT proname AS name FROM pg_proc WHERE proname LIKE 'ledger%' ORDER BY proname"),
      await store.query("SELECT tgname AS name FROM pg_trigger WHERE tgname LIKE 'ledger%' ORDER BY tgname"),
    ];
    const { store: settings } = await rig.settings();
    await (await openStore(settings, migrationsUntil('ledger-05-sums'))).close();
    const migrated = await openStore(settings, ledgerMigrations);
    const created = await openStore((await rig.settings()).store, ledgerMigrations);
    const lists = await listOf(migrated);
    expect(lists).toEqual(await listOf(created));
    expect(lists.map((list) => list.length)).toEqual([13, 3]);
    for (const store of [migrated, created]) await store.close();
  });

  it('gets its sums from its entries if it is older than the sums', async () => {
    const { store: settings } = await rig.settings();
    const before = await openStore(settings, migrationsUntil('ledger-03-keys'));
    await insertBudget(before);
    await before.query(`INSERT INTO ledger_budget_periods VALUES ('b', now(), 200, 3)`);
    await before.query(`INSERT INTO ledger_budget_slices VALUES ('b', now(), 'p', 'a', '0', 200)`);
    const row = `INSERT INTO ledger_entries (id, at, account, process, endpoint, outcome, units, price, billing, served_from)
      VALUES ($1, $2, 'a', 'p', 'POST /x', 'FOUND', $3, $4, $5, 'LIVE')`;
    await before.query(row, [newId(), now, 3, 3, 'CHARGED']);
    await before.query(row, [newId(), now, 0, 2, 'UNKNOWN']);
    await before.close();
    const after = await openStore(settings, ledgerMigrations);
    await after.query('SELECT ledger_start_periods($1, $2)', [['a'], now]);
    expect(await readBudget(after)).toEqual({ id: 'b', units: 9, spent: 3, uncertain: 2, reserved: 0 });
    await after.close();
  });
});
