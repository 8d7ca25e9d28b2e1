import { randomUUID } from 'node:crypto';
import { GraphQLString } from 'graphql';
import { request } from 'undici';
import { noChoices } from '../../../../src/extensions/batch/dataset/columns/column-choices';
import { noSheets } from '../../../../src/extensions/batch/dataset/dataset';
import { loadDataset } from '../../../../src/extensions/batch/dataset/load-dataset';
import { createBatchKey, type OpenBatch, openBatch } from '../../../../src/extensions/batch/open-batch';
import type { BatchOperation } from '../../../../src/extensions/batch/operation';
import { BatchStore } from '../../../../src/extensions/batch/storage/batch-store';
import { BatchQuotas } from '../../../../src/extensions/batch/storage/quotas';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { SubjectIndex } from '../../../../src/money/ledger/entries/subject-index';
import { readDataKeys } from '../../../../src/store/key-ring';
import type { Store } from '../../../../src/store/store';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { LONG_SECRET } from '../../../support/padrons/settings';
import { withPadron } from '../../../support/padrons/with-padron';
import { waitUntil } from '../../../support/proxies/deferred';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';

const [first = '', second = '', third = ''] = NSS;
const file = `No. Empleado;nss;Nombre;ref\n001;${first};"Peña ""Nacho""";a\n002;;Íñigo;b\n003;${second};Ana\n004;x;y;z;surplus\n005;${third};;e\n`;

describe.each(engines)('the rows of a dataset, on the %s engine', (engine) => {
  const padron = ledgerPadronForTests(engineRig(engine));
  const client = new BatchClient(padron);

  const rowsOf = async (id: string, state: string | null, language = 'en') => {
    const query = `query($id: ID!, $state: RegistryRowState) { registryBatch(id: $id) { rows(state: $state) { rows { number line ref state remarks } next } } }`;
    const reader = new BatchClient(padron, undefined, { 'accept-language': language });
    return (await reader.ask(query, { id, state })).registryBatch.rows.rows;
  };

  it('keep their lines, and refused rows are listed only if they are asked for', async () => {
    const { batch } = await client.create({ operation: CREDIT });
    expect((await client.upload(batch.uploadUrl, file)).body).toMatchObject({ rows: 3, refusedCount: 2 });
    const ready = await client.until(batch.id, 'READY');
    expect(ready).toMatchObject({ estimate: { rowCount: 3, invalidRows: 0 }, progress: { rows: 3, waiting: 3 } });
    expect(await rowsOf(batch.id, null)).toEqual([
      { number: 1, line: 2, ref: 'a', state: 'WAITING', remarks: [] },
      { number: 3, line: 4, ref: null, state: 'WAITING', remarks: [] },
      { number: 5, line: 6, ref: 'e', state: 'WAITING', remarks: [] },
    ]);
    expect(await rowsOf(batch.id, 'REFUSED')).toEqual([
      { number: 2, line: 3, ref: 'b', state: 'REFUSED', remarks: ['The cell in the column `nss` is empty.'] },
      { ...{ number: 4, line: 5, ref: null, state: 'REFUSED' }, remarks: [expect.stringContaining('has 5 values')] },
    ]);
    expect((await rowsOf(batch.id, 'REFUSED', 'es'))[0].remarks).toEqual(['La celda de la columna `nss` está vacía.']);
  });

  it('never run if they are refused, also not when the batch is retried', async () => {
    const { batch } = await client.create({ operation: CREDIT });
    await client.upload(batch.uploadUrl, file);
    const done = await client.run(batch.id, 10);
    expect(done).toMatchObject({ state: 'DONE', progress: { rows: 3, done: 3, failed: 0, waiting: 0 } });
    await client.change(`retryRegistryBatch(id: "${batch.id}", rows: FAILED, maxUnits: 10)`);
    expect(await client.until(batch.id, 'DONE')).toMatchObject({ progress: { rows: 3, done: 3 } });
    expect((await rowsOf(batch.id, 'REFUSED')).length).toBe(2);
  });

  it('are replaced with the refused ones when another file is sent', async () => {
    const { batch } = await client.create({ operation: CREDIT });
    expect((await request(batch.uploadUrl, { method: 'POST', body: 'ref,nss\na,\n' })).statusCode).toBe(400);
    expect((await client.upload(batch.uploadUrl, `nss\n${first}\n`)).body).toMatchObject({ rows: 1, refusedCount: 0 });
    expect(await rowsOf(batch.id, 'REFUSED')).toEqual([]);
  });
});

