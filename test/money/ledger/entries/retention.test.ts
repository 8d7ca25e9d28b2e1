import { firstIdOf } from '../../../../src/money/ledger/entries/entry-json';
import { purgeLedger } from '../../../../src/money/ledger/entries/ledger-purge';
import { bothEngines, engineRig } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';
import { callOf, charged, openCalls, subject, writeEntries } from './calls';
import { hashUnder, insertRow } from './ledger-rows';

const monthsAgo = (months: number): Date => new Date(Date.now() - months * 30.5 * 86_400_000);
const PURPOSES = 'hiring:6,audit,credit:120';
const person = { kind: 'nss', value: '04159600263' } as const;

describe.each(bothEngines)('the periods of purposes on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const store = storeForTests(rig);
  const { signal } = new AbortController();
  beforeEach(() =>
    store.query(
      'TRUNCATE ledger_entries, ledger_subjects, ledger_blocked, ledger_purged, ledger_erasures, ledger_keys, ledger_audit, processes',
    ),
  );

  const held: string[] = [];
  const purge = async (purposes: string | null = PURPOSES, settings = {}) => {
    const retention = { ledgerMonths: 60, subjectMonths: 24, confirmedDay: null, purposes, ...settings };
    const rows = await purgeLedger(store, signal, retention, (day) => held.push(day));
    return Object.fromEntries(Object.entries(rows).filter(([table, count]) => count > 0 && table !== 'ledger_spend'));
  };
  const insert = async (purpose: string | null, ...months: readonly number[]): Promise<void> => {
    for (const age of months)
      await insertRow(store, { at: monthsAgo(age).toISOString(), purpose, subjects: [person], client: `${age}` });
  };
  /** Returns the purposes and ages of the entries of a table, the oldest first. */
  const left = async (table = 'ledger_subjects'): Promise<readonly string[]> => {
    const [key, age] = table === 'ledger_entries' ? ['id', 'e'] : ['entry_id', 't'];
    const sql = `SELECT coalesce(e.purpose, '-') || ' ' || e.client AS name FROM ${table} t JOIN ledger_entries e ON e.id = t.${key} ORDER BY ${age}.${age === 'e' ? 'id' : key}`;
    return (await store.query<{ readonly name: string }>(sql)).map(({ name }) => name);
  };
  const isLive = (id: string, settings: object) =>
    store.query('INSERT INTO processes VALUES ($1, $2, now(), $3)', [id, 'service', JSON.stringify(settings)]);
  const erase = async (): Promise<unknown> => {
    const hashes = [hashUnder('old key', person), subject[1]];
    const sql = 'SELECT person_erase($1, $2, now(), $3) AS entries';
    return (await store.query(sql, [['a'], hashes, PURPOSES]))[0]?.entries;
  };

  it.each([
    [1_200, 1_200, null],
    [1, 1, 'credit:1200'],
  ])('may begin before 1970: %i and %i months, and %s', async (ledgerMonths, subjectMonths, purposes) => {
    await insert('credit', 100, 1);
    expect(await purge(purposes, { ledgerMonths, subjectMonths })).toEqual({});
    expect(await left()).toEqual(['credit 100', 'credit 1']);
  });

  it('delete the links of each entry by its own purpose, and say how many of which', async () => {
    await insert('credit', 119, 30, 5);
    await insert('hiring', 30, 7, 5);
    await insert('audit', 30, 7);
    await insert(null, 30, 7);
    expect(await purge()).toEqual({
      ...{ ledger_subjects: 4, 'ledger_subjects of hiring': 2 },
    });
    expect(await left()).toEqual(['credit 119', 'credit 30', 'audit 7', '- 7', 'credit 5', 'hiring 5']);
    expect(held).toEqual([]);
  });

  it('keep an entry at least as long as its links, and never shorter than LEDGER_MONTHS', async () => {
    await insert('credit', 125, 119, 61);
    await insert('hiring', 61, 59);
    await insert(null, 61, 59, 1);
    expect(await purge()).toMatchObject({
      ledger_entries: 3,
      'ledger_entries of credit': 1,
      'ledger_entries of hiring': 1,
    });
    expect(await left('ledger_entries')).toEqual(['credit 119', 'credit 61', 'hiring 59', '- 59', '- 1']);
    expect(await left()).toEqual(['credit 119', 'credit 61', '- 1']);
  });

  it('are the longest of all live processes, also of those that name no months', async () => {
    await insert('hiring', 20, 9, 7, 1);
    await isLive('earlier', { LEDGER_MONTHS: 60, SUBJECT_MONTHS: 12, PURPOSES: 'hiring' });
    expect(await purge()).toEqual({ ledger_subjects: 1, 'ledger_subjects of hiring': 1 });
    await store.query('DELETE FROM processes');
    await isLive('longer', { LEDGER_MONTHS: 60, SUBJECT_MONTHS: 1, PURPOSES: 'hiring:8' });
    expect(await purge()).toMatchObject({ 'ledger_subjects of hiring': 1 });
    await store.query('DELETE FROM processes');
    expect(await purge()).toMatchObject({ 'ledger_subjects of hiring': 1 });
    expect(await left()).toEqual(['hiring 1']);
  });

  it('are applied to entries that had been looked at, if they change', async () => {
    await insert('credit', 70, 40, 30);
    await insert(null, 1);
    expect(await purge()).toEqual({});
    expect(await purge('hiring:6,credit:36')).toMatchObject({
      'ledger_subjects of credit': 2,
      'ledger_entries of credit': 1,
    });
    expect(await purge(null)).toMatchObject({ ledger_subjects: 1 });
    expect(await left()).toEqual(['- 1']);
  });

  it('look again only at what has expired since the last purge, and once a day at entries that a kept answer may be linked to', async () => {
    await insert('hiring', 40, 11, 1);
    await purge();
    const relink = async (): Promise<void> => {
      await store.query(`INSERT INTO ledger_subjects (hash, entry_id, kind, key_version)
        SELECT '\\x07', id, 'reference', 'k' FROM ledger_entries WHERE client <> '1'`);
    };
    await relink();
    expect(await purge()).toEqual({});
    await store.query(`UPDATE ledger_purged SET at = at - interval '1 day'`);
    expect(await purge()).toMatchObject({ 'ledger_subjects of hiring': 1 });
    expect(await left()).toEqual(['hiring 40', 'hiring 1']);
    // The clock of the store was wrong.
    await store.query(`UPDATE ledger_purged SET at = at + interval '10 years'`);
    expect(await purge()).toMatchObject({ 'ledger_subjects of hiring': 1 });
    expect(await left()).toEqual(['hiring 1']);
  });

  it('delete any number of entries of several accounts in chunks, between entries that stay', async () => {
    await store.query(
      `INSERT INTO ledger_entries (id, at, account, process, purpose, endpoint, outcome, units, price, billing, served_from)
       SELECT '${firstIdOf(monthsAgo(200))}' || lpad(n::text, 8, '0'), now(), 'a' || n % 2, 'p', CASE n % 3 WHEN 0 THEN 'credit' WHEN 1 THEN 'hiring' END, 'e', 'FOUND', 1, 1, 'CHARGED', 'LIVE'
       FROM generate_series(1, 15000) n`,
    );
    await store.query(
      `INSERT INTO ledger_subjects (hash, entry_id, kind, key_version) SELECT '\\x01', id, 'nss', 'k' FROM ledger_entries`,
    );
    await insert(null, 1);
    expect(await purge('hiring:6,credit:1200', { confirmedDay: '9999-01-01' })).toEqual({
      ...{ ledger_subjects: 10_000, 'ledger_subjects of hiring': 5_000 },
      ...{ ledger_entries: 10_000, 'ledger_entries of hiring': 5_000 },
    });
    const [row] = await store.query(`SELECT count(*)::int AS links FROM ledger_subjects`);
    expect(row).toEqual({ links: 5_001 });
  });

  it('keep keys, audit records and the record of an erasure as long as the links that need them', async () => {
    await store.query(`INSERT INTO ledger_keys VALUES ('in use', $1), ('expired', $2)`, [
      monthsAgo(100),
      monthsAgo(125),
    ]);
    await store.query(`INSERT INTO ledger_erasures VALUES ('a', '\\x01', $1), ('a', '\\x02', $2)`, [
      ...[monthsAgo(100), monthsAgo(125)],
    ]);
    await store.query(
      `INSERT INTO ledger_audit SELECT r.id, r.at, 'a', NULL, NULL, NULL, 'r', 'ERASE_SUBJECT', 'DONE', '{}' FROM (VALUES ($1, $2::timestamptz), ($3, $4)) r(id, at)`,
      [100, 125].map(monthsAgo).flatMap((moment) => [`${firstIdOf(moment)}X`, moment]),
    );
    await insert('credit', 100);
    await insert(null, 1);
    expect(await purge()).toEqual({ ledger_keys: 1, ledger_erasures: 1, ledger_audit: 1 });
    expect(await purge(null)).toMatchObject({ ledger_keys: 1, ledger_erasures: 1, ledger_audit: 1 });
  });

  if (engine === 'embedded')
    it.each([
      ['is held if the newest entry is older than the shortest period', 'credit', 100, 1],
      ['is not held if a newer entry has any purpose', 'credit', 1, 0],
    ])('%s', async (_, newest, age, days) => {
      held.length = 0;
      await insert(newest, age);
      await insert('hiring', 110);
      const rows = await purge();
      expect([held.length, Object.keys(rows).length > 0]).toEqual([days, days === 0]);
    });

  it('block the links of an erased person until the period ends, and then they are deleted', async () => {
    await insert('credit', 119.5, 30);
    await insert('hiring', 7, 5);
    await insert(null, 2);
    expect(await erase()).toBe(5);
    expect(await left()).toEqual([]);
    expect(await left('ledger_blocked')).toEqual(['credit 119.5', 'credit 30', 'hiring 5']);
    const ends = `SELECT b.months, b.until = e.at + make_interval(months => b.months) AS ends FROM ledger_blocked b JOIN ledger_entries e ON e.id = b.entry_id ORDER BY e.id`;
    expect(await store.query(ends)).toEqual([120, 120, 6].map((months) => ({ months, ends: true })));
    expect(await purge()).toEqual({});
    expect(await erase()).toBe(3);
    // Two months later.
    await store.query(`UPDATE ledger_blocked SET until = until - interval '2 months'`);
    expect(await purge()).toEqual({
      ...{ ledger_blocked: 2, 'ledger_blocked of credit': 1, 'ledger_blocked of hiring': 1 },
    });
    expect(await left('ledger_blocked')).toEqual(['credit 30']);
  });

  it('block also for a process that names fewer months than another live one', async () => {
    await isLive('longer', { PURPOSES: 'audit:24,credit:240' });
    await insert('credit', 130, 119);
    await insert('audit', 23, 25);
    expect(await erase()).toBe(4);
    expect(await left('ledger_blocked')).toEqual(['credit 130', 'credit 119', 'audit 23']);
    expect(await store.query('SELECT DISTINCT months FROM ledger_blocked ORDER BY 1')).toEqual([
      { months: 24 },
      { months: 240 },
    ]);
  });

  it('keep an entry and its key while its links are blocked, although the purpose has fewer months now', async () => {
    await insert('credit', 100);
    await insert(null, 100, 1);
    await store.query(`INSERT INTO ledger_keys VALUES ('k', $1)`, [monthsAgo(100)]);
    await erase();
    for (const purposes of ['credit:61', null]) await purge(purposes);
    expect(await left('ledger_entries')).toEqual(['credit 100', '- 1']);
    expect(await store.query('SELECT id FROM ledger_keys')).toEqual([{ id: 'k' }]);
    await store.query(`UPDATE ledger_blocked SET until = now() - interval '1 second'`);
    expect(await purge(null)).toMatchObject({ ledger_blocked: 1, ledger_entries: 1, ledger_keys: 1 });
  });

  it('block the links of calls that were under way at the erasure, and not those of later requests', async () => {
    const began = { began: Date.now() - 60_000, subjects: [subject, ['answer', 'cd'.repeat(16), 'key', 'AA==']] };
    const credit = (values = {}) => ({ ...callOf(), purpose: 'credit', ...began, ...values });
    const [opened, unopened, unlinked] = [credit({ subjects: [subject] }), credit(), credit({ purpose: 'audit' })];
    expect(await openCalls(store, [opened as never])).toEqual([]);
    await isLive('me', { PURPOSES });
    expect(await erase()).toBe(1);
    const later = { ...credit(), began: Date.now() + 60_000, subjects: [subject] };
    const written = [{ ...opened, subjects: began.subjects }, unopened, unlinked, later].map((call) =>
      charged(call as never),
    );
    // The outcome is written again if its confirmation was lost.
    for (let times = 0; times < 2; times += 1) await writeEntries(store, written);
    await writeEntries(store, [{ ...written[2], outcome: 'RELEASED' } as never]);
    const idsOf = async (table: string, kind: string) =>
      (await store.query(`SELECT entry_id AS id FROM ${table} WHERE kind = $1 ORDER BY 1`, [kind])).map(({ id }) => id);
    const blocked = [opened.id, unopened.id].sort();
    expect([await idsOf('ledger_blocked', 'nss'), await idsOf('ledger_blocked', 'answer')]).toEqual([blocked, blocked]);
    expect([await idsOf('ledger_subjects', 'nss'), await idsOf('ledger_subjects', 'answer')]).toEqual([[later.id], []]);
  });

  it('leave nothing of a call that was not sent, and no link that a blocked entry gets later', async () => {
    const [sent, unsent] = [0, 1].map(() => ({
      ...callOf(),
      purpose: 'credit',
      began: Date.now() - 60_000,
      subjects: [subject],
    }));
    expect(await openCalls(store, [sent, unsent] as never)).toEqual([]);
    await isLive('me', { PURPOSES });
    expect(await erase()).toBe(2);
    await writeEntries(store, [
      { ...charged(unsent as never), outcome: 'RELEASED' },
      { ...charged(sent as never), outcome: 'LINKED', began: Date.now() + 60_000 },
    ] as never);
    const ids = (table: string) => store.query(`SELECT DISTINCT entry_id AS id FROM ${table}`);
    expect([await ids('ledger_subjects'), await ids('ledger_blocked')]).toEqual([[], [{ id: sent?.id }]]);
  });

  it('block the links of an entry whose answer shows after the erasure that it is about the person', async () => {
    await isLive('me', { PURPOSES });
    const ofCurp = ['curp', 'ef'.repeat(16), 'key'];
    const call = { ...callOf(), purpose: 'credit', began: Date.now() - 60_000, subjects: [ofCurp] };
    await writeEntries(store, [charged(call as never)]);
    expect(await erase()).toBe(0);
    await writeEntries(store, [
      { ...charged(call as never), subjects: [subject], outcome: 'LINKED', own: true } as never,
    ]);
    expect(await store.query('SELECT 1 FROM ledger_subjects')).toEqual([]);
    expect(await store.query('SELECT kind, account FROM ledger_blocked ORDER BY 1')).toEqual([
      { kind: 'curp', account: null },
      { kind: 'nss', account: null },
    ]);
  });
});
