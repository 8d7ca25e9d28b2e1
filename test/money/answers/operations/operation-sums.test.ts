import { CallCloser } from '../../../../src/money/calls/store/call-closer';
import type { OpenReply } from '../../../../src/money/calls/store/call-opener';
import type { Closing } from '../../../../src/money/calls/store/closing';
import type { ClosedEntry } from '../../../../src/money/ledger/entries/entry-json';
import { StoreHealth } from '../../../../src/store/store';
import { bothEngines, engineRig } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';
import { type Call, callOf, charged, subject } from '../../ledger/entries/calls';

const accounts = ['account'];
const sealed = Buffer.from('sealed');

describe.each(bothEngines)('the sums of an operation that lasts, on the %s engine', (engine) => {
  const store = storeForTests(engineRig(engine));
  beforeEach(async () => {
    await store.query(
      `TRUNCATE operations, operation_names, operation_calls, operation_quotas, answers, answer_contents, answer_subjects, calls, processes, call_processes,
        ledger_entries, ledger_subjects, ledger_spend, ledger_erasures`,
    );
    await begin();
  });
  const begin = () =>
    store.query(`SELECT * FROM operation_begin('o', $1, '', '{name}', 'key', 60000, 2, 1000000)`, [accounts]);

  const entryOf = (): Call => ({ ...callOf({ account: 'account' }), lasting: 'o' }) as Call;

  /** Opens a call of the operation, or of a request outside of it. */
  async function open(process: string, entry: Call, isOutside = false): Promise<OpenReply | undefined> {
    await store.query(`SELECT * FROM process_beat($1, 'service', 1, '[]')`, [process]);
    const { id } = entry;
    const call = { id, accounts, names: ['question'], claims: [], price: 1, affordable: true, operations: [], entry };
    const lasting = isOutside ? {} : { keptAs: 'kept', asked: entry.subjects };
    const calls = JSON.stringify([{ ...call, operationUnits: 0, lastingNames: [], retries: false, ...lasting }]);
    const sql = 'SELECT * FROM call_open($1, $2, $3, $4, 1000000, now(), null, $5::json)';
    const operation = isOutside ? [null, null] : ['o', 0];
    return (await store.query<OpenReply>(sql, [process, accounts, ...operation, calls]))[0];
  }

  /** Closes a call that was charged. Returns the number of closings that the store rejected. */
  async function close(process: string, entry: Call, rejected: Partial<ClosedEntry> = {}): Promise<number> {
    let lost = 0;
    const health = new StoreHealth({ storeUnavailable: () => undefined, storeAvailable: () => undefined });
    const onLost = (count: number): void => {
      lost += count;
    };
    const closer = new CallCloser({
      store,
      health,
      processName: process,
      onLost,
      onUnkept: () => undefined,
      onBudgets: () => undefined,
      onEntry: () => undefined,
    });
    const kept = { name: 'kept', state: 'KEPT' } as const;
    const keep = {
      rule: 'OPERATION',
      names: ['kept'],
      key: Buffer.from('key'),
      failed: false,
      until: Infinity,
    } as const;
    const shared: Closing['shared'] = {
      ...{ names: ['question'], keeps: [keep], asked: 0, answer: sealed },
      ...{ operations: [], unused: 0, place: null },
    };
    const closed = { ...charged(entry), ...rejected } as unknown as ClosedEntry;
    void closer.add({ id: entry.id, accounts, operation: 'o', shared, saved: 0, kept, entry: closed });
    await closer.flush();
    return lost;
  }

  const die = (process: string) => store.query('SELECT process_expire($1, null)', [process]);

  /** Sums of the operation, which are those of its entries in the ledger. */
  async function sums(): Promise<unknown> {
    const [row] = await store.query('SELECT spent, uncertain, reserved FROM operations');
    const [ledger] = await store.query(
      'SELECT sum(spent)::int AS spent, sum(uncertain)::int AS uncertain, sum(reserved)::int AS reserved FROM ledger_spend',
    );
    expect(row).toEqual(ledger);
    await quota();
    return row;
  }

  /** Bytes that count in the quota of the owner, which are those of its operations. */
  async function quota(): Promise<number | undefined> {
    const [row] = await store.query<{ bytes: number; owned: number }>(
      `SELECT operation_bytes('{account}', '')::int AS bytes, 
        ((SELECT coalesce(sum(bytes), 0) FROM operations) + (SELECT coalesce(sum(bytes), 0) FROM answers))::int AS owned`,
    );
    expect(row?.bytes).toBe(row?.owned);
    return row?.bytes;
  }

  const kept = () =>
    store.query(
      "SELECT a.failed, c.sealed FROM answers a LEFT JOIN answer_contents c USING (call) WHERE a.operation = 'o' ORDER BY a.call",
    );

  it('do not change if each statement is repeated, because its reply was lost', async () => {
    await begin();
    const entry = entryOf();
    for (const _ of [1, 2]) expect(await open('p', entry)).toMatchObject({ verdict: 'SEND' });
    expect(await sums()).toEqual({ spent: 0, uncertain: 0, reserved: 1 });
    const replay = { ...charged(entryOf()), units: 0, served: 'REPLAY' };
    const closings = JSON.stringify([{ id: replay.id, saved: 1, entry: replay }]);
    for (const _ of [1, 2]) {
      await close('p', entry);
      await store.query(`SELECT call_close('p', $1, 'o', $2::json, null)`, [accounts, closings]);
    }
    expect(await sums()).toEqual({ spent: 1, uncertain: 0, reserved: 0 });
    expect(await store.query('SELECT saved, max_units FROM operations')).toEqual([{ saved: 1, max_units: 2 }]);
    expect(await kept()).toHaveLength(1);
  });

  it.each([
    ['nothing else happens', null],
    ['its question may be asked again', `SELECT operation_retry_unknown('o')`],
    ['its answers are deleted', `SELECT operation_forget('o', NULL)`],
    ['its person is erased', `SELECT person_erase('{account}', '{${subject[1]}}', now())`],
    ['the operation is ended', `SELECT operation_end('o')`],
  ])('count a charged answer that arrives after its process was declared dead, if %s', async (_what, sql) => {
    const entry = entryOf();
    await open('p', entry);
    expect(await sums()).toEqual({ spent: 0, uncertain: 0, reserved: 1 });
    await die('p');
    expect(await sums()).toEqual({ spent: 0, uncertain: 1, reserved: 0 });
    if (sql !== null) await store.query(sql);
    await close('p', entry);
    await close('p', entry);
    expect(await sums()).toEqual({ spent: 1, uncertain: 0, reserved: 0 });
  });

  it('count a charged answer that arrives after its person was erased and its process was declared dead', async () => {
    const entry = entryOf();
    await open('p', entry);
    await store.query(`SELECT person_erase('{account}', '{${subject[1]}}', now())`);
    await die('p');
    expect(await kept()).toEqual([]);
    await close('p', entry);
    expect([await sums(), await kept()]).toEqual([{ spent: 1, uncertain: 0, reserved: 0 }, []]);
  });

  it('count both a call whose process died and the one that retried its question, whichever is answered first', async () => {
    const [first, second] = [entryOf(), entryOf()];
    await open('p', first);
    await die('p');
    await store.query(`SELECT operation_retry_unknown('o')`);
    expect(await open('q', second)).toMatchObject({ verdict: 'SEND' });
    expect(await sums()).toEqual({ spent: 0, uncertain: 1, reserved: 1 });
    await close('p', first);
    expect(await sums()).toEqual({ spent: 1, uncertain: 0, reserved: 1 });
    await close('q', second);
    expect([await sums(), await kept()]).toEqual([
      { spent: 2, uncertain: 0, reserved: 0 },
      [{ failed: false, sealed }],
    ]);
  });

  it.each([
    ['the operation is ended', `SELECT operation_end('o'), operation_forget('o', NULL)`],
    ['its person is erased', `SELECT person_erase('{account}', '{${subject[1]}}', now())`],
  ])('leave a call to its opener that opens it again, because the reply was lost, if %s', async (_what, sql) => {
    const entry = entryOf();
    expect(await open('p', entry)).toMatchObject({ verdict: 'SEND' });
    await store.query(sql);
    expect(await open('p', entry)).toMatchObject({ verdict: 'SEND' });
    await close('p', entry);
    expect(await kept()).toEqual([]);
    expect(await open('p', entryOf())).toMatchObject({ verdict: 'REFUSED', details: { kind: 'STOPPED' } });
  });

  it('count a settlement, and the billing that the service reports after it', async () => {
    const entry = entryOf();
    await open('p', entry);
    await die('p');
    await store.query(`UPDATE ledger_entries SET settled_billing = 'NOT_CHARGED', settled_units = 0`);
    expect(await sums()).toEqual({ spent: 0, uncertain: 0, reserved: 0 });
    await close('p', entry);
    expect(await sums()).toEqual({ spent: 1, uncertain: 0, reserved: 0 });
  });

  it.each([
    ['is forgotten', `SELECT operation_forget('o', NULL)`, 1_000],
    ['is about an erased person', `SELECT person_erase('{account}', '{${subject[1]}}', now())`, 1_000],
    ['belongs to an operation that is ended', `SELECT operation_end('o')`, sealed.length],
  ])('have the bytes of an answer in the quota of the owner until it %s', async (_what, sql, left) => {
    expect(await quota()).toBe(1_000);
    const entry = entryOf();
    await open('p', entry);
    await close('p', entry);
    await close('p', entry);
    expect(await quota()).toBe(1_000 + sealed.length);
    await store.query(sql);
    expect(await quota()).toBe(left);
  });

  it('do not count the call of a request outside of the operation whose process died', async () => {
    await open('p', callOf({ account: 'account' }), true);
    await die('p');
    const entry = entryOf();
    expect(await open('q', entry)).toMatchObject({ verdict: 'SEND', lost: 1 });
    await close('q', entry);
    const [operation] = await store.query('SELECT spent, uncertain, reserved FROM operations');
    expect(operation).toEqual({ spent: 1, uncertain: 0, reserved: 0 });
  });

  it('have the price of a call as uncertain if the store rejects its closing, and its question is not asked again', async () => {
    const entry = entryOf();
    await open('p', entry);
    expect(await close('p', entry, { code: 'a\u0000' })).toBe(1);
    expect([await sums(), await kept()]).toEqual([
      { spent: 0, uncertain: 1, reserved: 0 },
      [{ failed: true, sealed: null }],
    ]);
    expect(await open('q', entryOf())).toMatchObject({
      verdict: 'ANSWER',
      details: { rule: 'OPERATION', failed: true },
    });
  });
});
