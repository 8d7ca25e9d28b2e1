import { parse } from 'csv-parse/sync';
import { purgeBatches } from '../../../src/extensions/batch/storage/erase';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { createLogger } from '../../../src/server/telemetry/logger';
import { EmbeddedEngine } from '../../../src/store/embedded/embedded-engine';
import { openStore } from '../../../src/store/open-store';
import type { Store } from '../../../src/store/store';
import { times } from '../../../src/times';
import { signedBySecret } from '../../support/keys/identity-provider';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { readConfig, startPadron } from '../../support/padrons/whole-padron';
import { withPadron } from '../../support/padrons/with-padron';
import { waitUntil } from '../../support/proxies/deferred';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';
import { dumpDatabase } from '../../support/stores/postgres';
import { storeMigrations } from '../../support/stores/store-migrations';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const staff = people.slice(0, 5);
const rows = staff.map(({ nss }, index) => ({ nss, ref: `planted label ${index}` }));

/** Texts that would reveal a person, a label or the operation, or give access to the account. */
const planted = [
  ...staff.flatMap(({ nss, curp, names, paternalSurname }) => [nss, curp, `${names} ${paternalSurname}`]),
  'planted label',
  'planted name',
  'planted key',
  'query Credit',
  SANDBOX_TOKEN,
];

const rig = engineRig('postgres');
let environment: Readonly<Record<string, string>>;
let padron: RunningPadron;
let client: BatchClient;
let store: Store;

beforeAll(async () => {
  const settings = await rig.settings();
  environment = settings.environment;
  padron = await runPadron({ environment: { ...environment, BATCH_ACCOUNT_BATCHES: '2' } });
  client = new BatchClient(padron);
  store = await openStore(settings.store, storeMigrations);
});
afterAll(async () => {
  await store.close();
  await padron.stop();
});
beforeEach(async () => {
  for (const table of ['batch', 'batch_row']) await store.query(`DELETE FROM ${table}`);
});

