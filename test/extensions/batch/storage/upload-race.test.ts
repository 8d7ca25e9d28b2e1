import { randomUUID } from 'node:crypto';
import { GraphQLString } from 'graphql';
import { noChoices } from '../../../../src/extensions/batch/dataset/columns/column-choices';
import { noSheets } from '../../../../src/extensions/batch/dataset/dataset';
import { loadDataset } from '../../../../src/extensions/batch/dataset/load-dataset';
import { createBatchKey, type OpenBatch, openBatch } from '../../../../src/extensions/batch/open-batch';
import type { BatchOperation } from '../../../../src/extensions/batch/operation';
import { BatchStore } from '../../../../src/extensions/batch/storage/batch-store';
import { BatchQuotas } from '../../../../src/extensions/batch/storage/quotas';
import { SubjectIndex } from '../../../../src/money/entries/subject-index';
import { readDataKeys } from '../../../../src/store/key-ring';
import type { Store } from '../../../../src/store/store';
import { LONG_SECRET } from '../../../support/padrons/settings';
import { engineRig, engines } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';

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
      ...{
        id,
        account: 'account',
        tenant: 'account',
        owner: '',
        keyName: null,
        fingerprint: '',
        client: null,
        tag: null,
        purpose: null,
        actor: null,
      },
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
