import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { BatchStore } from '../../src/extensions/batch/storage/batch-store';
import { eraseSubjectRows, purgeBatches } from '../../src/extensions/batch/storage/erase';
import { purgeOperations } from '../../src/money/answers/operations/lasting-operations';
import { storedRule } from '../../src/money/answers/rules';
import { Processes } from '../../src/money/calls/store/processes';
import { purgeResults } from '../../src/money/idempotency/stored-results';
import { CallCounts } from '../../src/money/ledger/entries/call-counts';
import { firstIdOf } from '../../src/money/ledger/entries/entry-json';
import { purgeLedger } from '../../src/money/ledger/entries/ledger-purge';
import { EventStore } from '../../src/money/ledger/events/event-store';
import { createLastDay } from '../../src/money/ledger/reading/last-day';
import { LedgerReader } from '../../src/money/ledger/reading/ledger-reader';
import { KeyRing } from '../../src/store/key-ring';
import { SealedLinks } from '../../src/store/sealed-box';
import { type Store, StoreHealth } from '../../src/store/store';
import { callOf, charged } from '../money/ledger/entries/calls';
import { hashSubject, viewOf } from '../money/ledger/entries/ledger-rows';
import { bothEngines, ownServerRig } from '../support/stores/engines';
import { storeMigrations } from '../support/stores/store-migrations';

/** Tables that grow with calls, rows, events or erasures. The others have few rows for each account, client, process or batch. */
const growing = [
  ...[
    'ledger_entries',
    'ledger_subjects',
    'ledger_blocked',
    'ledger_erasures',
    'ledger_events',
    'ledger_audit',
    'calls',
    'call_operations',
    ...['answers_brief', 'answers_lasting', 'answer_contents_brief', 'answer_contents_lasting', 'answer_subjects'],
  ],
  ...['operations', 'operation_names', 'operation_calls', 'request_results'],
  ...['batch_row', 'batch_subject'],
];

const recent = firstIdOf(new Date());
/** 20 months ago. */
const aged = firstIdOf(new Date(Date.now() - 610 * 86_400_000));
const hash = (n: string): string => `decode(lpad(to_hex(${n}), 32, '0'), 'hex')`;

