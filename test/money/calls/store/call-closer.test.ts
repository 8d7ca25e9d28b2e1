import { CallCloser } from '../../../../src/money/calls/store/call-closer';
import { type ClosedEntry, newProcessName } from '../../../../src/money/ledger/entries/entry-json';
import {
  type Store,
  StoreBusyError,
  StoreHealth,
  type StoreParameter,
  StoreUnavailableError,
} from '../../../../src/store/store';
import { waitUntil } from '../../../support/proxies/deferred';
import { engineRig, engines } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';
import { callOf, charged, subject } from '../../ledger/entries/calls';

function createCloser(store: Store, onLost: (count: number) => void = () => undefined): CallCloser {
  const health = new StoreHealth({ storeUnavailable: () => undefined, storeAvailable: () => undefined });
  return new CallCloser({
    store,
    health,
    processName: newProcessName(),
    onLost,
    onUnkept: () => undefined,
    onBudgets: () => undefined,
    onEntry: () => undefined,
  });
}

function closingOf(entry: object): Parameters<CallCloser['add']>[0] {
  const closed = entry as ClosedEntry;
  return {
    id: closed.id,
    accounts: [closed.account],
    shared: null,
    operation: null,
    saved: 0,
    kept: null,
    entry: closed,
  };
}

const entry = charged(callOf({ account: 'account', at: new Date('2026-02-03T04:05:06.789Z') }));

describe.each(engines)('closings on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const store = storeForTests(rig);
  beforeEach(() => store.query('TRUNCATE ledger_entries, ledger_subjects'));

  /** Writes entries, and returns the number of those that the store rejected. */
  const add = async (...entries: readonly object[]): Promise<number> => {
    let lost = 0;
    const closer = createCloser(store, (count) => {
      lost += count;
    });
    for (const each of entries) void closer.add(closingOf({ ...entry, ...each }));
    await closer.flush();
    return lost;
  };
  const count = async (table: string) => (await store.query(`SELECT id FROM ${table}`)).length;

  it('stores every text unchanged', async () => {
    const names = ['\\N', '\\', 'a\tb', 'a\nb\r', '\\.', '\\x41', 'ñ☃', '"\'', '', ' ', 'null'];
    expect(await add(...names.map((client, index) => ({ id: `${10 + index}`, client, code: client })))).toBe(0);
    const rows = await store.query('SELECT client, validation_code FROM ledger_entries ORDER BY id');
    expect(rows).toEqual(names.map((name) => ({ client: name, validation_code: name })));
    await add({ id: 'z', checked: entry.at });
    const [row] = await store.query('SELECT * FROM ledger_entries WHERE id = $1', ['z']);
    expect(row).toMatchObject({
      at: new Date(entry.at),
      checked_at: new Date(entry.at),
      client: null,
      status: 200,
      units: 1,
    });
    const [stored] = await store.query('SELECT * FROM ledger_subjects WHERE entry_id = $1', ['z']);
    const link = { hash: Buffer.from(subject[1], 'hex'), entry_id: 'z', kind: 'nss', key_version: 'key' };
    expect(stored).toEqual({ ...link, sealed: null, account: null, client: null, problem: null });
  });

  it('does not change stored entries: settlements and erased subjects stay', async () => {
    await add({ id: '1' });
    await store.query("UPDATE ledger_entries SET settled_billing = 'NOT_CHARGED'");
    await store.query('DELETE FROM ledger_subjects');
    expect(await add({ id: '1' }, { id: '2' }, { id: '2' })).toBe(0);
    expect(await store.query('SELECT id, settled_billing FROM ledger_entries ORDER BY id')).toEqual([
      { id: '1', settled_billing: 'NOT_CHARGED' },
      { id: '2', settled_billing: null },
    ]);
    expect(await store.query('SELECT entry_id FROM ledger_subjects')).toEqual([{ entry_id: '2' }]);
  });

  it('stores the other entries if the store rejects one', async () => {
    expect(await add({ id: '1' }, { id: '2', units: 'many' }, { id: '3', client: 'a\u0000' }, { id: '4' })).toBe(2);
    expect(await store.query('SELECT id FROM ledger_entries ORDER BY id')).toEqual([{ id: '1' }, { id: '4' }]);
  });

  it('stores a subject that appears twice once', async () => {
    expect(await add({ id: '1', subjects: [...entry.subjects, ...entry.subjects] })).toBe(0);
    expect([await count('ledger_entries'), (await store.query('SELECT 1 FROM ledger_subjects')).length]).toEqual([
      1, 1,
    ]);
  });
});

