import { setTimeout as sleep } from 'node:timers/promises';
import { AuditTrail } from '../../../src/money/audit/audit-trail';
import { monthsBefore, Purge } from '../../../src/money/entries/purge';
import { openStore } from '../../../src/store/open-store';
import { StatementError } from '../../../src/store/store';
import { bothEngines, engineRig, engines, ownServerRig } from '../../support/stores/engines';
import { storeForTests } from '../../support/stores/store-for-tests';
import { type Call, callOf, charged, now, openCalls, subject, writeEntries } from './calls';
import { insertRow } from './ledger-rows';

const rethrow = (error: unknown): never => {
  throw error;
};

describe.each(engines)('the purge on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const store = storeForTests(rig);

  const countOf = async (table: string): Promise<unknown> =>
    (await store.query<{ readonly n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n;

  const now = () => new Date('2026-03-01T00:00:00Z');
  const purge = (ledgerMonths: number, subjectMonths: number): Promise<number> =>
    new Purge(store, { ledgerMonths, subjectMonths }, now, rethrow).run();

  it('deletes expired links and expired entries, and nothing else', async () => {
    const subjects = [{ kind: 'nss', value: '04159600263' } as const];
    for (const moment of ['2025-01-31T00:00:00Z', '2025-12-31T00:00:00Z', '2026-02-27T00:00:00Z'])
      await insertRow(store, { at: moment, subjects, client: moment.slice(0, 4) });
    expect(await purge(60, 24)).toBe(0);
    expect(await purge(12, 1)).toBe(3);
    // The client of 2025 was last seen in December.
    expect(await countOf('ledger_labels')).toBe(2);
    expect([await countOf('ledger_entries'), await countOf('ledger_subjects')]).toEqual([2, 1]);
    // A deleted entry loses its links, even if links are kept longer than entries.
    expect(await purge(1, 24)).toBe(1);
    expect([await countOf('ledger_entries'), await countOf('ledger_subjects')]).toEqual([1, 1]);
    expect(await store.query('SELECT client FROM ledger_labels')).toEqual([{ client: '2026' }]);
  });

  it('deletes the IDs of keys that were last used before the retention period', async () => {
    await store.query("INSERT INTO ledger_keys VALUES ('old', '2025-02-01'), ('new', '2026-02-01')");
    await purge(12, 12);
    expect(await store.query('SELECT id FROM ledger_keys')).toEqual([{ id: 'new' }]);
  });

  it('deletes records of erasures when no link could be older', async () => {
    await store.query("INSERT INTO ledger_erasures VALUES ('a', '\\x01', '2025-02-01'), ('a', '\\x02', '2026-02-01')");
    await purge(24, 12);
    expect(await store.query("SELECT encode(hash, 'hex') AS hash FROM ledger_erasures")).toEqual([{ hash: '02' }]);
  });

  it('deletes expired audit records and no others', async () => {
    const actor = { accounts: ['a'], logAccount: 'l', client: null, actor: null, requestId: 'r' };
    for (const moment of [new Date('2025-02-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z')]) {
      const trail = new AuditTrail(
        store,
        () => moment,
        () => undefined,
      );
      await trail.of(actor).add({ action: 'SEARCH_PROOFS', scope: null, details: {} });
    }
    await purge(12, 12);
    expect(await store.query('SELECT at FROM ledger_audit')).toEqual([{ at: new Date('2026-02-01T00:00:00Z') }]);
  });

  it('deletes all expired entries in chunks', async () => {
    await store.query(
      `INSERT INTO ledger_entries (id, at, account, process, endpoint, outcome, units, price, billing, served_from)
       SELECT '0000' || n, now(), 'a' || n % 3, 'p', 'e', 'FOUND', 1, 1, 'CHARGED', 'LIVE' FROM generate_series(1, 5000) n`,
    );
    expect(await purge(12, 12)).toBe(5_000);
    expect(await countOf('ledger_entries')).toBe(1);
  });
});

describe('the schedule of the purge', () => {
  it('runs again after failures until it is stopped', async () => {
    // A store without the tables refuses every statement.
    const store = await openStore({ kind: 'memory' }, []);
    const failures: unknown[] = [];
    const retention = { ledgerMonths: 1, subjectMonths: 1 };
    const purge = new Purge(
      store,
      retention,
      () => new Date(),
      (error) => failures.push(error),
    );
    purge.start({ first: 1, every: 1 });
    while (failures.length < 3) await sleep(5);
    await purge.stop();
    const count = failures.length;
    await sleep(50);
    expect([failures.length, failures[0]]).toEqual([count, expect.any(StatementError)]);
    await store.close();
  });
});

describe('monthsBefore', () => {
  it.each([
    ['2026-03-31T10:00:00.000Z', 1, '2026-02-28T10:00:00.000Z'],
    ['2024-03-31T10:00:00.000Z', 1, '2024-02-29T10:00:00.000Z'],
    ['2026-01-15T00:00:00.000Z', 24, '2024-01-15T00:00:00.000Z'],
    ['2026-01-31T00:00:00.000Z', 2, '2025-11-30T00:00:00.000Z'],
  ])('of %s and %i months is %s', (moment, months, before) => {
    expect(monthsBefore(new Date(moment), months).toISOString()).toBe(before);
  });
});

const later = <Entry extends Call>(call: Entry) => ({ ...call, began: now.getTime() + 1 });

describe.each(bothEngines)('a recorded erasure on the %s engine', (engine) => {
  // Only a superuser may read the files of a server.
  const rig = ownServerRig(engine);
  const store = storeForTests(rig);
  beforeEach(() => store.query('DELETE FROM ledger_subjects'));

  const erase = async (): Promise<unknown> => {
    const rows = await store.query('SELECT ledger_erase($1, $2, $3) AS entries', [['a'], [subject[1]], now]);
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