describe('the data that a batch stores', () => {
  async function run(): Promise<string> {
    const input = { operation: CREDIT, rows, name: 'planted name', key: `planted key ${Math.random()}` };
    return (await client.run((await client.create(input)).batch.id)).id;
  }

  /** Returns the planted texts in the database or the log, as text or as PostgreSQL prints bytes. */
  async function leaks(): Promise<readonly string[]> {
    const text = `${await dumpDatabase(environment.DATABASE_URL ?? '')}\n${padron.log.join('\n')}`;
    return planted.filter((secret) => text.includes(secret) || text.includes(Buffer.from(secret).toString('hex')));
  }

  it('contains no personal data unencrypted, neither in the database nor in the log', async () => {
    await run();
    // A paused batch keeps its token.
    await client.runRows(CREDIT, rows, 1);
    expect(await store.query('SELECT state FROM batch WHERE token IS NOT NULL')).toEqual([{ state: 'PAUSED' }]);
    expect(await leaks()).toEqual([]);
  });

  const erase = (officer: BatchClient, subject: string) =>
    officer.ask(`mutation { eraseRegistrySubject(subject: { ${subject} }) { rows } }`);

  /** Calls `use` with a client that may erase people, and the store of its padron. */
  async function asOfficer(use: (officer: BatchClient, officerStore: Store) => Promise<void>): Promise<void> {
    const settings = await rig.settings();
    const officerStore = await openStore(settings.store, storeMigrations);
    rig.atEnd(() => officerStore.close());
    const granted = { ...settings.environment, REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: SECRET };
    const scope = 'padron_batch padron_erase use_buscar_credito';
    await withPadron({ environment: granted }, (running) =>
      use(new BatchClient(running, signedBySecret(SECRET, { scope, azp: 'officer' })), officerStore),
    );
  }

  it('can be erased for a person whose identifier is in any column, also of a refused row', () =>
    asOfficer(async (officer) => {
      const [asked, refused, other] = staff;
      const { batch } = await officer.create({ operation: CREDIT });
      const file = `nss,CURP\n${asked?.nss},${asked?.curp}\n,${refused?.curp.toLowerCase()}\n${other?.nss},\n`;
      expect((await officer.upload(batch.uploadUrl, file)).body).toMatchObject({ rows: 2, refusedCount: 1 });
      await officer.until(batch.id, 'READY');
      for (const person of [asked, refused])
        expect(await erase(officer, `curp: "${person?.curp}"`)).toEqual({ eraseRegistrySubject: { rows: 1 } });
      const left = await officer.ask(
        `query($id: ID!) { registryBatch(id: $id) { refused: rows(state: REFUSED) { rows { number remarks } } rows { rows { number state } } } }`,
        { id: batch.id },
      );
      const { refused: refusedRows, rows: otherRows } = left.registryBatch;
      expect(refusedRows.rows).toEqual([{ number: 2, remarks: ['Erased at the request of the person.'] }]);
      const states = otherRows.rows.map(({ number, state }: Record<string, string>) => `${number} ${state}`);
      expect(states).toEqual(['1 ERASED', '3 WAITING']);
    }));

  it('can be erased for one person, and the rows of other people stay', () =>
    asOfficer(async (officer, officerStore) => {
      const { id } = await officer.runRows(CREDIT, rows);
      // A row that timed out keeps whether it may succeed, but only failed rows are counted as retryable.
      await officerStore.query(`UPDATE batch_row SET state = 'UNKNOWN', retryable = true WHERE number = 3`);
      await officerStore.query('UPDATE batch SET done = done - 1, unknown = unknown + 1');
      expect(await erase(officer, `nss: "${rows[2]?.nss}"`)).toEqual({ eraseRegistrySubject: { rows: 1 } });
      const left = await officer.rows(id);
      expect(left.map(({ ref }) => ref)).toEqual(rows.map(({ ref }, index) => (index === 2 ? null : ref)));
      expect(left[2]).toMatchObject({ state: 'ERASED', data: null, evidence: [], units: 1 });
      const { csvUrl, jsonlUrl } = await officer.get(id);
      const { text } = await officer.download(`${csvUrl}&language=es`);
      const table: Record<string, string>[] = parse(text, { bom: true, columns: true });
      expect(table.map((row) => [row.Estado, row.Observaciones, row.Línea])).toEqual([
        ['Hecha', '', '1'],
        ['Hecha', '', '2'],
        ['Suprimida', 'Se suprimió a petición de la persona.', ''],
        ['Hecha', '', '4'],
        ['Hecha', '', '5'],
      ]);
      const json = (await officer.download(`${jsonlUrl}`)).text.split('\n')[2] ?? '';
      expect(JSON.parse(json)).toMatchObject({
        ...{ state: 'ERASED', row: 3, line: null, remarks: ['Erased at the request of the person.'] },
      });
      expect((await officer.get(id)).progress).toMatchObject({
        ...{ done: 4, unknown: 0, retryable: 0, erased: 1, waiting: 0, spentUnits: 5 },
      });
    }));

  it('is erased when the batch expires', async () => {
    const id = await run();
    await store.query(`UPDATE batch SET expires_at = now() - interval '1 minute' WHERE id = $1`, [id]);
    await purgeBatches(store);
    expect(await client.get(id)).toMatchObject({ state: 'ERASED', name: null, progress: { spentUnits: 5 } });
    const columns = { batch_row: 'batch', batch_subject: 'batch', answers: 'operation' };
    for (const [table, column] of Object.entries(columns))
      expect(await store.query(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [id])).toEqual([]);
  });
});

const csv = `nss\n${NSS[0]}\n`;
const ACCOUNT = CREDIT.replace('hasCredit', '');

