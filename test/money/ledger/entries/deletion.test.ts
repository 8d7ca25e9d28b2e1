import { setTimeout as sleep } from 'node:timers/promises';
import { AuditTrail } from '../../../../src/money/ledger/audit/audit-trail';
import { purgeLedger } from '../../../../src/money/ledger/entries/ledger-purge';
import { Purge, type PurgeObserver } from '../../../../src/money/ledger/entries/purge';
import { StatementError } from '../../../../src/store/store';
import { bothEngines, engineRig, ownServerRig } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';
import { type Call, callOf, charged, now, openCalls, subject, writeEntries } from './calls';
import { insertRow } from './ledger-rows';

/** Returns a time so many months before or after now. */
const monthsAgo = (months: number): Date => new Date(Date.now() - months * 30.5 * 86_400_000);

describe.each(bothEngines)('the purge on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const store = storeForTests(rig);
  const { signal } = new AbortController();

  const countOf = async (table: string): Promise<unknown> =>
    (await store.query<{ readonly n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n;
  /** Returns the numbers of deleted rows. A purge that would empty the ledger is confirmed. */
  const purge = async (ledgerMonths: number, subjectMonths: number, confirmedDay: string | null = '9999-01-01') => {
    const held: string[] = [];
    const retention = { ledgerMonths, subjectMonths, confirmedDay };
    const rows = await purgeLedger(store, signal, retention, (day) => held.push(day));
    const counted = Object.entries(rows).filter(([table, count]) => count > 0 && table !== 'ledger_spend');
    return { rows: Object.fromEntries(counted), held };
  };
  beforeEach(() => store.query('TRUNCATE ledger_entries, ledger_subjects, ledger_labels'));
  const isLive = (id: string, settings: object) =>
    store.query('INSERT INTO processes VALUES ($1, $2, now(), $3)', [id, 'service', JSON.stringify(settings)]);
  const subjects = [{ kind: 'nss', value: '04159600263' } as const];
  const insertOld = (...months: readonly number[]) =>
    Promise.all(
      months.map((age) =>
        insertRow(store, { at: monthsAgo(age).toISOString(), subjects, client: `${age}`, tag: null }),
      ),
    );

  it('deletes expired links and expired entries, and nothing else', async () => {
    await insertOld(13, 2, 0);
    expect((await purge(60, 24)).rows).toEqual({});
    // The client of 13 months ago has made no other call.
    expect((await purge(12, 1)).rows).toMatchObject({ ledger_subjects: 2, ledger_entries: 1 });
    expect(await countOf('ledger_labels')).toBe(2);
    expect([await countOf('ledger_entries'), await countOf('ledger_subjects')]).toEqual([2, 1]);
    // A deleted entry loses its links, even if links are kept longer than entries.
    expect((await purge(1, 24)).rows).toMatchObject({ ledger_entries: 1 });
    expect([await countOf('ledger_entries'), await countOf('ledger_subjects')]).toEqual([1, 1]);
    expect(await store.query('SELECT client FROM ledger_labels')).toEqual([{ client: '0' }]);
  });

  it('keeps what any live process keeps, and applies a shorter time when all have it', async () => {
    await insertOld(13, 2, 0);
    await isLive('long', { LEDGER_MONTHS: 60, SUBJECT_MONTHS: 3 });
    await isLive('short', { LEDGER_MONTHS: 12, SUBJECT_MONTHS: 24 });
    expect((await purge(1, 1)).rows).toEqual({});
    await store.query("DELETE FROM processes WHERE id = 'short'");
    expect((await purge(1, 1)).rows).toMatchObject({ ledger_subjects: 1 });
    await store.query("DELETE FROM processes WHERE id = 'long'");
    expect((await purge(1, 1)).rows).toMatchObject({ ledger_subjects: 1, ledger_entries: 2 });
  });

  it('deletes the IDs of keys that were last used before the retention period', async () => {
    await store.query("INSERT INTO ledger_keys VALUES ('old', $1), ('new', $2)", [monthsAgo(13), monthsAgo(1)]);
    expect((await purge(12, 12)).rows).toEqual({ ledger_keys: 1 });
    expect(await store.query('SELECT id FROM ledger_keys')).toEqual([{ id: 'new' }]);
  });

  it('deletes records of erasures when no link could be older', async () => {
    const sql = "INSERT INTO ledger_erasures VALUES ('a', '\\x01', $1), ('a', '\\x02', $2)";
    await store.query(sql, [monthsAgo(13), monthsAgo(1)]);
    expect((await purge(24, 12)).rows).toEqual({ ledger_erasures: 1 });
    expect(await store.query("SELECT encode(hash, 'hex') AS hash FROM ledger_erasures")).toEqual([{ hash: '02' }]);
  });

  it('deletes expired audit records and events that were delivered, and no others', async () => {
    const actor = { accounts: ['a'], logAccount: 'l', client: null, actor: null, requestId: 'r' };
    const moments = [monthsAgo(13), monthsAgo(1)];
    for (const moment of moments) {
      const trail = new AuditTrail(
        store,
        () => moment,
        () => undefined,
      );
      await trail.of(actor).add({ action: 'SEARCH_PROOFS', scope: null, details: {} });
    }
    await store.query(
      `INSERT INTO ledger_events (key, type, subject, data, state, at) SELECT s.state || t.at, 'type', 'subject', '{}', s.state, t.at
       FROM (VALUES ('PENDING'), ('LOGGED')) AS s(state), (VALUES ($1::timestamptz), ($2::timestamptz)) AS t(at)`,
      moments,
    );
    expect((await purge(12, 12)).rows).toEqual({ ledger_audit: 1, ledger_events: 1 });
    expect(await store.query('SELECT at FROM ledger_audit')).toEqual([{ at: moments[1] }]);
    expect(await countOf('ledger_events')).toBe(3);
  });

  it('deletes all expired entries in chunks', async () => {
    await store.query(
      `INSERT INTO ledger_entries (id, at, account, process, endpoint, outcome, units, price, billing, served_from)
       SELECT '0000' || n, now(), 'a' || n % 3, 'p', 'e', 'FOUND', 1, 1, 'CHARGED', 'LIVE' FROM generate_series(1, 5000) n`,
    );
    await insertOld(1);
    expect((await purge(12, 12)).rows).toMatchObject({ ledger_entries: 5_000 });
    expect(await countOf('ledger_entries')).toBe(1);
  });

  it.each([
    ['entry', 13, 60],
    ['link', 60, 13],
  ])('of the embedded engine leaves an %s, unless an operator has confirmed the newest day', async (_, ...months) => {
    const [newest = ''] = [monthsAgo(14).toISOString().slice(0, 10)];
    await insertOld(15, 14);
    const isHeld = engine === 'embedded';
    for (const day of [null, '2020-01-01']) {
      if (!isHeld) break;
      expect(await purge(...(months as [number, number]), day)).toEqual({ rows: {}, held: [newest] });
    }
    const { rows, held } = await purge(...(months as [number, number]), newest);
    expect([rows.ledger_subjects, held]).toEqual([2, []]);
  });
});

describe('the schedule of the purge', () => {
  const observed = () => {
    const lines: (readonly [string, unknown])[] = [];
    const observer: PurgeObserver = {
      rowsDeleted: (rows) => lines.push(['deleted', rows]),
      clockDiffers: (seconds) => lines.push(['clock', seconds]),
      purgeFailed: (error) => lines.push(['failed', error]),
    };
    return { lines, observer };
  };
  const store = storeForTests(engineRig());

  it('runs again after failures until it is stopped, and reports what each job has deleted', async () => {
    const { lines, observer } = observed();
    const failing = () => store.query('SELECT FROM nothing').then(() => ({}));
    const deleting = async () => ({ one: 1, other: 0 });
    const purge = new Purge(store, [failing, deleting], () => new Date(), observer);
    purge.start({ first: 1, every: 1 });
    while (lines.length < 6) await sleep(5);
    await purge.stop();
    const count = lines.length;
    await sleep(50);
    expect(lines).toHaveLength(count);
    expect(lines.slice(0, 2)).toEqual([
      ['failed', expect.any(StatementError)],
      ['deleted', { one: 1 }],
    ]);
  });

  it.each([-200, 200])(
    'deletes nothing if its clock is %i seconds ahead of the store, and says so',
    async (seconds) => {
      const { lines, observer } = observed();
      const deleting = jest.fn(async () => ({ one: 1 }));
      await new Purge(store, [deleting], () => new Date(Date.now() + seconds * 1_000), observer).run();
      expect(lines).toEqual([['clock', seconds]]);
      expect(deleting).not.toHaveBeenCalled();
      await new Purge(store, [deleting], () => new Date(Date.now() + seconds * 500), observer).run();
      expect(deleting).toHaveBeenCalled();
    },
  );
});

const later = <Entry extends Call>(call: Entry) => ({ ...call, began: now.getTime() + 1 });

describe.each(bothEngines)('a recorded erasure on the %s engine', (engine) => {
  // Only a superuser may read the files of a server.
  const rig = ownServerRig(engine);
  const store = storeForTests(rig);
  beforeEach(() => store.query('DELETE FROM ledger_subjects'));

  const erase = async (): Promise<unknown> => {
    const rows = await store.query('SELECT person_erase($1, $2, $3) AS entries', [['a'], [subject[1]], now]);
    return rows[0]?.entries;
  };
  const linked = async (): Promise<readonly unknown[]> =>
    (await store.query('SELECT entry_id AS id FROM ledger_subjects ORDER BY 1')).map(({ id }) => id);

  it('leaves entries unlinked that are written later', async () => {
    await erase();
    const [before, after, otherAccount] = [callOf(), later(callOf()), callOf({ account: 'b' })];
    await writeEntries(store, [before, after, otherAccount].map(charged));
    expect(await linked()).toEqual([after.id, otherAccount.id].sort());
    expect(await store.query('SELECT 1 FROM ledger_entries WHERE id = $1', [before.id])).toHaveLength(1);
  });

  it('leaves calls unlinked that are opened later', async () => {
    await erase();
    const [before, after] = [callOf(), later(callOf())];
    expect(await openCalls(store, [before, after])).toEqual([]);
    await writeEntries(store, [charged(before)]);
    expect(await linked()).toEqual([after.id]);
  });

  it('finds a link that another payer of the account wrote before the entry', async () => {
    const paid = callOf();
    const link = { ...later(charged(paid)), outcome: 'LINKED' };
    const ofOther = { ...link, account: 'b', id: callOf().id };
    await writeEntries(store, [link, link, ofOther]);
    expect(await linked()).toEqual([paid.id, ofOther.id].sort());
    expect(await erase()).toBe(1);
    await writeEntries(store, [charged(paid)]);
    expect(await linked()).toEqual([ofOther.id]);
    await writeEntries(store, [link]);
    expect(await linked()).toEqual([paid.id, ofOther.id].sort());
    expect(await erase()).toBe(1);
    expect(await store.query('SELECT outcome FROM ledger_entries WHERE id = $1', [paid.id])).toEqual([
      { outcome: 'FOUND' },
    ]);
  });

  it('leaves the hash in no file of a table but that of erasures, after VACUUM FULL and a checkpoint', async () => {
    const filesWithHash = async (): Promise<readonly unknown[]> => {
      await store.query('CHECKPOINT');
      const found = await store.query(
        `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i')
          AND position(decode($1, 'hex') IN pg_read_binary_file(pg_relation_filepath(c.oid))) > 0 ORDER BY 1`,
        [subject[1]],
      );
      return found.map(({ name }) => name);
    };
    await writeEntries(store, [charged(later(callOf()))]);
    expect(await filesWithHash()).toEqual(expect.arrayContaining(['ledger_subjects', 'ledger_subjects_by_hash']));
    await erase();
    await store.query('VACUUM FULL ledger_subjects');
    expect(await filesWithHash()).toEqual(['ledger_erasures', 'ledger_erasures_pkey']);
  });
});
