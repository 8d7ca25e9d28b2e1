import { createHash } from 'node:crypto';
import { openStore, type StoreSettings } from '../../src/store/open-store';
import { SchemaWatch } from '../../src/store/schema-watch';
import { type Migration, type Store, UnusableStoreError } from '../../src/store/store';
import { bothEngines, engineRig, engines } from '../support/stores/engines';
import { storeForTests } from '../support/stores/store-for-tests';

const table: Migration = {
  number: 1,
  name: 'test-1',
  sql: 'CREATE TABLE things (id text PRIMARY KEY, body bytea); CREATE INDEX things_by_body ON things (body)',
};

describe.each(bothEngines)('a store on the %s engine', (engine) => {
  const rig = engineRig(engine);

  describe('if it is open', () => {
    const store = storeForTests(rig, [table]);

    it('reports its engine', () => expect(store.engine).toBe(engine));

    it('returns the same values', async () => {
      const rows = await store.query(
        `SELECT 9007199254740991::int8 AS big, 7::int4 AS small, sum(n)::int8 AS sum, avg(n) AS average, 1.5::float8 AS float,
           true AS yes, 'ñandú'::text AS word, null::text AS nothing, '{"a":[1,null]}'::jsonb AS json,
           timestamptz '2026-11-22 00:00:00.123+00' AS moment, date '2026-11-22' AS day, '\\x0001ff'::bytea AS bytes,
           array['a','b,"c'] AS words, array[1,2]::int8[] AS bigs, array[1,2]::int4[] AS smalls, null::bytea AS none
         FROM (VALUES (1), (2)) AS t(n)`,
      );
      expect(rows).toEqual([
        {
          big: 9_007_199_254_740_991,
          small: 7,
          sum: 3,
          average: 1.5,
          float: 1.5,
          yes: true,
          word: 'ñandú',
          nothing: null,
          json: { a: [1, null] },
          moment: new Date('2026-11-22T00:00:00.123Z'),
          day: '2026-11-22',
          bytes: Buffer.from([0, 1, 255]),
          words: ['a', 'b,"c'],
          bigs: [1, 2],
          smalls: [1, 2],
          none: null,
        },
      ]);
      expect(Buffer.isBuffer((rows[0] as { bytes: unknown }).bytes)).toBe(true);
      expect((rows[0] as { moment: unknown }).moment).toBeInstanceOf(Date);
    });

    it('accepts the same parameters', async () => {
      const moment = new Date('2026-02-03T04:05:06.789Z');
      const json = JSON.stringify([{ a: 'ñ', b: 2 ** 40 }]);
      const rows = await store.query(
        `SELECT $1::text AS word, $2::int8 AS big, $3::boolean AS yes, $4::timestamptz AS moment, $5::bytea AS bytes,
           $6::jsonb AS json, $7::text[] AS words, $8::text AS nothing, $9::float8 AS float, $10::int8[] AS bigs,
           (SELECT sum(b) FROM jsonb_to_recordset($6::jsonb) AS r(a text, b int8)) AS sum`,
        ['w', 2 ** 50, false, moment, new Uint8Array([9, 0]), json, ['x', 'y,"z\\'], null, 0.25, [1, 2]],
      );
      expect(rows).toEqual([
        {
          word: 'w',
          big: 2 ** 50,
          yes: false,
          moment,
          bytes: Buffer.from([9, 0]),
          json: JSON.parse(json),
          words: ['x', 'y,"z\\'],
          nothing: null,
          float: 0.25,
          bigs: [1, 2],
          sum: 2 ** 40,
        },
      ]);
    });

    it('knows the days of a time zone', async () => {
      const sql = `SELECT (timestamptz '2026-11-22T05:59:59Z' AT TIME ZONE $1)::date AS day`;
      expect(await store.query(sql, ['America/Mexico_City'])).toEqual([{ day: '2026-11-21' }]);
    });

    it('rejects an invalid statement with its SQLSTATE, and continues', async () => {
      await store.query('INSERT INTO things (id) VALUES ($1)', ['twice']);
      const again = store.query('INSERT INTO things (id) VALUES ($1)', ['twice']);
      await expect(again).rejects.toMatchObject({ name: 'StatementError', code: '23505' });
      await expect(store.query('SELEC 1')).rejects.toMatchObject({ name: 'StatementError', code: '42601' });
      expect(await store.query('SELECT id FROM things')).toEqual([{ id: 'twice' }]);
    });

    it('runs concurrent statements', async () => {
      const sums = await Promise.all(Array.from({ length: 50 }, (_, n) => store.query('SELECT $1::int8 AS n', [n])));
      expect(sums.map(([row]) => row)).toEqual(Array.from({ length: 50 }, (_, n) => ({ n })));
    });
  });

  it('keeps its rows, and applies each migration once', async () => {
    const { store: settings } = await rig.emptySettings();
    const first = await openStore(settings, [table]);
    await first.query('INSERT INTO things VALUES ($1, $2)', ['kept', new Uint8Array([1])]);
    await first.close();
    await expect(first.query('SELECT 1')).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    const second = await openStore(settings, [
      table,
      { number: 2, name: 'test-2', sql: 'ALTER TABLE things ADD colour text' },
    ]);
    expect(await second.query('SELECT * FROM things')).toEqual([{ id: 'kept', body: Buffer.from([1]), colour: null }]);
    expect(await second.query('SELECT name FROM padron_migrations ORDER BY name')).toEqual([
      { name: 'test-1' },
      { name: 'test-2' },
    ]);
    await second.close();
  });

  it('stays unchanged if a migration fails, and reports which one', async () => {
    const { store: settings } = await rig.emptySettings();
    await openStore(settings, [table]).then((store) => store.close());
    const steps: readonly Migration[] = [
      table,
      { number: 2, name: 'test-2', sql: 'CREATE TABLE more (id text); INSERT INTO things (id) VALUES (1)' },
      { number: 3, name: 'test-3', sql: 'CREATE TABLE broken (id nonsense)' },
    ];
    await expect(openStore(settings, steps)).rejects.toThrow(
      new UnusableStoreError(
        "Migration test-3 of the store failed (SQLSTATE 42704), and no change was made. Check the database's log.",
      ),
    );
    const store = await openStore(settings, [table]);
    expect(await store.query("SELECT to_regclass('more')::text AS more, count(*) AS things FROM things")).toEqual([
      { more: null, things: 0 },
    ]);
    await store.close();
  });
});

