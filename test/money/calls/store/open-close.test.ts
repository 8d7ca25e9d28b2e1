import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { storedRule } from '../../../../src/money/answers/rules';
import type { OpenReply } from '../../../../src/money/calls/store/call-opener';
import { Processes } from '../../../../src/money/calls/store/processes';
import { saveBudget } from '../../../../src/money/ledger/budgets/stored-budgets';
import { openStore } from '../../../../src/store/open-store';
import { StoreBusyError, StoreHealth } from '../../../../src/store/store';
import type { times as shortTimes } from '../../../../src/times';
import { preparePadron } from '../../../support/padrons/ledger';
import { waitUntil } from '../../../support/proxies/deferred';
import { bothEngines, engineRig } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';
import { storeMigrations } from '../../../support/stores/store-migrations';
import { check, creditOf, indebted, paid } from '../../answers/operations/operation';
import { callOf, charged } from '../../ledger/entries/calls';

const noon = new Date('2026-02-03T12:00:00Z');
const accounts = ['account'] as const;
const terms = { id: null, client: null, tag: null, period: 'DAY', alertsAt: [100] } as const;

const entryOf = (id: string, account: string = accounts[0]) => ({ ...callOf({ account, at: noon }), id });
const openingOf = (id: string, name: string, more: object = {}) => ({
  ...{
    id,
    accounts,
    names: [name],
    claims: [],
    price: 1,
    affordable: true,
  },
  ...{ operations: ['operation'], operationUnits: 100, keptAs: null, row_number: null, entry: entryOf(id), ...more },
});
const replayOf = (name: string, ms = 60_000) => [
  { ...storedRule('ACCOUNT'), key: 'a2V5', names: [name], failed: false, ms },
];
/** The answer to a call that failed is only for those who wait for it. */
const failureOf = (id: string) => [{ ...storedRule('CALL'), key: 'a2V5', names: [id], failed: true, ms: 60_000 }];
const closingOf = (id: string, name: string, more: object = {}) => ({
  ...{
    id,
    names: [name],
    account: accounts[0],
    keeps: replayOf(name),
    agoMs: 60_000,
  },
  ...{ operations: ['operation'], unused: 0, entry: charged(entryOf(id)), ...more },
});
describe.each(bothEngines)('the functions that open and close calls, on the %s engine', (engine) => {
  const store = storeForTests(engineRig(engine));
  beforeEach(async () => {
    await store.query(
      'TRUNCATE calls, answers, answer_contents, call_operations, ledger_entries, ledger_subjects, ledger_spend, ledger_budgets, processes, call_processes',
    );
    await saveBudget(store, accounts, { ...terms, units: 2 });
  });

  const beat = (process: string, calls: readonly object[] | null = []) =>
    store.query('SELECT * FROM process_beat($1, $2, 1, $3::json)', [
      process,
      'service',
      calls && JSON.stringify(calls),
    ]);

  async function open(process: string, id: string, name: string, more: object = {}): Promise<OpenReply | undefined> {
    const calls = JSON.stringify([openingOf(id, name, more)]);
    await beat(process);
    const sql = 'SELECT * FROM call_open($1, $2, null, null, null, $3, null, $4::json)';
    return (await store.query<OpenReply>(sql, [process, accounts, noon, calls]))[0];
  }
  const close = (process: string, id: string, name: string, more: object = {}) =>
    store.query('SELECT call_close($1, $2, null, $3::json, $4)', [
      process,
      accounts,
      JSON.stringify([closingOf(id, name, more)]),
      [Buffer.from('sealed').toString('base64')],
    ]);
  /** Units of the budget, of the operation, and the number of entries. */
  const sums = async () => {
    const sql = `SELECT b.spent::int, b.uncertain::int, b.reserved::int, (SELECT o.committed FROM call_operations o) AS committed,
      (SELECT count(*)::int FROM ledger_entries) AS entries FROM ledger_budgets b`;
    return (await store.query(sql))[0];
  };

  const createProcesses = () => {
    const health = new StoreHealth({ storeUnavailable: () => undefined, storeAvailable: () => undefined });
    const names = { name: 'p', service: 'service', settings: () => ({}) };
    const nothing = {
      prepare: async () => undefined,
      onShare: () => undefined,
      onBeat: () => undefined,
      onReturn: async () => undefined,
      onOlder: () => undefined,
    };
    const onError = (error: unknown): never => {
      throw error;
    };
    return new Processes({ store, health, ...names, ...nothing, onCallEnded: () => undefined, onError });
  };

  it('leave no answer behind that has expired, while a process runs', async () => {
    const processes = createProcesses();
    try {
      await processes.start();
      expect((await open('p', 'a', 'question'))?.verdict).toBe('SEND');
      await close('p', 'a', 'question', { keeps: replayOf('question', 100) });
      const answers = () => store.query('SELECT name FROM answers UNION ALL SELECT call FROM answer_contents');
      expect(await answers()).toEqual([{ name: 'question' }, { name: 'a' }]);
      await waitUntil(async () => (await answers()).length === 0);
    } finally {
      await processes.stop();
    }
  });

  it('leave no registration behind of a process that stops, whatever it is doing', async () => {
    for (const meanwhile of ['beat', 'registerAgain'] as const) {
      const processes = createProcesses();
      await processes.start();
      const running = meanwhile === 'beat' ? null : processes.beat();
      processes.registerAgain();
      const stopped = processes.stop();
      processes[meanwhile]();
      await Promise.all([running, stopped]);
      await processes.beat();
      expect(await store.query('SELECT id FROM processes')).toEqual([]);
    }
  });

  it('open a call once, however often its opening is repeated', async () => {
    for (let time = 0; time < 3; time += 1)
      expect(await open('p', 'a', 'question')).toMatchObject({ verdict: 'SEND', lost: 0 });
    expect(await sums()).toEqual({ spent: 0, uncertain: 0, reserved: 1, committed: 1, entries: 1 });
  });

  it('close a call once, however often its closing is repeated', async () => {
    await open('p', 'a', 'question');
    for (let time = 0; time < 3; time += 1) await close('p', 'a', 'question', { unused: 1 });
    expect(await sums()).toEqual({ spent: 1, uncertain: 0, reserved: 0, committed: 0, entries: 1 });
    await open('p', 'b', 'question', { operations: [] });
    expect(await sums()).toMatchObject({ spent: 1, entries: 1 });
  });

  it('forget a question that was not sent', async () => {
    await open('p', 'a', 'question');
    await close('p', 'a', 'question', {
      keeps: [],
      unused: 1,
      entry: { ...charged(entryOf('a')), outcome: 'RELEASED' },
    });
    expect(await sums()).toEqual({ spent: 0, uncertain: 0, reserved: 0, committed: 0, entries: 0 });
    expect(await open('q', 'b', 'question')).toMatchObject({ verdict: 'SEND' });
  });

  it('refuse what a budget over time, or the budget of the operation, does not cover', async () => {
    expect(await open('p', 'a', 'first', { operationUnits: 1 })).toMatchObject({ verdict: 'SEND' });
    const refused = await open('p', 'b', 'second', { operationUnits: 1 });
    expect(refused).toMatchObject({ verdict: 'REFUSED', details: { kind: 'OPERATION' } });
    expect(await open('p', 'c', 'third')).toMatchObject({ verdict: 'SEND' });
    const last = await open('p', 'd', 'fourth');
    expect(last).toMatchObject({ verdict: 'REFUSED', details: { kind: 'PERIOD', units: 2, left: 0 } });
    expect(await sums()).toMatchObject({ reserved: 2, committed: 2, entries: 2 });
  });

  it('ask nothing for a caller who must not pay, and still give it an answer', async () => {
    expect(await open('p', 'a', 'question', { affordable: false })).toMatchObject({ verdict: 'UNAFFORDABLE' });
    await open('p', 'b', 'question');
    await close('p', 'b', 'question');
    expect(await open('p', 'c', 'question', { affordable: false })).toMatchObject({ verdict: 'ANSWER' });
  });

  it.each(['RELEASED', 'FAILED', 'LOST', 'POISONED', 'OPEN'])(
    'keep an answer for those who may use it, whatever becomes of a newer call: %s',
    async (end) => {
      const fresh = { operations: [], maxAgeMs: 0, elapsedMs: 0 };
      await open('p', 'a', 'question');
      await close('p', 'a', 'question');
      expect(await open('q', 'b', 'question', { age: fresh })).toMatchObject({ verdict: 'SEND' });
      if (end === 'LOST' || end === 'POISONED')
        await store.query('UPDATE calls SET state = $1 WHERE id = $2', [end, 'b']);
      else if (end !== 'OPEN')
        await close('q', 'b', 'question', {
          keeps: end === 'FAILED' ? failureOf('b') : [],
          entry: { ...charged(entryOf('b')), outcome: end },
        });
      for (const more of [{}, { age: { ...fresh, maxAgeMs: 60_000 } }])
        expect(await open('p', 'c', 'question', more)).toMatchObject({ verdict: 'ANSWER', details: { call: 'a' } });
    },
  );

  it('replace an answer only by one that was asked for later', async () => {
    await saveBudget(store, accounts, { ...terms, units: 4 });
    const fresh = { operations: [], maxAgeMs: 0, elapsedMs: 0 };
    await open('p', 'a', 'question');
    await store.query(`SELECT process_expire('p', null)`);
    expect(await open('q', 'b', 'question')).toMatchObject({ verdict: 'SEND', lost: 1 });
    await close('q', 'b', 'question');
    await close('p', 'a', 'question');
    expect(await open('q', 'c', 'question')).toMatchObject({ verdict: 'ANSWER', details: { call: 'b' } });
    expect(await open('q', 'd', 'question', { age: fresh })).toMatchObject({ verdict: 'SEND' });
    await close('q', 'd', 'question');
    expect(await open('q', 'e', 'question')).toMatchObject({ verdict: 'ANSWER', details: { call: 'd' } });
  });

  it('report the price of a dead process once, and refuse a question after three deaths', async () => {
    await saveBudget(store, accounts, { ...terms, units: 4 });
    const die = async (process: string, id: string) => {
      const { verdict, lost } = (await open(process, id, 'question')) ?? {};
      await store.query('SELECT process_expire($1, null)', [process]);
      return [verdict, lost];
    };
    expect(await die('p', 'a')).toEqual(['SEND', 0]);
    expect(await die('q', 'b')).toEqual(['SEND', 1]);
    expect(await die('r', 'c')).toEqual(['SEND', 1]);
    expect(await die('s', 'd')).toEqual(['REFUSED', 1]);
    expect(await die('t', 'e')).toEqual(['REFUSED', 0]);
  });

  it('keep the answer of a process that was declared dead too early', async () => {
    await open('p', 'a', 'question');
    await store.query(`SELECT process_expire('p', null)`);
    expect(await sums()).toMatchObject({ spent: 0, uncertain: 1, reserved: 0 });
    await close('p', 'a', 'question');
    expect(await open('q', 'b', 'question')).toMatchObject({ verdict: 'ANSWER', lost: 0 });
    expect(await sums()).toMatchObject({ spent: 1, uncertain: 0, reserved: 0, entries: 1 });
  });

  it('count nothing for a question that was not sent, also if its process was declared dead first', async () => {
    await open('p', 'a', 'question');
    await store.query(`SELECT process_expire('p', null)`);
    await close('p', 'a', 'question', { keeps: [], entry: { ...charged(entryOf('a')), outcome: 'RELEASED' } });
    expect(await sums()).toMatchObject({ spent: 0, uncertain: 0, reserved: 0, entries: 0 });
  });
});

