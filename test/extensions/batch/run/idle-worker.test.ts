import { BatchWorker } from '../../../../src/extensions/batch/run/batch-worker';
import type { WorkerDependencies } from '../../../../src/extensions/batch/run/dependencies';
import { openStore } from '../../../../src/store/open-store';
import type { Store } from '../../../../src/store/store';
import { times } from '../../../../src/times';
import { engineRig } from '../../../support/stores/engines';
import { storeMigrations } from '../../../support/stores/store-migrations';

const untilNextCycle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2.5 * times.batchCycle));

describe('a worker without work, on the embedded store', () => {
  const rig = engineRig('embedded');
  let store: Store;
  let statements = 0;
  let worker: BatchWorker;
  beforeAll(async () => {
    const opened = await openStore((await rig.settings()).store, storeMigrations);
    const query: Store['query'] = (sql, parameters) => {
      statements += 1;
      return opened.query(sql, parameters);
    };
    const [read, runLong] = [opened.read.bind(opened), opened.runLong.bind(opened)];
    const [queryAhead, listen] = [opened.queryAhead.bind(opened), opened.listen.bind(opened)];
    store = {
      engine: opened.engine,
      connections: null,
      isOpen: true,
      query,
      queryAhead,
      read,
      runLong,
      listen,
      close: () => opened.close(),
    };
    const onError = (error: unknown): never => {
      throw error;
    };
    const observer = { recordRow: () => undefined, recordUnits: () => undefined, setBatches: () => undefined };
    worker = new BatchWorker({ store, runsBatches: true, observer, onError } as unknown as WorkerDependencies);
  });
  afterAll(async () => {
    await worker.stop();
    await store.close();
  });

  it('sends no statements until it is woken, and then runs one cycle', async () => {
    await worker.wake();
    const afterCycle = statements;
    expect(afterCycle).toBeGreaterThan(0);
    await untilNextCycle();
    expect(statements).toBe(afterCycle);
    await worker.wake();
    await untilNextCycle();
    expect(statements).toBe(2 * afterCycle);
  });

  it('runs a second cycle if it is woken during the first one', async () => {
    const before = statements;
    await Promise.all([worker.wake(), worker.wake()]);
    const once = statements - before;
    await untilNextCycle();
    expect(statements).toBe(before + 2 * once);
  });
});