describe.each(engines)('the migrations of a store on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('replace functions when their text changes, and only then', async () => {
    const { store: settings } = await rig.emptySettings();
    const opened = async (answer: string, use: (store: Store) => Promise<unknown>): Promise<unknown> => {
      const sql = `DROP FUNCTION IF EXISTS answer(); CREATE OR REPLACE FUNCTION answer(p text DEFAULT '') RETURNS text
        LANGUAGE sql AS $$ SELECT '${answer}' $$;`;
      const store = await openStore(settings, [table, { number: null, name: 'test-functions', sql }]);
      try {
        return await use(store);
      } finally {
        await store.close();
      }
    };
    const ask = (store: Store) => store.query('SELECT answer() AS answer');
    const oldSignature = `CREATE FUNCTION answer() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$`;
    await opened('first', (store) => store.query(oldSignature));
    expect(await opened('second', ask)).toEqual([{ answer: 'second' }]);
    await opened('second', (store) => store.query('DROP FUNCTION answer'));
    await expect(opened('second', ask)).rejects.toMatchObject({ code: '42883' });
    expect(await opened('first', ask)).toEqual([{ answer: 'first' }]);
  });

  it('are applied in the order of their numbers, whatever part lists them, and functions after all of them', async () => {
    const { store: settings } = await rig.emptySettings();
    const functions = 'CREATE OR REPLACE FUNCTION hue() RETURNS text LANGUAGE sql AS $$ SELECT hue FROM things $$';
    const listed: readonly Migration[] = [
      { number: null, name: 'functions', sql: functions },
      { number: 3, name: 'rename', sql: 'ALTER TABLE things RENAME colour TO hue' },
      table,
      { number: 2, name: 'colour', sql: 'ALTER TABLE things ADD colour text' },
    ];
    const store = await openStore(settings, listed);
    expect(
      await store.query(
        'SELECT number, name, length(hash) AS digits, breaking FROM padron_migrations ORDER BY applied_at',
      ),
    ).toEqual([
      { number: 1, name: 'test-1', digits: 64, breaking: false },
      { number: 2, name: 'colour', digits: 64, breaking: false },
      { number: 3, name: 'rename', digits: 64, breaking: false },
      { number: null, name: 'functions', digits: 64, breaking: false },
    ]);
    await store.close();
    // An extension that is added later begins with its first number.
    const added: Migration = { number: 1, name: 'added', sql: 'CREATE TABLE added (id text)' };
    const later = await openStore(settings, [...listed, added]);
    expect(await later.query('SELECT FROM added')).toEqual([]);
    await later.close();
  });

  it('are rejected by an older version', async () => {
    const { store: settings } = await rig.emptySettings();
    const newer: Migration = { number: 9, name: 'test-9', sql: 'CREATE TABLE later (id text)' };
    await openStore(settings, [table, newer]).then((store) => store.close());
    await expect(openStore(settings, [table])).rejects.toThrow(/by a newer version of padron \(test-9\)/);
  });

  it('are rejected if the store is from before they had numbers', async () => {
    const { store: settings } = await rig.emptySettings();
    const before = `CREATE TABLE padron_migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL);
      INSERT INTO padron_migrations VALUES ('test-1', '${createHash('sha256').update(table.sql).digest('hex')}', now())`;
    // Without a migration this version makes no table.
    const store = await openStore(settings, []);
    for (const statement of before.split(';')) await store.query(statement);
    await store.close();
    await expect(openStore(settings, [table])).rejects.toThrow('has the tables of an earlier version of padron');
  });

  it('are rejected, and the store stays as it is, if an earlier version made its tables with another text', async () => {
    const { store: settings } = await rig.emptySettings();
    await openStore(settings, [{ ...table, sql: 'CREATE TABLE things (id int)' }]).then((store) => store.close());
    const later: Migration = { number: 2, name: 'test-2', sql: 'DROP TABLE things' };
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(openStore(settings, [table, later])).rejects.toThrow(
        new UnusableStoreError(
          'This store has the tables of an earlier version of padron, and this version cannot use them. Choose another DATA_DIR or DATABASE_URL, or delete the store. Only the earlier version can read what is in it.',
        ),
      );
  });
});