describe('a process that is declared dead while it opens a call', () => {
  const rig = engineRig('postgres');

  it('leaves a call whose charge is unknown, and none that never ends', async () => {
    const { store: settings, environment } = await rig.settings();
    const store = await openStore(settings, storeMigrations);
    const opening = new Client({ connectionString: environment.DATABASE_URL });
    await opening.connect();
    try {
      await store.query(`SELECT * FROM process_beat('p', 'service', 1, '[]')`);
      const sql = 'SELECT verdict FROM call_open($1, $2, null, null, null, $3, null, $4::json)';
      await opening.query('BEGIN');
      await opening.query(sql, ['p', accounts, noon, JSON.stringify([openingOf('a', 'question')])]);
      const death = store.query(`SELECT process_expire('p', null)`);
      await Promise.race([death, sleep(100)]);
      await opening.query('COMMIT');
      await death;
      const entries = await store.query('SELECT e.problem, c.state FROM ledger_entries e JOIN calls c ON c.id = e.id');
      expect(entries).toEqual([{ problem: 'ANSWER_LOST', state: 'LOST' }]);
    } finally {
      await opening.end();
      await store.close();
    }
  });
});

describe('an account whose calls and sums are locked', () => {
  const rig = engineRig('postgres');

  it('does not hold up the limited calls of another account', async () => {
    const { store: settings, environment } = await rig.settings();
    const store = await openStore(settings, storeMigrations);
    const locking = new Client({ connectionString: environment.DATABASE_URL });
    await locking.connect();
    const openFor = async (account: string) => {
      await store.query(`SELECT * FROM process_beat('p', 'service', 1, '[]')`);
      const calls = JSON.stringify([
        openingOf(account, account, { accounts: [account], entry: entryOf(account, account) }),
      ]);
      const sql = 'SELECT verdict FROM call_open($1, $2, null, null, null, $3, null, $4::json)';
      return store.query(sql, ['p', [account], noon, calls]);
    };
    try {
      await saveBudget(store, ['other'], { ...terms, units: 1 });
      await locking.query('BEGIN');
      await locking.query('SELECT ledger_lock($1)', [accounts]);
      expect(await openFor('other')).toEqual([{ verdict: 'SEND' }]);
      await expect(openFor(accounts[0])).rejects.toThrow(StoreBusyError);
    } finally {
      await locking.end();
      await store.close();
    }
  });
});