/** Old entries begin with 0, and are deleted by the purge. */
const rows = `SET session_replication_role = replica;
  INSERT INTO ledger_entries (id, at, account, process, endpoint, outcome, units, price, billing, served_from)
    SELECT CASE WHEN n % 200 = 0 THEN '0000000000' ELSE '${recent}' END || lpad(n::text, 16, '0'), now(), 'a' || n % 20, 'p', 'e', 'FOUND', 1, 1, 'CHARGED', 'LIVE'
    FROM generate_series(1, 200000) n;
  INSERT INTO ledger_subjects (hash, entry_id, kind, key_version, sealed)
    SELECT ${hash('n % 50000')}, CASE WHEN n % 200 = 0 THEN '0000000000' ELSE '${recent}' END || lpad(n::text, 16, '0'), 'nss', 'k', NULL FROM generate_series(1, 200000) n;
  INSERT INTO ledger_blocked SELECT ${hash('n % 5000')}, '${recent}B' || lpad(n::text, 16, '0'), 'nss', 'k', NULL, NULL, NULL, NULL, 'credit', 120,
    now() + CASE WHEN n < 9 THEN interval '-1 day' ELSE '1 year' END FROM generate_series(1, 30000) n;
  INSERT INTO ledger_entries (id, at, account, process, purpose, endpoint, outcome, units, price, billing, served_from)
    SELECT '${aged}' || lpad(n::text, 16, '0'), now(), 'a' || n % 20, 'p', CASE WHEN n % 2 = 0 THEN 'credit' ELSE 'hiring' END, 'e', 'FOUND', 1, 1, 'CHARGED', 'LIVE'
    FROM generate_series(1, 3000) n;
  INSERT INTO ledger_subjects (hash, entry_id, kind, key_version, sealed) SELECT ${hash('900000 + n')}, '${aged}' || lpad(n::text, 16, '0'), 'nss', 'k', NULL FROM generate_series(1, 3000) n;
  INSERT INTO ledger_erasures SELECT 'b', ${hash('n')}, now() - CASE WHEN n < 9 THEN interval '10 years' ELSE '0' END FROM generate_series(1, 30000) n;
  INSERT INTO ledger_events (key, type, subject, data, state, at) SELECT 'k' || n, 't', 's' || n % 5000, '{}', 'LOGGED', now() - CASE WHEN n < 9 THEN interval '10 years' ELSE '0' END FROM generate_series(1, 30000) n;
  INSERT INTO ledger_audit SELECT CASE WHEN n < 9 THEN '0000000000' ELSE '${recent}' END || n, now(), 'a' || n % 20, NULL, NULL, NULL, 'r', 'SEARCH_PROOFS', 'DONE', '{}' FROM generate_series(1, 60000) n;
  INSERT INTO calls (name, id, process, state, price, expires_at) SELECT 'n' || n, 'c' || n, 'p', 'LOST', 1, now() + interval '1 day' FROM generate_series(1, 8000) n;
  INSERT INTO answers SELECT 'n' || n, n % 2 = 0, 'ACCOUNT', 2, true, 'c' || n, now(), false, NULL, now() + CASE WHEN n < 19 THEN interval '-1 day' ELSE '1 day' END, 'k', 'a' || n % 20 FROM generate_series(1, 16000) n;
  INSERT INTO answers SELECT 'k' || n, true, 'OPERATION', 0, false, 'k' || n, now(), false, NULL, 'infinity', 'k', 'a' || n % 20, 1, 'o' || n FROM generate_series(1, 8000) n;
  INSERT INTO answer_contents SELECT 'k' || n, true, 'x' FROM generate_series(1, 8000) n;
  INSERT INTO answer_contents SELECT 'c' || n, n % 2 = 0, 'x' FROM generate_series(1, 16000) n;
  INSERT INTO answer_subjects SELECT ${hash('n')}, 'c' || n FROM generate_series(2, 16000, 2) n;
  INSERT INTO call_operations SELECT 'o' || n, 0, now() + CASE WHEN n < 9 THEN interval '-1 minute' ELSE '1 day' END, now() FROM generate_series(1, 8000) n;
  INSERT INTO operations (id, account, owner, expires_at) SELECT 'o' || n, 'a' || n % 20, 'w', CASE WHEN n < 9 THEN timestamptz '-infinity' ELSE 'infinity' END FROM generate_series(1, 8000) n;
  INSERT INTO operation_names SELECT 'o' || n, 'o' || n FROM generate_series(1, 8000) n;
  INSERT INTO operation_calls SELECT 'o' || n, 'r' || n, 'p', 'r' || n, NULL, 1 FROM generate_series(1, 8000) n;
  INSERT INTO request_results (name, id, account, digest, process, is_erasure, expires_at)
    SELECT 'n' || n, 'i' || n, 'a' || n, 'd', 'p', false, now() + CASE WHEN n < 9 THEN interval '-1 day' ELSE '1 day' END FROM generate_series(1, 60000) n;
  INSERT INTO batch_row (batch, number, state, input) SELECT 'b' || n % 20, n, 'DONE', 'x' FROM generate_series(1, 10000) n;
  INSERT INTO batch_subject SELECT ${hash('n')}, 'b' || n % 20, n FROM generate_series(1, 10000) n;
  SET session_replication_role = origin;`;

const explain = `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on; SET auto_explain.log_level = notice`;

