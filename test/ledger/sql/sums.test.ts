import { saveBudget } from '../../../src/ledger/budgets/budget-rows';
import { EntryIds } from '../../../src/ledger/entry-id';
import { ledgerMigrations } from '../../../src/ledger/tables';
import { openStore } from '../../../src/store/open-store';
import { engineRig, engines } from '../../support/stores/engines';
import { storeForTests } from '../../support/stores/store-for-tests';

const now = new Date();
const ids = new EntryIds('TESTTEST');
const subject = ['nss', 'ab'.repeat(16), 'key'] as const;

interface CallParts {
  readonly account?: string;
  readonly client?: string | null;
  readonly tag?: string | null;
  readonly price?: number;
  readonly at?: Date;
}

const callOf = ({ account = 'a', client = null, tag = null, price = 1, at = now }: CallParts = {}) => ({
  id: ids.next(at),
  at: at.getTime(),
  account,
  client,
  tag,
  operation: null,
  request: null,
  batch: null,
  endpoint: 'POST /x',
  price,
  subjects: [subject],
});
type Call = ReturnType<typeof callOf>;

const closing = { status: 200, problem: null, served: 'LIVE', code: null, checked: null };
const charged = (call: Call) => ({ ...call, ...closing, outcome: 'FOUND', units: call.price, billing: 'CHARGED' });
const unknown = (call: Call) => ({ ...call, ...closing, outcome: 'UNAVAILABLE', units: 0, billing: 'UNKNOWN' });
const free = (call: Call) => ({ ...call, ...closing, outcome: 'UNAVAILABLE', units: 0, billing: 'NOT_CHARGED' });

