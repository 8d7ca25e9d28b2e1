import type { BatchEstimate } from '../../../../src/extensions/batch/batch';
import { BatchStore } from '../../../../src/extensions/batch/storage/batch-store';
import { EventStore } from '../../../../src/money/ledger/events/event-store';
import { bothEngines, engineRig } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';

describe.each(bothEngines)('the events in the store on the %s engine', (engine) => {
  const store = storeForTests(engineRig(engine));
  const events = new EventStore(store);
  beforeEach(() => store.query('DELETE FROM ledger_events'));

  it('say in turn that a registry is paused and that it answers, although several processes report it', async () => {
    const report = (reason: string | null) =>
      Promise.all([1, 2, 3].map(() => events.recordRegistry('housing', reason, 0)));
    for (const reason of [null, 'REGISTRY_TIMEOUT', 'REGISTRY_ERROR', null, null, 'REGISTRY_UNREACHABLE', null])
      await report(reason);
    const { events: found } = await events.page(['any'], null, { first: 10, after: null });
    expect(found.map(({ type, data }) => [type, data.reason]).reverse()).toEqual([
      ['registry.paused', 'REGISTRY_TIMEOUT'],
      ['registry.resumed', null],
      ['registry.paused', 'REGISTRY_UNREACHABLE'],
      ['registry.resumed', null],
    ]);
  });

  it('do not say that a registry answers because of an answer from before its pause', async () => {
    const typesAfter = async (reason: string | null, ageMs: number) => {
      await events.recordRegistry('tax', reason, ageMs);
      const { events: found } = await events.page(['any'], null, { first: 10, after: null });
      return found.map(({ type }) => type).reverse();
    };
    expect(await typesAfter('REGISTRY_TIMEOUT', 3_000)).toEqual(['registry.paused']);
    expect(await typesAfter(null, 60_000)).toEqual(['registry.paused']);
    expect(await typesAfter(null, 2_000)).toEqual(['registry.paused', 'registry.resumed']);
    expect(await typesAfter('REGISTRY_TIMEOUT', 2_500)).toEqual(['registry.paused', 'registry.resumed']);
    expect(await typesAfter('REGISTRY_TIMEOUT', 1_000)).toHaveLength(3);
  });

  it('are left to a process with a receiver for ten seconds, can be sent after they were only logged, and fail if their receiver is gone', async () => {
    for (const [id, attempts, age] of [
      ['new', 0, 5],
      ['begun', 1, 60],
      ['left', 0, 11],
      ['refused', 9, 97 * 3_600],
    ] as const)
      await store.query(
        `INSERT INTO ledger_events (id, key, accounts, type, subject, data, attempts, queued_at)
         VALUES ($1, $1, ARRAY['a'], 'test', $1, '{}', $2, now() - make_interval(secs => $3))`,
        [id, attempts, age],
      );
    expect((await events.takePending()).map(({ id }) => id).sort()).toEqual(['left', 'refused']);
    const listed = async () => (await events.page(['a'], null, { first: 10, after: null })).events;
    expect((await listed()).map(({ id, state }) => [id, state])).toEqual([
      ['refused', 'FAILED'],
      ['begun', 'PENDING'],
      ['new', 'PENDING'],
    ]);
    expect(await events.resend(['b'], 'left', true)).toBeNull();
    expect(await events.resend(['a'], 'left', false)).toMatchObject({ id: 'left', state: 'PENDING' });
    expect(await listed()).toHaveLength(4);
  });

  it('say once per period that a budget has reached a percentage', async () => {
    await store.query(
      `INSERT INTO ledger_budgets (id, account, accounts, period, units, alerts_at, first_day)
       VALUES ('b', 'a', ARRAY['a'], 'DAY', 100, ARRAY[50, 80, 100], '2026-03-01')`,
    );
    const percentsAt = async (spent: number) => {
      await store.query('UPDATE ledger_budgets SET spent = $1', [spent]);
      await store.query(`SELECT ledger_record_alerts(ARRAY['b'], false)`);
      await store.query('UPDATE ledger_events SET attempts = 1');
      const { events: found } = await events.page(['a'], null, { first: 10, after: null });
      return found.map(({ data }) => data.percent).reverse();
    };
    expect(await percentsAt(49)).toEqual([]);
    expect(await percentsAt(50)).toEqual([50]);
    expect(await percentsAt(60)).toEqual([50]);
    expect(await percentsAt(100)).toEqual([50, 100]);
    // Units were given back. The percentages between were not reported, because a higher one was.
    expect(await percentsAt(85)).toEqual([50, 100]);
    await store.query(`UPDATE ledger_budgets SET first_day = '2026-03-02'`);
    expect(await percentsAt(85)).toEqual([50, 100, 80]);
    await store.query('DELETE FROM ledger_budgets');
  });

  it('say that a batch is ready only if it has a price', async () => {
    await store.query(
      `INSERT INTO batch (id, account, owner, fingerprint, state, sandbox, uses_server_token, language, retention_days, expires_at)
       VALUES ('b', 'a', 'o', 'f', 'PRICING', true, false, 'en', 1, now())`,
    );
    const batches = new BatchStore(store);
    const readies = async () => (await events.page(['a'], null, { first: 10, after: null })).events.length;
    expect(await batches.endPricing('b', null, [])).toBe(true);
    expect(await readies()).toBe(0);
    await store.query(`UPDATE batch SET state = 'PRICING'`);
    const estimate: BatchEstimate = {
      ...{ rowCount: 0, endpoints: [], estimatedUnits: 0, atMost: 0, bounded: true },
      ...{ invalidRows: 0, costliestRow: null, earlier: null, reusing: null, problems: [] },
    };
    expect(await batches.endPricing('b', estimate, [])).toBe(true);
    expect(await readies()).toBe(1);
    await store.query('DELETE FROM batch');
  });

  it('tell each account once a day of its unsettled calls, without those that are still running', async () => {
    const insert = (
      id: string,
      account: string,
      price: number,
      outcome = 'UNAVAILABLE',
      settled: string | null = null,
    ) =>
      store.query(
        `INSERT INTO ledger_entries (id, at, account, process, endpoint, outcome, units, price, billing, served_from, settled_billing)
         VALUES ($1, '2026-03-01T05:00:00Z', $2, 'p', 'POST /x', $4, 0, $3, 'UNKNOWN', 'LIVE', $5)`,
        [id, account, price, outcome, settled],
      );
    await insert('1', 'a', 2);
    await insert('2', 'a', 3);
    await insert('3', 'a', 9, 'UNAVAILABLE', 'CHARGED');
    await insert('4', 'b', 1);
    await insert('5', 'b', 7, 'OPEN');
    const dataOf = async (account: string) => {
      const { events: found } = await events.page([account], null, { first: 10, after: null });
      return found.map(({ type, data }) => [type, data]).reverse();
    };
    // In Mexico City the day begins at 06:00 UTC.
    for (const time of ['05:10', '05:59', '06:01', '07:00'])
      await Promise.all([1, 2].map(() => events.recordUnsettled(new Date(`2026-03-01T${time}:00Z`))));
    expect(await dataOf('a')).toEqual(Array(2).fill(['ledger.unsettled', { calls: 2, units: 5 }]));
    // An open call that is older than 15 minutes was interrupted.
    expect(await dataOf('b')).toEqual([
      ['ledger.unsettled', { calls: 1, units: 1 }],
      ['ledger.unsettled', { calls: 2, units: 8 }],
    ]);
    await store.query('UPDATE ledger_entries SET settled_billing = billing');
    await events.recordUnsettled(new Date('2026-03-03T00:00:00Z'));
    expect(await dataOf('a')).toHaveLength(2);
  });
});
