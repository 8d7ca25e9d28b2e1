import { createLogger } from '../../../../src/server/telemetry/logger';
import { EmbeddedEngine } from '../../../../src/store/embedded/embedded-engine';
import { readConfig, startPadron } from '../../../support/padrons/whole-padron';
import { waitUntil } from '../../../support/proxies/deferred';
import { BatchClient, CREDIT } from '../../../support/requests/batches';

const hourMs = 3_600_000;
const allButIntervals = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];

describe('a store in memory', () => {
  /** Statements of the store, and the engine that runs them. */
  const query = jest.spyOn(EmbeddedEngine.prototype, 'query');
  const run = (sql: string): Promise<readonly object[]> => {
    const [engine] = query.mock.contexts;
    if (engine === undefined) throw new Error('The store is not open.');
    return engine.query(sql, []);
  };
  afterEach(() => {
    jest.useRealTimers();
    query.mockRestore();
  });

  it('erases batches that received no rows for an hour', async () => {
    jest.useFakeTimers({ doNotFake: allButIntervals });
    const padron = await startPadron(readConfig({ PORT: '0' }), createLogger('silent'));
    try {
      const client = new BatchClient(padron);
      const abandoned = (await client.create({ operation: CREDIT })).batch.id;
      const waiting = (await client.create({ operation: CREDIT })).batch.id;
      await run(`UPDATE batch SET waits_until = waits_until - interval '61 minutes' WHERE id = '${abandoned}'`);
      jest.advanceTimersByTime(hourMs);
      await waitUntil(async () => (await run('SELECT id FROM batch')).length < 2);
      expect(await run('SELECT id FROM batch')).toEqual([{ id: waiting }]);
    } finally {
      await padron.stop();
    }
  });
});
