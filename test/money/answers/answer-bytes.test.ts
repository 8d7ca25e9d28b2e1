import { type RuleName, storedRule } from '../../../src/money/answers/rules';
import { bothEngines, engineRig } from '../../support/stores/engines';
import { storeForTests } from '../../support/stores/store-for-tests';
import { callOf, charged, subject } from '../ledger/entries/calls';

type Kept = readonly [rule: RuleName, ...names: string[]];

/** Key of bytes, by which a row shows that it has the key of those it leads to. */
const keyOf = (sealed: string): string => Buffer.from(`key of ${sealed}`).toString('base64');
const keepOf = (rule: RuleName, names: readonly string[], sealed: string) => ({
  ...storedRule(rule),
  ...{ names, key: keyOf(sealed), failed: false, ms: rule === 'OPERATION' ? null : 60_000 },
});

describe.each(bothEngines)('the bytes of an answer, on the %s engine', (engine) => {
  const store = storeForTests(engineRig(engine));
  const accounts = ['a'];
  const began = Date.now();

  beforeEach(async () => {
    const tables =
      'answers, answer_contents, answer_subjects, operations, operation_calls, operation_quotas, ledger_entries, ledger_erasures';
    await store.query(`TRUNCATE ${tables}`);
    await store.query(`UPDATE ledger_erasure_count SET last_at = '-infinity'`);
  });

  /** Closes a call that was asked so many seconds ago. Returns the calls whose answers are kept for days. */
  async function close(
    id: string,
    kept: readonly Kept[],
    { quota = 1_000, secondsAgo = 0, sealed = 'exchange', operation = null as string | null } = {},
  ) {
    const agoMs = 1_000 * secondsAgo;
    const keeps = kept.map(([rule, ...names]) => keepOf(rule, names, sealed));
    const names = kept.flatMap(([rule, ...all]) => (rule === 'PURPOSE' ? all : []));
    const place = names.length === 0 ? null : { names, operations: [], accounts, quota };
    const entry = { ...charged(callOf({ account: 'a', at: new Date(began - agoMs) })), id };
    const ended = operation === null ? {} : { kept: { name: `${id} opened`, state: 'KEPT' } };
    const closings = [{ id, account: 'a', names: [], keeps, agoMs, place, operations: [], unused: 0, ...ended, entry }];
    return write(closings, sealed, operation);
  }
  /** Keeps an answer for the caller of an early response, as it knows it. */
  const publish = (id: string, name: string) => {
    const keeps = [keepOf('HOLDER', [name], 'published')];
    return write([{ id, account: 'a', names: [], keeps, agoMs: 0, operations: [], unused: 0 }], 'published');
  };
  async function write(
    closings: readonly object[],
    sealed: string,
    operation: string | null = null,
  ): Promise<readonly string[] | null> {
    const parameters = [accounts, operation, JSON.stringify(closings), [Buffer.from(sealed).toString('base64')]];
    const sql = `SELECT kept FROM call_close('p', $1, $2, $3::json, $4)`;
    const [row] = await store.query<{ readonly kept: readonly string[] | null }>(sql, parameters);
    return row?.kept ?? null;
  }
  async function find(...names: readonly string[]): Promise<string | null> {
    const sql = `SELECT convert_from(f.sealed, 'UTF8') AS sealed, f.details->>'key' AS key, f.call FROM answer_find($1, NULL, NULL) f`;
    const [row] = await store.query<{ readonly [column in 'sealed' | 'key' | 'call']: string | null }>(sql, [names]);
    if (!row?.call) return null;
    expect(row.key).toBe(keyOf(row.sealed ?? ''));
    return `${row.sealed} of ${row.call}`;
  }
  const contents = async (): Promise<readonly string[]> => {
    const sql = `SELECT call || CASE WHEN lasts THEN ' lasts' ELSE '' END AS content FROM answer_contents ORDER BY 1`;
    return (await store.query<{ readonly content: string }>(sql)).map(({ content }) => content);
  };
  const end = (condition: string) =>
    store.query(`UPDATE answers SET until = now() - interval '1 second' WHERE ${condition}`);
  const bytes = async () =>
    (await store.query(`SELECT coalesce(sum(bytes), 0)::int AS bytes FROM operation_quotas`))[0];
  async function erase(): Promise<void> {
    await store.query('SELECT person_erase($1, $2, now())', [accounts, [subject[1]]]);
    await store.query('SELECT answer_forget()');
  }

  it('are deleted with the last row, and an answer over the quota is kept by the other rules only', async () => {
    expect(
      await close(
        'x',
        [
          ['ACCOUNT', 'n'],
          ['PURPOSE', 'p'],
        ],
        { quota: 3 },
      ),
    ).toBeNull();
    expect([await find('n'), await find('p')]).toEqual(['exchange of x', null]);
    await end('true');
    await store.query('SELECT answer_expire()');
    expect(await contents()).toEqual([]);
  });

  it('are there once, also if the closing is repeated', async () => {
    for (let time = 0; time < 2; time += 1)
      expect(
        await close(
          'x',
          [
            ['ACCOUNT', 'n'],
            ['PURPOSE', 'p'],
            ['CALL', 'x'],
          ],
          { quota: 10 },
        ),
      ).toEqual(['x']);
    expect(await contents()).toEqual(['x lasts']);
    expect(await bytes()).toEqual({ bytes: 8 });
  });

  it('are those of the service, whether the call or an early response is written first', async () => {
    await publish('x', 'h');
    expect(await find('h')).toBe('published of x');
    await close('x', [
      ['ACCOUNT', 'n'],
      ['PURPOSE', 'p'],
    ]);
    expect(await contents()).toEqual(['x lasts']);
    await close('y', [['ACCOUNT', 'm']]);
    await publish('y', 'g');
    for (const name of ['h', 'n', 'p']) expect(await find(name)).toBe('exchange of x');
    for (const name of ['g', 'm']) expect(await find(name)).toBe('exchange of y');
  });

  it('stay for the others who may have them, if a newer answer takes the place of a lasting one', async () => {
    await close(
      'x',
      [
        ['PURPOSE', 'p'],
        ['PURPOSE', 'of a spelling'],
      ],
      { secondsAgo: 5 },
    );
    await publish('x', 'h');
    await close('y', [['PURPOSE', 'of a spelling']]);
    expect([await find('p'), await find('of a spelling')]).toEqual(['exchange of x', 'exchange of y']);
    await close('z', [['PURPOSE', 'p']]);
    expect([await find('p'), await find('h')]).toEqual(['exchange of z', 'exchange of x']);
    expect(await contents()).toEqual(['x', 'y lasts', 'z lasts']);
    expect(await bytes()).toEqual({ bytes: 16 });
    await end(`name = 'h'`);
    await store.query('SELECT answer_expire()');
    expect(await contents()).toEqual(['y lasts', 'z lasts']);
  });

  it('keep the key of an early response, if its call ends without an answer for others', async () => {
    await publish('x', 'h');
    await close('x', [['PURPOSE', 'p']], { quota: 3 });
    expect([await find('h'), await find('p')]).toEqual(['published of x', null]);
  });

  it('count for the quota as long as one row of an answer is left', async () => {
    const spelled = (id: string, name: string, secondsAgo: number) =>
      close(id, [['PURPOSE', 'shared', name]], { secondsAgo });
    await spelled('x', 'spelled a', 9);
    await spelled('y', 'spelled b', 5);
    expect([await find('spelled a'), await find('spelled b')]).toEqual(['exchange of x', 'exchange of y']);
    expect([await contents(), await bytes()]).toEqual([['x lasts', 'y lasts'], { bytes: 16 }]);
    await store.query(`SELECT answer_delete('{"spelled a", "shared"}')`);
    expect([await contents(), await bytes()]).toEqual([['y lasts'], { bytes: 8 }]);
  });

  it('are gone after an erasure, also those of an older answer, but for those who wait', async () => {
    await close('x', [['ACCOUNT', 'n']], { secondsAgo: 5 });
    await close('y', [
      ['ACCOUNT', 'n'],
      ['PURPOSE', 'p'],
      ['CALL', 'y'],
    ]);
    await publish('y', 'h');
    await erase();
    expect([await find('n'), await find('p'), await find('h'), await find('y')]).toEqual([
      null,
      null,
      null,
      'exchange of y',
    ]);
    await store.query('SELECT answer_expire()');
    expect(await contents()).toEqual(['y']);
    await end('true');
    await store.query('SELECT answer_expire()');
    expect(await contents()).toEqual([]);
    expect(await store.query('SELECT FROM answer_subjects')).toEqual([]);
  });

  it('are not found after an erasure, also if somebody used their row meanwhile', async () => {
    await publish('x', 'h');
    await store.query('SELECT person_erase($1, $2, now())', [accounts, [subject[1]]]);
    expect(await find('h')).toBeNull();
  });

  it('are deleted once an hour if their rows were deleted without them', async () => {
    await close('x', [['ACCOUNT', 'n']]);
    await store.query('DELETE FROM answers');
    await store.query('SELECT answer_expire()');
    expect(await contents()).toEqual(['x']);
    await store.query('SELECT answer_sweep()');
    expect(await contents()).toEqual([]);
  });

  describe('of an operation', () => {
    /** Opens a call of the operation. */
    const open = (id: string) =>
      store.query(`INSERT INTO operation_calls VALUES ('o', $1, 'p', $2, NULL, 1)`, [`${id} opened`, id]);
    const all: readonly Kept[] = [
      ['OPERATION', 'k'],
      ['ACCOUNT', 'n'],
      ['PURPOSE', 'p'],
    ];
    beforeEach(() =>
      store.query(`INSERT INTO operations (id, account, owner, expires_at) VALUES ('o', 'a', 'w', 'infinity')`),
    );

    it('are there once beside those of the account, and count for both that keep them', async () => {
      await open('x');
      for (let time = 0; time < 2; time += 1) await close('x', all, { operation: 'o' });
      expect(await contents()).toEqual(['x lasts']);
      for (const name of ['k', 'n', 'p']) expect(await find(name)).toBe('exchange of x');
      const quotas = 'SELECT owner, bytes::int FROM operation_quotas ORDER BY owner';
      expect(await store.query(quotas)).toEqual([
        { owner: 'reuse', bytes: 8 },
        { owner: 'w', bytes: 8 },
      ]);
      await store.query(`SELECT operation_forget('o', NULL)`);
      expect([await find('k'), await find('p')]).toEqual([null, 'exchange of x']);
      expect(await store.query(`${quotas} LIMIT 1`)).toEqual([{ owner: 'reuse', bytes: 8 }]);
      expect(await contents()).toEqual(['x lasts']);
    });

    it('are all deleted by an erasure, and an answer that arrives after it is not kept', async () => {
      for (const id of ['x', 'y']) await open(id);
      await close('x', all, { operation: 'o' });
      await store.query(`INSERT INTO answer_subjects SELECT decode($1, 'hex'), 'y'`, [subject[1]]);
      await erase();
      expect([await find('k'), await find('n'), await find('p')]).toEqual([null, null, null]);
      await store.query('SELECT answer_expire()');
      expect(await contents()).toEqual([]);
      await close('y', [['OPERATION', 'j']], { operation: 'o' });
      expect([await find('j'), await contents()]).toEqual([null, []]);
      expect(await store.query('SELECT FROM answer_subjects')).toEqual([]);
      expect(await bytes()).toEqual({ bytes: 0 });
    });

    it('stay for it when the account may not have them any more, and an early response brings its own', async () => {
      await open('x');
      await close('x', all.slice(0, 2), { operation: 'o' });
      await end(`name = 'n'`);
      await store.query('SELECT answer_expire()');
      await publish('x', 'h');
      expect([await find('k'), await find('n'), await find('h')]).toEqual(['exchange of x', null, 'published of x']);
      await publish('x', 'g');
      expect(await find('g')).toBe('published of x');
      await store.query(`SELECT operation_forget('o', NULL)`);
      expect([await find('k'), await find('h'), await contents()]).toEqual([null, 'published of x', ['x']]);
    });

    it('are those of the service, if an early response was written first', async () => {
      await open('x');
      await publish('x', 'h');
      await close('x', all, { operation: 'o' });
      for (const name of ['h', 'k', 'n', 'p']) expect(await find(name)).toBe('exchange of x');
      expect(await contents()).toEqual(['x lasts']);
    });
  });

  it('are deleted when the days of an answer have passed', async () => {
    await close('x', [['PURPOSE', 'p']]);
    await close('y', [['PURPOSE', 'q']]);
    await end(`name = 'p'`);
    expect(await store.query('SELECT answer_purge(5) AS count')).toEqual([{ count: 1 }]);
    expect(await contents()).toEqual(['y lasts']);
    expect(await bytes()).toEqual({ bytes: 8 });
  });
});