describe('a process that stops while the store opens a call', () => {
  const rig = engineRig('postgres');
  const isWaiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

  it('leaves no entry for the question, which was not sent', async () => {
    const prepared = await preparePadron(rig);
    const padron = await prepared.start();
    const [known = '', next = ''] = indebted;
    expect(await check(padron, known)).toMatchObject(paid);
    const before = await prepared.rows();
    const locking = new Client({ connectionString: prepared.environment.DATABASE_URL });
    await locking.connect();
    try {
      await locking.query('BEGIN');
      await locking.query('SELECT ledger_lock(ARRAY[$1])', [before[0]?.account]);
      const caller = new AbortController();
      const asked = fetch(padron.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` },
        body: JSON.stringify(creditOf(next)),
        signal: caller.signal,
      }).catch(() => null);
      await waitUntil(async () => (await locking.query(isWaiting)).rowCount === 1);
      caller.abort();
      await asked;
      const stopped = padron.stop();
      await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 600))]);
      await locking.query('COMMIT');
      await stopped;
    } finally {
      await locking.end();
    }
    expect(await prepared.rows()).toEqual(before);
    expect(
      await prepared.read((store) => store.query(`SELECT state FROM calls WHERE state IN ('OPEN', 'LOST')`)),
    ).toEqual([]);
  });
});

const read = (file: string): string => readFileSync(join(__dirname, '../../../..', file), 'utf8');

describe('the table of times', () => {
  // The tests of this process have shorter times, but a second copy of the module has the real ones.
  let times: typeof shortTimes;
  beforeAll(() => {
    jest.isolateModules(() => {
      times = require('../../../../src/times').times;
    });
  });

  it('keeps the order on which calls of dead processes depend', () => {
    const [, seconds] = /p_seen_at > interval '(\d+) seconds'/.exec(read('src/money/calls/store/open.sql')) ?? [];
    expect(2 * times.beat).toBeLessThan(times.hold);
    expect(times.hold).toBeLessThan(1_000 * Number(seconds));
    expect(1_000 * Number(seconds)).toBeLessThan(times.lease);
  });

  it('has a lease of events that is longer than their delivery', () => {
    expect(times.eventAnswer).toBeLessThan(times.eventLease);
  });

  it.each([
    ['freeFailure', 'docs/compliance.md', 'or 10 seconds if free'],
    ['circuitReset', 'docs/operations.md', 'open the circuit breaker of a registry for ten seconds'],
    ['eventAnswer', 'docs/events.md', 'within ten seconds'],
  ] as const)('has the time %s that %s names', (name, file, text) => {
    expect(times[name]).toBe(10_000);
    expect(read(file).replaceAll(/\s+/g, ' ')).toContain(text);
  });
});
