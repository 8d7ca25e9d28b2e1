import { BatchWorker } from '../../src/batch/run/batch-worker';
import type { WorkerParts } from '../../src/batch/run/worker-parts';
import { batchMigrations } from '../../src/batch/tables/migrations';
import { openStore } from '../../src/store/open-store';
import type { Store } from '../../src/store/store';
import { engineRig } from '../support/stores/engines';

const untilTicked = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2_300));

describe('a worker that has nothing to do, over the embedded store', () => {
  const rig = engineRig('embedded');
  let store: Store;
  let statements = 0;
  let worker: BatchWorker;
  beforeAll(async () => {
    const opened = await openStore((await rig.settings()).store, batchMigrations);
    const query: Store['query'] = (sql, parameters) => {
      statements += 1;
      return opened.query(sql, parameters);
    };
    const [read, runLong] = [opened.read.bind(opened), opened.runLong.bind(opened)];
    store = { engine: opened.engine, query, read, runLong, close: () => opened.close() };
    const onFault = (error: unknown): never => {
      throw error;
    };
    const observer = { recordRow: () => undefined, recordUnits: () => undefined, setBatches: () => undefined };
    worker = new BatchWorker({ store, runsBatches: true, observer, onFault } as unknown as WorkerParts);
  });
  afterAll(async () => {
    await worker.stop();
    await store.close();
  });

  it('asks the store nothing until it is woken, and then once', async () => {
    await worker.wake();
    const afterLook = statements;
    expect(afterLook).toBeGreaterThan(0);
    await untilTicked();
    expect(statements).toBe(afterLook);
    await worker.wake();
    await untilTicked();
    expect(statements).toBe(2 * afterLook);
  });

  it('looks again where it is woken while it looks', async () => {
    const before = statements;
    await Promise.all([worker.wake(), worker.wake()]);
    const once = statements - before;
    await untilTicked();
    expect(statements).toBe(before + 2 * once);
  });
});