describe('a breaking migration that is announced on PostgreSQL', () => {
  const rig = engineRig('postgres');
  const breaking: Migration = { number: 2, name: 'test-2', sql: 'ALTER TABLE things ADD colour text', breaking: true };

  /** Opens the store as a newer version does while a process runs, and ends this version after it has announced the migration. */
  async function announce(settings: StoreSettings): Promise<void> {
    const onWait = (): never => {
      throw new Error('This process is killed.');
    };
    const processes = { sql: 'SELECT $1 < 0 AS is_silent', onWait };
    await expect(openStore(settings, [table, breaking], processes)).rejects.toThrow('is killed');
  }

  it('lets no process of an earlier version start, also if it has opened the store before', async () => {
    const { store: settings } = await rig.emptySettings();
    const opened = await openStore(settings, [table]);
    await new SchemaWatch(opened, [table]).start();
    await announce(settings);
    await expect(openStore(settings, [table])).rejects.toThrow('by a newer version of padron (test-2)');
    await expect(new SchemaWatch(opened, [table]).start()).rejects.toThrow(
      new UnusableStoreError(
        'A newer version of padron is migrating the store (test-2). Start that version, or use another store.',
      ),
    );
    await opened.close();
  });

  it('is void when the process that announced it has ended', async () => {
    const { store: settings } = await rig.emptySettings();
    const opened = await openStore(settings, [table]);
    await announce(settings);
    await opened.query(
      `UPDATE padron_migrations SET applied_at = applied_at - interval '6 seconds' WHERE hash IS NULL`,
    );
    const watch = new SchemaWatch(opened, [table]);
    await watch.start();
    watch.stop();
    await openStore(settings, [table]).then((store) => store.close());
    const newer = await openStore(settings, [table, breaking]);
    expect(await newer.query('SELECT colour FROM things')).toEqual([]);
    await Promise.all([opened.close(), newer.close()]);
  });

  it('is reported to a process that runs, also if it was applied without an announcement', async () => {
    const { store: settings } = await rig.emptySettings();
    const opened = await openStore(settings, [table]);
    const watch = new SchemaWatch(opened, [table]);
    await watch.start();
    const newer = await openStore(settings, [table, breaking]);
    expect(await watch.superseded).toEqual(['test-2']);
    await Promise.all([opened.close(), newer.close()]);
  });
});

describe('readers of a store on the postgres engine', () => {
  const rig = engineRig('postgres');

  it('do not delay calls, and end in the server within their time limit', async () => {
    const { store: settings } = await rig.emptySettings();
    const store = await openStore(settings, []);
    const sums = Array.from({ length: 20 }, () => store.read('SELECT pg_sleep(60)').catch((error: unknown) => error));
    await new Promise((resolve) => setTimeout(resolve, 500));
    let isFinished = false;
    const finished = Promise.all(sums).finally(() => {
      isFinished = true;
    });
    for (let call = 0; call < 20; call += 1) await store.query('SELECT 1');
    expect(isFinished).toBe(false);
    const failures = (await finished).map((error) => (error as Error).name);
    // The server has ended them, or too many ran before them. A statement that only the client ended would count as unavailable.
    expect(failures).toEqual(Array(20).fill('StoreBusyError'));
    await store.close();
  });
});