describe.each(engines)('the sums of budgets on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const store = storeForTests(rig, ledgerMigrations);
  beforeEach(async () => {
    for (const table of ['ledger_entries', 'ledger_subjects', 'ledger_budgets', 'ledger_spend', 'ledger_alerts'])
      await store.query(`TRUNCATE ${table}`);
  });

  const write = (...entries: readonly object[]) =>
    store.query('SELECT ledger_write($1::json, $2)', [JSON.stringify(entries), 'p']);
  const open = async (calls: readonly Call[], accounts: readonly string[] = ['a'], at = now) =>
    (
      await store.query<{ readonly refused: string; readonly rest: number }>(
        'SELECT refused, rest FROM ledger_open($1::json, $2, $3)',
        [JSON.stringify(calls.map((call) => ({ ...call, accounts }))), 'p', at],
      )
    ).map(({ refused, rest }) => [calls.findIndex(({ id }) => id === refused), rest]);
  const give = (units: number, input: { readonly client?: string; readonly tag?: string } = {}, accounts = ['a']) =>
    saveBudget(store, accounts, { id: null, period: 'MONTH', units, alertsAt: [50, 100], ...input });
  /** Spent, uncertain and reserved units of each budget, in the order of their ceilings. */
  const sums = async (accounts: readonly string[] = ['a']) => {
    await store.query('SELECT ledger_roll($1, $2)', [accounts, now]);
    const rows = await store.query<{ spent: number; uncertain: number; reserved: number }>(
      'SELECT spent, uncertain, reserved FROM ledger_budgets ORDER BY units',
    );
    return rows.map(({ spent, uncertain, reserved }) => [spent, uncertain, reserved]);
  };

  it('take in what was entered before a budget was set, by the sums of days', async () => {
    const calls = [callOf(), callOf({ client: 'hr' }), callOf({ client: 'hr', tag: 'kyc', price: 5 })];
    await write(...calls.map(charged), unknown(callOf({ client: 'hr' })), charged(callOf({ account: 'b' })));
    await give(10);
    await give(20, { client: 'hr' });
    await give(30, { client: 'hr', tag: 'kyc' });
    expect(await sums()).toEqual([
      [7, 1, 0],
      [6, 1, 0],
      [5, 0, 0],
    ]);
  });

  it('move with each opening, closing, release and settlement, also when one is written twice', async () => {
    await give(10);
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

  it('are those of the entries, whatever is written in whatever order by several at once', async () => {
    await give(60);
    await give(70, { client: 'hr' });
    await give(80, { tag: 'kyc' });
    const clients = [null, 'hr', 'sales'];
    const random = (count: number) => Math.floor(Math.random() * count);
    const work = async (): Promise<void> => {
      for (let turn = 0; turn < 15; turn += 1) {
        const calls = Array.from({ length: 1 + random(4) }, () =>
          callOf({ client: clients[random(3)] ?? null, tag: random(2) === 0 ? 'kyc' : null, price: 1 + random(3) }),
        );
        const refused = await open(calls);
        const sent = calls.filter((_, index) => !refused.some(([place]) => place === index));
        const ends = [charged, unknown, free, (call: Call) => ({ ...free(call), outcome: 'RELEASED' })];
        const closed = sent.slice(random(2)).map((call) => ({ ...(ends[random(4)] ?? free)(call), opened: true }));
        await write(...closed, charged(callOf({ client: clients[random(3)] ?? null })));
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    const ofEntries = await store.query(
      `SELECT b.units, coalesce(sum(coalesce(e.settled_units, e.units)), 0)::int8 AS spent,
         coalesce(sum(e.price) FILTER (WHERE e.billing = 'UNKNOWN' AND e.outcome <> 'OPEN'), 0)::int8 AS uncertain,
         coalesce(sum(e.price) FILTER (WHERE e.outcome = 'OPEN'), 0)::int8 AS reserved
       FROM ledger_budgets b LEFT JOIN ledger_entries e
         ON (b.client IS NULL OR e.client = b.client) AND (b.tag IS NULL OR e.tag = b.tag) GROUP BY b.units ORDER BY b.units`,
    );
    const kept = await store.query('SELECT units, spent, uncertain, reserved FROM ledger_budgets ORDER BY units');
    expect(kept).toEqual(ofEntries);
    await store.query('UPDATE ledger_budgets SET first_day = NULL');
    await sums();
    expect(await store.query('SELECT units, spent, uncertain, reserved FROM ledger_budgets ORDER BY units')).toEqual(
      kept,
    );
  });

  it('let calls of one group through up to the unit, in their order', async () => {
    await give(3);
    await give(5, { client: 'hr' });
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

  it('are exact for several groups at once', async () => {
    await give(20);
    const groups = Array.from({ length: 12 }, () => [callOf(), callOf(), callOf()]);
    const refused = await Promise.all(groups.map((calls) => open(calls)));
    expect(refused.flat()).toHaveLength(16);
    expect(await sums()).toEqual([[0, 0, 20]]);
  });

  it('are those of an account under all names that its keys have given it', async () => {
    await write(charged(callOf({ account: 'old' })), charged(callOf({ account: 'new', price: 2 })));
    await give(5, {}, ['old']);
    expect(await sums(['old'])).toEqual([[1, 0, 0]]);
    expect(await open([callOf({ account: 'new', price: 3 })], ['new', 'old'])).toEqual([[0, 2]]);
    expect(await sums(['new', 'old'])).toEqual([[3, 0, 0]]);
    await write(charged(callOf({ account: 'old' })), charged(callOf({ account: 'new' })));
    expect(await sums(['new', 'old'])).toEqual([[5, 0, 0]]);
  });

  it('never open a call that was taken back while the store had not answered', async () => {
    await give(5);
    const call = callOf();
    await write({ ...free(call), outcome: 'NOT_RUN', served: 'NOT_SENT', subjects: [], opened: true });
    expect(await open([call])).toEqual([]);
    expect(await sums()).toEqual([[0, 0, 0]]);
  });

  it('note each percentage once', async () => {
    await give(4);
    await write(charged(callOf({ price: 2 })), charged(callOf()));
    await write(charged(callOf({ price: 5 })));
    expect(await store.query('SELECT percent, spent FROM ledger_alerts ORDER BY percent')).toEqual([]);
    await sums();
    await write(charged(callOf()));
    expect(await store.query('SELECT percent, spent FROM ledger_alerts ORDER BY percent')).toEqual([
      { percent: 50, spent: 9 },
      { percent: 100, spent: 9 },
    ]);
  });

  it('are those of another time zone once it is used', async () => {
    const dayOf = async () =>
      (await store.query<{ day: string }>('SELECT DISTINCT day FROM ledger_spend ORDER BY day')).map(({ day }) => day);
    const early = new Date(new Date(now.getTime() - 3 * 86_400_000).toISOString().slice(0, 10).concat('T03:00:00Z'));
    await write(charged(callOf({ at: early })));
    const mexican = await dayOf();
    await store.query('SELECT ledger_use_zone($1, $2)', ['UTC', '']);
    expect([await dayOf(), mexican]).toEqual([
      [early.toISOString().slice(0, 10)],
      [new Date(early.getTime() - 86_400_000).toISOString().slice(0, 10)],
    ]);
    await store.query('SELECT ledger_use_zone($1, $2)', ['America/Mexico_City', '']);
    expect(await dayOf()).toEqual(mexican);
  });

  it('are right in a store that the version before has made', async () => {
    const { store: settings } = await rig.settings();
    const before = await openStore(settings, ledgerMigrations.slice(0, 3));
    await before.query(
      `INSERT INTO ledger_budgets (id, account, client, tag, period, units, alerts_at) VALUES ('b', 'a', NULL, NULL, 'MONTH', 9, '{50}')`,
    );
    await before.query(`INSERT INTO ledger_budget_periods VALUES ('b', now(), 200, 3)`);
    await before.query(`INSERT INTO ledger_budget_slices VALUES ('b', now(), 'p', 'a', '0', 200)`);
    const row = `INSERT INTO ledger_entries (id, at, account, process, endpoint, outcome, units, price, billing, served_from)
      VALUES ($1, $2, 'a', 'p', 'POST /x', 'FOUND', $3, $4, $5, 'LIVE')`;
    await before.query(row, [ids.next(now), now, 3, 3, 'CHARGED']);
    await before.query(row, [ids.next(now), now, 0, 2, 'UNKNOWN']);
    await before.close();
    const after = await openStore(settings, ledgerMigrations);
    await after.query('SELECT ledger_roll($1, $2)', [['a'], now]);
    expect(await after.query('SELECT id, units, spent, uncertain, reserved FROM ledger_budgets')).toEqual([
      { id: 'b', units: 9, spent: 3, uncertain: 2, reserved: 0 },
    ]);
    await after.close();
  });
});