const SECRET = 'a-secret-shared-with-the-identity-provider';

describe.each(engines)('an upload that a later one replaces, on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('is refused, and an erasure of its people leaves the rows of the later one', async () => {
    const { environment } = await rig.settings();
    const granted = { ...environment, REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: SECRET };
    await withPadron({ environment: granted }, async ({ url }) => {
      const scope = 'padron_batch padron_erase use_buscar_credito';
      await replaceUpload(new BatchClient({ url }, signedBySecret(SECRET, { scope, azp: 'officer' })));
    });
  });

  it.each([
    ['begins to arrive', 3, 0],
    ['is being stored', 16_000, 500],
  ])('is refused if its columns are chosen again while it %s, and the choice stays', async (_what, arrived, rows) => {
    const { environment } = await rig.settings();
    await withPadron({ environment }, async (padron) => {
      await chooseDuringUpload(new BatchClient(padron), arrived, rows);
      expect(padron.calls()).toEqual([]);
    });
  });
});

async function chooseDuringUpload(client: BatchClient, arrived: number, stored: number): Promise<void> {
  const chosen = (column: string) => ({ operation: CREDIT, key: 'k', columns: [{ column, variable: 'nss' }] });
  const file = `No;NSS\n${`${first};${second}\n`.repeat(1_000)}`;
  const { batch } = await client.create(chosen('NSS'));
  const upload = beginUpload(batch.uploadUrl, file.slice(0, arrived));
  // An upload that begins to be read extends the time for which its batch waits.
  await waitUntil(async () => (await client.get(batch.id)).expiresAt !== batch.expiresAt);
  await waitUntil(async () => (await client.rows(batch.id)).length === stored);
  expect((await client.create(chosen('No'))).problems).toEqual([]);
  const response = await upload.end(file.slice(arrived));
  const message = 'The columns or the sheet of the batch were chosen again meanwhile. Send the rows again.';
  expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ message }] }]);
  const { rows, columns } = (await client.upload(batch.uploadUrl, file)).body;
  expect([rows, columns[0], columns[1].variable]).toEqual([1_000, { name: 'No', variable: 'nss' }, null]);
}

/** Begins to send a file. `end` sends the last part. */
function beginUpload(url: string, start: string) {
  let release = (_last: string): void => {};
  const released = new Promise<string>((resolve) => {
    release = resolve;
  });
  async function* body(): AsyncGenerator<Buffer> {
    yield Buffer.from(start);
    yield Buffer.from(await released);
  }
  const response = fetch(url, { method: 'POST', body: body(), duplex: 'half' } as RequestInit);
  return {
    end: (last: string): Promise<Response> => {
      release(last);
      return response;
    },
  };
}

async function replaceUpload(client: BatchClient): Promise<void> {
  const { batch } = await client.create({ operation: CREDIT });
  const replaced = beginUpload(batch.uploadUrl, `nss\n${`${first}\n`.repeat(600)}`);
  await waitUntil(async () => (await client.rows(batch.id)).length === 500);
  const file = `nss\n${`${second}\n`.repeat(1_100)}`;
  expect((await client.upload(batch.uploadUrl, file)).body).toMatchObject({ rows: 1_100, refusedCount: 0 });
  expect((await replaced.end(`${first}\n`.repeat(600))).status).toBe(400);
  await client.until(batch.id, 'READY');
  const erase = (nss: string | undefined) =>
    client.ask(`mutation { eraseRegistrySubject(subject: { nss: "${nss}" }) { rows } }`);
  expect(await erase(first)).toEqual({ eraseRegistrySubject: { rows: 0 } });
  expect(await erase(second)).toEqual({ eraseRegistrySubject: { rows: 1_100 } });
}

