import { saveBudget } from '../../../../src/money/ledger/budgets/stored-budgets';
import { openStore } from '../../../../src/store/open-store';
import type { Migration, Store } from '../../../../src/store/store';
import { bothEngines, engineRig } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';
import { storeMigrations } from '../../../support/stores/store-migrations';
import { type Call, callOf, charged, free, now, openCalls, unknown, writeEntries } from './calls';

describe.each(bothEngines)('the sums of budgets on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const store = storeForTests(rig);
  beforeEach(async () => {
    for (const table of ['ledger_entries', 'ledger_subjects', 'ledger_budgets', 'ledger_spend', 'ledger_events'])
      await store.query(`TRUNCATE ${table}`);
  });

  const write = (...entries: Parameters<typeof writeEntries>[1]) => writeEntries(store, entries);
  const open = (calls: readonly Call[], accounts?: readonly string[]) => openCalls(store, calls, accounts);
  const setBudget = (
    units: number,
    input: { readonly client?: string; readonly tag?: string } = {},
    accounts = ['a'],
  ) => saveBudget(store, accounts, { id: null, period: 'MONTH', units, alertsAt: [50, 100], ...input });
  /** Returns the spent, uncertain and reserved units of each budget, in the order of their units. */
  const sums = async (accounts: readonly string[] = ['a']) => {
    await store.query('SELECT ledger_start_periods($1, $2)', [accounts, now]);
    const rows = await store.query<{ spent: number; uncertain: number; reserved: number }>(
      'SELECT spent, uncertain, reserved FROM ledger_budgets ORDER BY units',
    );
    return rows.map(({ spent, uncertain, reserved }) => [spent, uncertain, reserved]);
  };

  it('of a new budget include the entries that were written before', async () => {
    const calls = [callOf(), callOf({ client: 'hr' }), callOf({ client: 'hr', tag: 'kyc', price: 5 })];
    await write(...calls.map(charged), unknown(callOf({ client: 'hr' })), charged(callOf({ account: 'b' })));
    await setBudget(10);
    await setBudget(20, { client: 'hr' });
    await setBudget(30, { client: 'hr', tag: 'kyc' });
    expect(await sums()).toEqual([
      [7, 1, 0],
      [6, 1, 0],
      [5, 0, 0],
    ]);
  });

  it('follow each opening, closing, release and settlement, also if an entry is written twice', async () => {
    await setBudget(10);
    const [first, second, third, fourth] = [callOf(), callOf(), callOf(), callOf({ price: 2 })];
    expect(await open([first, second, third, fourth])).toEqual([]);
    expect(await sums()).toEqual([[0, 0, 5]]);
    const closed = [charged(first), unknown(second), free(third), { ...free(fourth), outcome: 'RELEASED' }];
    for (const _ of [1, 2]) await write(...closed.map((entry) => ({ ...entry, opened: true })));
    expect(await sums()).toEqual([[1, 1, 0]]);
    expect(await store.query('SELECT count(*) AS entries FROM ledger_entries')).toEqual([{ entries: 3 }]);
    expect(await store.query('SELECT count(*) AS links FROM ledger_subjects')).toEqual([{ links: 3 }]);
    const settle = (billing: string, units: number) =>
      store.query(
        `UPDATE ledger_entries SET settled_billing = $1, settled_units = $2, settled_at = now() WHERE billing = 'UNKNOWN'`,
        [billing, units],
      );
    await settle('CHARGED', 1);
    expect(await sums()).toEqual([[2, 0, 0]]);
    await settle('NOT_CHARGED', 0);
    expect(await sums()).toEqual([[1, 0, 0]]);
  });

  it('equal the sums of the entries after random writes by four concurrent writers', async () => {
    await setBudget(60);
    await setBudget(70, { client: 'hr' });
    await setBudget(80, { tag: 'kyc' });
    const clients = [null, 'hr', 'sales'];
    const random = (count: number) => Math.floor(Math.random() * count);
    const writeAtRandom = async (): Promise<void> => {
      for (let turn = 0; turn < 15; turn += 1) {
        const calls = Array.from({ length: 1 + random(4) }, () =>
          callOf({ client: clients[random(3)] ?? null, tag: random(2) === 0 ? 'kyc' : null, price: 1 + random(3) }),
        );
        const refused = await open(calls);
        const sent = calls.filter((_, index) => !refused.some(([refusedIndex]) => refusedIndex === index));
        const endings = [charged, unknown, free, (call: Call) => ({ ...free(call), outcome: 'RELEASED' })];
        const closed = sent.slice(random(2)).map((call) => ({ ...(endings[random(4)] ?? free)(call), opened: true }));
        await write(...closed, charged(callOf({ client: clients[random(3)] ?? null })));
      }
    };
    await Promise.all([writeAtRandom(), writeAtRandom(), writeAtRandom(), writeAtRandom()]);
    const sumsOfEntries = await store.query(
      `SELECT b.units, coalesce(sum(coalesce(e.settled_units, e.units)), 0)::int8 AS spent,
         coalesce(sum(e.price) FILTER (WHERE e.billing = 'UNKNOWN' AND e.outcome <> 'OPEN'), 0)::int8 AS uncertain,
         coalesce(sum(e.price) FILTER (WHERE e.outcome = 'OPEN'), 0)::int8 AS reserved
       FROM ledger_budgets b LEFT JOIN ledger_entries e
         ON (b.client IS NULL OR e.client = b.client) AND (b.tag IS NULL OR e.tag = b.tag) GROUP BY b.units ORDER BY b.units`,
    );
    const sumsOfBudgets = await store.query(
      'SELECT units, spent, uncertain, reserved FROM ledger_budgets ORDER BY units',
    );
    expect(sumsOfBudgets).toEqual(sumsOfEntries);
    await store.query('UPDATE ledger_budgets SET first_day = NULL');
    await sums();
    expect(await store.query('SELECT units, spent, uncertain, reserved FROM ledger_budgets ORDER BY units')).toEqual(
      sumsOfBudgets,
    );
  });

  it('allow the calls of a group in their order, up to the last unit', async () => {
    await setBudget(3);
    await setBudget(5, { client: 'hr' });
    const calls = [callOf({ price: 2 }), callOf({ price: 2 }), callOf({ client: 'hr' }), callOf()];
    expect(await open(calls)).toEqual([
      [1, 1],
      [3, 0],
    ]);
    expect(await sums()).toEqual([
      [0, 0, 3],
      [0, 0, 1],
    ]);
  });

  it('are exact for groups of calls that are opened at the same time', async () => {
    await setBudget(20);
    const groups = Array.from({ length: 12 }, () => [callOf(), callOf(), callOf()]);
    const refused = await Promise.all(groups.map((calls) => open(calls)));
    expect(refused.flat()).toHaveLength(16);
    expect(await sums()).toEqual([[0, 0, 20]]);
  });

  it('include the entries of all names of the account', async () => {
    await write(charged(callOf({ account: 'old' })), charged(callOf({ account: 'new', price: 2 })));
    await setBudget(5, {}, ['old']);
    expect(await sums(['old'])).toEqual([[1, 0, 0]]);
    expect(await open([callOf({ account: 'new', price: 3 })], ['new', 'old'])).toEqual([[0, 2]]);
    expect(await sums(['new', 'old'])).toEqual([[3, 0, 0]]);
    await write(charged(callOf({ account: 'old' })), charged(callOf({ account: 'new' })));
    expect(await sums(['new', 'old'])).toEqual([[5, 0, 0]]);
  });

  it('record one alert for the highest percentage that is reached, and none for lower ones afterwards', async () => {
    const alerts = async () =>
      (await store.query('SELECT data FROM ledger_events ORDER BY number')).map(({ data }) => data);
    const reached = { budget: expect.any(String), units: 10 };
    await setBudget(10);
    await write(charged(callOf({ price: 4 })));
    await sums();
    expect(await alerts()).toEqual([]);
    await write(charged(callOf()));
    expect(await alerts()).toEqual([{ ...reached, percent: 50, spentUnits: 5 }]);
    // No process has begun to deliver the alert at 50 %, so the alert at 100 % replaces it.
    await write(charged(callOf({ price: 3 })), charged(callOf({ price: 2 })));
    expect(await alerts()).toEqual([{ ...reached, percent: 100, spentUnits: 10 }]);
    for (const units of [10, 20]) {
      await setBudget(units);
      await write(charged(callOf()));
      expect(await alerts()).toEqual([{ ...reached, percent: 100, spentUnits: 10 }]);
    }
  });

  it('are calculated again if the time zone changes', async () => {
    const dayOf = async () =>
      (await store.query<{ day: string }>('SELECT DISTINCT day FROM ledger_spend ORDER BY day')).map(({ day }) => day);
    const early = new Date(new Date(now.getTime() - 3 * 86_400_000).toISOString().slice(0, 10).concat('T03:00:00Z'));
    await write(charged(callOf({ at: early })));
    const mexican = await dayOf();
    await store.query('SELECT ledger_set_time_zone($1, $2)', ['UTC', '']);
    expect([await dayOf(), mexican]).toEqual([
      [early.toISOString().slice(0, 10)],
      [new Date(early.getTime() - 86_400_000).toISOString().slice(0, 10)],
    ]);
    await store.query('SELECT ledger_set_time_zone($1, $2)', ['America/Mexico_City', '']);
    expect(await dayOf()).toEqual(mexican);
  });
});

/** Migrations of another version with the same tables. */
const changed = storeMigrations.map(
  (migration): Migration =>
    migration.number === null ? { ...migration, sql: `${migration.sql}\n-- another version` } : migration,
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
    expect(schema.map((names) => names.length)).toEqual([39, 3]);
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