describe('a batch that receives no rows', () => {
  /** Moves the creation and the last upload of all batches into the past. */
  const pass = (interval: string): Promise<unknown> =>
    store.query(`UPDATE batch SET waits_until = waits_until - interval '${interval}'`);
  const minutesLeft = ({ expiresAt }: { readonly expiresAt: string }): number =>
    Math.round((Date.parse(expiresAt) - Date.now()) / 60_000);

  it('waits for an hour after its creation, the last file, or the last request with its key', async () => {
    const input = { operation: CREDIT, key: 'patient' };
    const { batch } = await client.create(input);
    expect(minutesLeft(batch)).toBe(60);
    await pass('50 minutes');
    expect(minutesLeft(await client.get(batch.id))).toBe(10);
    expect((await client.upload(batch.uploadUrl, '\n')).status).toBe(400);
    expect(minutesLeft(await client.get(batch.id))).toBe(60);
    await pass('50 minutes');
    expect(minutesLeft((await client.create(input)).batch)).toBe(60);
    await purgeBatches(store);
    expect((await client.upload(batch.uploadUrl, csv)).status).toBe(200);
    expect(minutesLeft(await client.until(batch.id, 'READY'))).toBeGreaterThan(24 * 60);
  });

  it('takes the results of idempotency keys that show it when it expires, and no others', async () => {
    const create = (key: string) =>
      padron.ask(
        `mutation { createRegistryBatch(input: { operation: ${JSON.stringify(CREDIT)}, key: "${key}" }) { batch { id } } }`,
        {},
        { 'idempotency-key': key },
      );
    await create('expired');
    await pass('61 minutes');
    const { data } = await create('waiting');
    await purgeBatches(store);
    const [lost, replayed] = [await create('expired'), await create('waiting')];
    expect(lost.errors).toMatchObject([{ extensions: { code: 'IDEMPOTENCY_RESULT_LOST' } }]);
    expect([replayed.data, replayed.headers['idempotency-replayed']]).toEqual([data, 'true']);
  });

  it('is gone after that time: it is not found, takes no file, counts in no quota and frees its key', async () => {
    const { batch } = await client.create({ operation: CREDIT, key: 'abandoned' });
    await client.create({ operation: CREDIT });
    expect((await client.create({ operation: CREDIT })).problems).toMatchObject([{ code: 'BATCH_QUOTA_EXCEEDED' }]);
    await pass('61 minutes');
    expect(await client.get(batch.id)).toBeNull();
    const { registryBatches } = await client.ask('{ registryBatches(state: WAITING_FOR_ROWS) { batches { id } } }');
    expect(registryBatches.batches).toEqual([]);
    expect(await client.upload(batch.uploadUrl, csv)).toMatchObject({
      status: 404,
      body: { errors: [{ message: 'The batch no longer exists.' }] },
    });
    const next = await client.create({ operation: ACCOUNT, key: 'abandoned', rows: [{ nss: NSS[0] }] });
    expect(next.problems).toEqual([]);
    expect(next.batch.id).not.toBe(batch.id);
  });

  it('is erased with the rows of its interrupted upload, and leaves nothing behind', async () => {
    const { batch } = await client.create({ operation: CREDIT });
    const ready = await client.ready(CREDIT, [{ nss: NSS[0] }]);
    await store.query(`INSERT INTO batch_row (batch, number, input) VALUES ($1, 1, '')`, [batch.id]);
    await pass('61 minutes');
    await purgeBatches(store);
    expect(await store.query('SELECT id FROM batch')).toEqual([{ id: ready.id }]);
    expect(await store.query('SELECT DISTINCT batch FROM batch_row')).toEqual([{ batch: ready.id }]);
  });
});

describe('a store in memory', () => {
  /** Statements of the store, and the engine that runs them. */
  const query = jest.spyOn(EmbeddedEngine.prototype, 'query');
  const run = (sql: string): Promise<readonly object[]> => {
    const [engine] = query.mock.contexts;
    if (engine === undefined) throw new Error('The store is not open.');
    return engine.query(sql, []);
  };
  const hourly = times.purge;
  beforeEach(() => {
    times.purge = { first: 20, every: 20 };
  });
  afterEach(() => {
    times.purge = hourly;
    query.mockRestore();
  });

  it('erases batches that received no rows for an hour', async () => {
    const padron = await startPadron(readConfig({ PORT: '0' }), createLogger('silent'));
    try {
      const client = new BatchClient(padron);
      const abandoned = (await client.create({ operation: CREDIT })).batch.id;
      const waiting = (await client.create({ operation: CREDIT })).batch.id;
      await run(`UPDATE batch SET waits_until = waits_until - interval '61 minutes' WHERE id = '${abandoned}'`);
      await waitUntil(async () => (await run('SELECT id FROM batch')).length < 2);
      expect(await run('SELECT id FROM batch')).toEqual([{ id: waiting }]);
    } finally {
      await padron.stop();
    }
  });
});
