import { parse } from 'csv-parse/sync';
import { purgeBatches } from '../../../src/extensions/batch/storage/erase';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { openStore } from '../../../src/store/open-store';
import type { Store } from '../../../src/store/store';
import { signedBySecret } from '../../support/keys/identity-provider';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { withPadron } from '../../support/padrons/with-padron';
import { BatchClient, CREDIT } from '../../support/requests/batches';
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

describe('the data that a batch stores', () => {
  const rig = engineRig('postgres');
  let padron: RunningPadron;
  let client: BatchClient;
  let store: Store;
  let url: string;

  beforeAll(async () => {
    const { environment } = await rig.settings();
    url = environment.DATABASE_URL ?? '';
    padron = await runPadron({ environment });
    client = new BatchClient(padron);
    store = await openStore({ kind: 'postgres', url }, storeMigrations);
  });
  afterAll(async () => {
    await store.close();
    await padron.stop();
  });

  async function run(): Promise<string> {
    const input = { operation: CREDIT, rows, name: 'planted name', key: `planted key ${Math.random()}` };
    return (await client.run((await client.create(input)).batch.id)).id;
  }

  /** Returns the planted texts in the database or the log, as text or as PostgreSQL prints bytes. */
  async function leaks(): Promise<readonly string[]> {
    const text = `${await dumpDatabase(url)}\n${padron.log.join('\n')}`;
    return planted.filter((secret) => text.includes(secret) || text.includes(Buffer.from(secret).toString('hex')));
  }

  it('contains no personal data unencrypted, neither in the database nor in the log', async () => {
    await run();
    // A paused batch keeps its token.
    await client.runRows(CREDIT, rows, 1);
    expect(await store.query('SELECT state FROM batch WHERE token IS NOT NULL')).toEqual([{ state: 'PAUSED' }]);
    expect(await leaks()).toEqual([]);
  });

  /** Calls `use` with a client that may erase people. */
  async function asOfficer(use: (officer: BatchClient) => Promise<void>): Promise<void> {
    const { environment } = await rig.settings();
    const granted = { ...environment, REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: SECRET };
    const scope = 'padron_batch padron_erase use_buscar_credito';
    await withPadron({ environment: granted }, (running) =>
      use(new BatchClient(running, signedBySecret(SECRET, { scope, azp: 'officer' }))),
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
        expect(
          await officer.ask(`mutation { eraseRegistrySubject(subject: { curp: "${person?.curp}" }) { rows } }`),
        ).toEqual({ eraseRegistrySubject: { rows: 1 } });
      const left = await officer.ask(
        `query($id: ID!) { registryBatch(id: $id) { refused: rows(state: REFUSED) { rows { number remarks } } rows { rows { number state } } } }`,
        { id: batch.id },
      );
      expect(left.registryBatch).toEqual({
        refused: { rows: [{ number: 2, remarks: ['Erased at the request of the person.'] }] },
        rows: {
          rows: [
            { number: 1, state: 'ERASED' },
            { number: 3, state: 'WAITING' },
          ],
        },
      });
    }));

  it('can be erased for one person, and the rows of other people stay', () =>
    asOfficer(async (officer) => {
      const { id } = await officer.runRows(CREDIT, rows);
      // A row that timed out keeps whether it may succeed, but only failed rows are counted as retryable.
      await store.query(`UPDATE batch_row SET state = 'UNKNOWN', retryable = true WHERE batch = $1 AND number = 3`, [
        id,
      ]);
      await store.query('UPDATE batch SET done = done - 1, unknown = unknown + 1 WHERE id = $1', [id]);
      const { eraseRegistrySubject } = await officer.ask(
        `mutation { eraseRegistrySubject(subject: { nss: "${rows[2]?.nss}" }) { rows } }`,
      );
      expect(eraseRegistrySubject).toEqual({ rows: 1 });
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
    for (const [table, column] of Object.entries({
      batch_row: 'batch',
      batch_subject: 'batch',
      operation_answers: 'operation',
    }))
      expect(await store.query(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [id])).toEqual([]);
  });
});