const { ring } = readDataKeys({ kind: 'memory' }, [LONG_SECRET]);
const sizes = { batches: 10, rows: 1_000, bytes: 1_000_000 };
const operation: BatchOperation = {
  name: null,
  variables: [{ name: 'nss', type: GraphQLString, isRequired: true }],
  explainRejection: () => null,
  createEstimator: () => {
    throw new Error('No row is priced here.');
  },
};
const dataset = (rows: number, value: string | number = 'x') => ({
  columns: null,
  headerLine: null,
  ...noSheets,
  rows: Array.from({ length: rows }, (_, index) => ({ line: index + 1, values: { nss: value } })),
});

describe.each(engines)('two uploads to the same batch at the same time, on the %s engine', (engine) => {
  const store = storeForTests(engineRig(engine));

  async function createBatch(): Promise<OpenBatch> {
    const id = randomUUID();
    const { key, wrapped } = createBatchKey(ring, id);
    const names = { name: null, operation: '', operationName: null };
    const header = JSON.stringify({ ...names, columns: [], inputColumns: [], choices: noChoices });
    const { batch } = await new BatchStore(store).create({
      ...{ id, account: 'account', tenant: 'account', owner: '', keyName: null, fingerprint: '' },
      ...{ client: null, tag: null, purpose: null, usesEarlier: null, actor: null },
      ...{ header: key.seal(`${id} header`, header), wrappedKey: wrapped, language: 'en', retentionDays: 1 },
      ...{ sandbox: false, usesServerToken: false, permissions: null },
    });
    const open = openBatch(ring, batch);
    if (open === null) throw new Error('The batch cannot be opened.');
    return open;
  }

  const load = (open: OpenBatch, rows: ReturnType<typeof dataset>, through: Store = store) =>
    loadDataset(through, open, operation, rows, {
      subjects: new SubjectIndex(ring),
      maxRows: 1_000,
      quotas: new BatchQuotas(store, { account: sizes, total: sizes }),
    });

  /** Returns the store with a pause before its `nth` statement that deletes rows. `reached` resolves when that statement is next. */
  function pauseBeforeDelete(nth: number) {
    let [reach, release] = [(): void => undefined, (): void => undefined];
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let deletes = 0;
    const query: Store['query'] = async (sql, parameters) => {
      if (sql.includes('DELETE FROM batch_row')) deletes += 1;
      if (deletes === nth) {
        reach();
        await released;
      }
      return store.query(sql, parameters);
    };
    return { through: { ...store, query }, reached, release: () => release() };
  }

  it.each([
    ['begins', 1, dataset(1), 'A later upload to the same batch replaced this one.'],
    ['is rejected', 2, dataset(1, 5), expect.stringContaining('All rows (1) are rejected')],
  ])(
    'keep all rows of the later one if the earlier one %s and deletes rows late',
    async (_what, nth, rows, message) => {
      const open = await createBatch();
      const { through, reached, release } = pauseBeforeDelete(nth);
      const earlier = load(open, rows, through).catch((error: Error) => error.message);
      await reached;
      expect((await load(open, dataset(3))).rows).toBe(3);
      release();
      expect(await earlier).toEqual(message);
      expect(await store.query('SELECT number FROM batch_row WHERE batch = $1', [open.batch.id])).toHaveLength(3);
      expect(await store.query('SELECT state, total, kept_rows FROM batch WHERE id = $1', [open.batch.id])).toEqual([
        { state: 'PRICING', total: 3, kept_rows: 3 },
      ]);
    },
  );

  it('are distinguished from a choice of columns and from the end of the batch', async () => {
    const changes = [
      ['UPDATE batch SET header = $2 WHERE id = $1', /columns or the sheet of the batch were chosen again/],
      [`UPDATE batch SET state = 'CANCELED', header = $2 WHERE id = $1`, /canceled or erased/],
      [`UPDATE batch SET state = 'PRICING', header = $2 WHERE id = $1`, /already has rows/],
    ] as const;
    for (const [change, message] of changes) {
      const open = await createBatch();
      await store.query(change, [open.batch.id, Buffer.from('another header')]);
      await expect(load(open, dataset(1))).rejects.toThrow(message);
      expect(await store.query('SELECT number FROM batch_row WHERE batch = $1', [open.batch.id])).toEqual([]);
    }
  });
});