describe('the closer', () => {
  const store = storeForTests(engineRig('postgres'));

  it('writes an entry that arrives while it writes those of another account after an outage', async () => {
    let attempts = 0;
    let resume = (): void => undefined;
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const failing = Object.create(store, {
      query: {
        value: async (...statement: Parameters<typeof store.query>) => {
          attempts += 1;
          if (attempts === 1) throw new StoreUnavailableError('This outage is injected.');
          if (attempts === 2) await resumed;
          return store.query(...statement);
        },
      },
    });
    const closer = createCloser(failing);
    const add = (account: string): void => void closer.add(closingOf(charged(callOf({ account }))));
    add('before');
    await waitUntil(() => attempts === 2);
    add('meanwhile');
    resume();
    await waitUntil(async () => (await store.query('SELECT FROM ledger_entries')).length === 2);
    await closer.close(1_000);
  });

  it('closes the call of an operation with that operation while the rows of its account are locked', async () => {
    const statements: (readonly [operation: unknown, ids: readonly string[]])[] = [];
    let isLocked = true;
    const locked = Object.create(store, {
      query: {
        value: async (sql: string, parameters: readonly StoreParameter[]) => {
          if (isLocked) throw new StoreBusyError('This lock is injected.');
          statements.push([parameters[2], JSON.parse(String(parameters[3])).map(({ id }: { id: string }) => id)]);
          return store.query(sql, parameters);
        },
      },
    });
    const closer = createCloser(locked);
    void closer.add({ ...closingOf(charged(callOf({ account: 'locked' }))), id: 'request' });
    await closer.flush().catch(() => undefined);
    const kept = { name: 'name', state: 'KEPT' } as const;
    void closer.add({ ...closingOf(charged(callOf({ account: 'locked' }))), id: 'kept', operation: 'operation', kept });
    isLocked = false;
    await closer.flush();
    expect(statements.sort()).toEqual(
      [
        ['operation', ['kept']],
        [null, ['request']],
      ].sort(),
    );
  });

  describe('when it stops', () => {
    const accounts = Array.from({ length: 50 }, (_, index) => `account ${index}`);
    const written = async () => (await store.query('SELECT FROM ledger_entries')).length;
    beforeEach(() => store.query('TRUNCATE ledger_entries, ledger_subjects'));

    /** Adds an entry of each account to a closer whose statements fail as `findFailure` says, and stops it. */
    const stop = (findFailure: (statement: number, accounts: readonly string[]) => Error | null, ms = 60_000) => {
      let statements = 0;
      const failing = Object.create(store, {
        query: {
          value: async (sql: string, parameters: readonly StoreParameter[]) => {
            statements += 1;
            const failure = findFailure(statements, parameters[1] as readonly string[]);
            if (failure !== null) throw failure;
            return store.query(sql, parameters);
          },
        },
      });
      const closer = createCloser(failing);
      for (const account of accounts) void closer.add(closingOf(charged(callOf({ account }))));
      return closer.close(ms);
    };

    it('writes the entries of 49 accounts while the rows of one are locked, and then the last', async () => {
      let isLocked = true;
      const isBlocked = (of: readonly string[]): boolean => isLocked && of.includes('account 7');
      const stopped = stop((_, of) => (isBlocked(of) ? new StoreBusyError('This lock is injected.') : null));
      await waitUntil(async () => (await written()) === 49);
      isLocked = false;
      await stopped;
      expect(await written()).toBe(50);
    });

    it('writes the entries of 50 accounts although it loses its connection', async () => {
      await stop((statement) => (statement === 1 ? new StoreUnavailableError('This outage is injected.') : null));
      expect(await written()).toBe(50);
    });

    it('ends after its time if the store stays away', async () => {
      await stop(() => new StoreUnavailableError('This outage is injected.'), 100);
      expect(await written()).toBe(0);
    });
  });
});