/** A database with one connection that reports the plan of each statement, also of those within functions. */
interface Explaining {
  query(sql: string, parameters: readonly unknown[]): Promise<readonly object[]>;
  script(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Explained {
  readonly rows: readonly object[];
  readonly plans: readonly string[];
  readonly error?: string;
}

function openEmbedded(onPlan: (plan: string) => void): Explaining {
  const worker = new Worker(join(__dirname, 'explaining-worker.cjs'));
  let last: Promise<unknown> = Promise.resolve();
  const run = (sql: string, parameters: readonly unknown[] | null): Promise<readonly object[]> => {
    const reply = last.then(async () => {
      worker.postMessage({ sql, parameters });
      const [{ rows, plans, error }] = (await once(worker, 'message')) as [Explained];
      for (const plan of plans) onPlan(plan);
      if (error !== undefined) throw new Error(error);
      return rows;
    });
    last = reply.catch(() => undefined);
    return reply;
  };
  return { query: run, script: (sql) => run(sql, null), close: async () => void (await worker.terminate()) };
}

async function openServer(url: string, onPlan: (plan: string) => void): Promise<Explaining> {
  const client = new Client({ connectionString: url });
  client.on('notice', ({ message = '' }) => onPlan(message));
  await client.connect();
  return {
    query: async (sql, parameters) => (await client.query<object>(sql, [...parameters])).rows,
    script: (sql) => client.query(sql),
    close: () => client.end(),
  };
}

describe.each(bothEngines)('over 200,000 entries on the %s engine, no table that grows is scanned by', (engine) => {
  const rig = ownServerRig(engine);
  let plans: string[] = [];
  let database: Explaining;
  const query: Store['query'] = async (sql, parameters = []) => (await database.query(sql, parameters)) as never;
  const store: Store = {
    engine,
    connections: null,
    isOpen: true,
    query,
    read: query,
    queryAhead: query,
    runLong: async (sql, parameters) => void (await query(sql, parameters)),
    listen: () => async () => undefined,
    close: async () => undefined,
  };
  const now = (): Date => new Date();

  beforeAll(async () => {
    const onPlan = (plan: string): void => void plans.push(plan);
    database =
      engine === 'embedded' ? openEmbedded(onPlan) : await openServer(await rig.cluster.createDatabase(), onPlan);
    rig.atEnd(() => database.close());
    for (const { sql } of storeMigrations) await database.script(sql);
    await database.script(rows);
    // PostgreSQL does this itself, the embedded engine never.
    if (engine === 'postgres') await database.script('ANALYZE');
    await database.script(explain);
  }, 600_000);

  const processes = new Processes({
    ...{ store, health: new StoreHealth({ storeUnavailable: () => undefined, storeAvailable: () => undefined }) },
    ...{
      name: 'me',
      service: 'service',
      settings: () => ({}),
      prepare: async () => undefined,
      onShare: () => undefined,
    },
    ...{
      onBeat: () => undefined,
      onReturn: async () => undefined,
      onOlder: () => undefined,
      onCallEnded: () => undefined,
    },
    onError: (error) => {
      throw error;
    },
  });
  const reader = new LedgerReader({
    ...{ store, links: new SealedLinks(new KeyRing(['0123456789abcdef'.repeat(3)]), now), timeZone: 'UTC', now },
    ...{ flush: async () => undefined, erase: async () => 0 },
    subjects: { hashes: hashSubject, openReference: () => null, missingKeys: async () => [] },
  });
  const age = {
    accounts: ['a1'],
    names: ['n102'],
    operations: ['o1'],
    maxAgeMs: 1_000,
    elapsedMs: 1,
    quota: 1_000_000,
  };
  const call = async (): Promise<void> => {
    await processes.beat();
    const entry = { ...callOf({ account: 'a1' }), lasting: null };
    const opening = {
      id: entry.id,
      accounts: ['a1'],
      names: ['x'],
      claims: ['y', 'z'],
      replaced: [],
      price: 1,
      affordable: true,
    };
    const more = {
      operations: ['o1'],
      operationUnits: 9,
      lastingNames: ['o1'],
      age,
      asked: [],
      entry,
    };
    const opened = await store.query<{ readonly verdict: string }>(
      'SELECT verdict FROM call_open($1, $2, null, null, 1000, $3, null, $4::json)',
      ['me', ['a1'], now(), JSON.stringify([{ ...opening, ...more, lastingNames: [] }])],
    );
    expect(opened).toEqual([{ verdict: 'SEND' }]);
    await store.query('SELECT call_close($1, $2, null, $3::json, $4)', [
      ...['me', ['a1']],
      JSON.stringify([
        {
          id: entry.id,
          account: 'a1',
          names: ['x'],
          keeps: [
            { ...storedRule('ACCOUNT'), key: 'a2V5', names: ['x'], failed: false, ms: 3_600_000 },
            { ...storedRule('PURPOSE'), key: 'a2V5', names: ['n102'], failed: false, ms: 3_600_000 },
          ],
          agoMs: 0,
          operations: ['o1'],
          unused: 0,
          place: age,
          entry: charged(entry),
        },
      ]),
      ['eA=='],
    ]);
    const found = 'SELECT f.call FROM answer_find($1, $2::json, NULL) f';
    expect(await store.query(found, [['n102'], JSON.stringify(age)])).toEqual([{ call: entry.id }]);
  };
  const second = async (): Promise<void> => {
    const [events, batches] = [new EventStore(store), new BatchStore(store)];
    await processes.beat();
    await events.lease(10, 20);
    await events.takePending();
    await events.recordUnsettled(now());
    await batches.releaseDead();
    await batches.listActive();
  };
  const minute = async (): Promise<void> => {
    const counts = new CallCounts(store);
    counts.record({ ...charged(callOf()), lasting: null, subjects: [], saving: null });
    await counts.flush();
    await createLastDay(store, now, async () => undefined)('POST /x', 'housing', false);
  };
  const page = async (): Promise<void> => {
    const [{ id = '' } = {}] = await store.query<{ readonly id: string }>(
      `SELECT max(id) AS id FROM ledger_entries WHERE account = 'a1'`,
    );
    await reader.answerHashes([id]);
    await reader.find(viewOf('a1'), [id]);
    await reader.page(viewOf('a1'), { filter: null }, { first: 20, after: null });
    await reader.settle(viewOf('a1'), [{ id, billing: 'CHARGED', note: null }]);
  };
  const readBlocked = async (): Promise<void> => {
    const view = { ...viewOf('a1'), seesBlocked: true };
    const subjects = [{ kind: 'nss', value: '04159600263' }] as const;
    const { entries } = await reader.page(view, { subjects }, { first: 20, after: null });
    await reader.answerHashes(['x', ...entries.map(({ id }) => id)], view);
    await reader.findBlocked(view, subjects);
  };
  const block = async (): Promise<void> => {
    const sql = `SELECT person_erase($1, $2, $3, 'credit:120') AS entries`;
    const hashes = [900_002, 900_003].map((n) => n.toString(16).padStart(32, '0'));
    expect(await store.query(sql, [['a2', 'a3'], hashes, now()])).toEqual([{ entries: 2 }]);
    expect(
      await store.query(
        `DELETE FROM ledger_blocked WHERE hash IN (decode($1, 'hex'), decode($2, 'hex')) RETURNING purpose`,
        hashes,
      ),
    ).toEqual([{ purpose: 'credit' }]);
  };
  const purgePurposes = async (): Promise<void> => {
    const retention = { ledgerMonths: 18, subjectMonths: 12, confirmedDay: null, purposes: 'credit:120,hiring:6' };
    expect(await purgeLedger(store, new AbortController().signal, retention, jest.fn())).toMatchObject({
      ...{ ledger_subjects: 1_499, 'ledger_subjects of hiring': 1_499, ledger_entries: 1_500 },
    });
  };
  const erase = async (): Promise<void> => {
    const hashes = ['f'.padStart(32, '0')];
    const [row] = await store.query<{ readonly entries: number }>('SELECT person_erase($1, $2, $3) AS entries', [
      ['a15', 'a5'],
      hashes,
      now(),
    ]);
    expect(row?.entries).toBe(4);
    if (engine === 'postgres') await eraseSubjectRows(store, ['a15'], hashes);
  };
  const purge = async (): Promise<void> => {
    const { signal } = new AbortController();
    const held = jest.fn();
    const retention = { ledgerMonths: 60, subjectMonths: 24, confirmedDay: null };
    expect(await purgeLedger(store, signal, retention, held)).toMatchObject({
      ledger_entries: 1_000,
      ledger_subjects: 1_000,
      ledger_blocked: 8,
      ledger_audit: 8,
    });
    expect(await purgeOperations(store)).toEqual({ answers: 17, operations: 8 });
    expect(await purgeResults(store, signal)).toEqual({ request_results: 8 });
    await purgeBatches(store);
    expect(held).not.toHaveBeenCalled();
  };
  const end = async (): Promise<void> => {
    await store.query(`SELECT * FROM process_beat('dead', 'service', 6000, '[]')`);
    await store.query(`SELECT process_expire('dead', null)`);
  };

  const steps = { 'a call': call, 'what runs each second': second, 'what runs each minute': minute, 'a reader': page };
  const rest = { 'a reader of blocked links': readBlocked, 'an erasure': erase, 'an erasure that blocks': block };
  const ends = { 'the end of a process': end, 'a purge': purge, 'a purge by purpose': purgePurposes };

  it.each(Object.entries({ ...steps, ...rest, ...ends }))('%s', async (_, run) => {
    plans = [];
    await run();
    const scans = new RegExp(`Seq Scan on (?:${growing.join('|')})\\b`);
    expect(plans.length).toBeGreaterThan(1);
    expect(plans.filter((plan) => scans.test(plan))).toEqual([]);
  });
});
