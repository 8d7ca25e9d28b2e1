import { AsyncLocalStorage } from 'node:async_hooks';
import { context, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { keptPadronForTests } from '../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';

describe('the spans of a batch', () => {
  const exporter = new InMemorySpanExporter();
  const storage = new AsyncLocalStorage<ReturnType<typeof context.active>>();
  beforeAll(() => {
    const root = context.active();
    context.setGlobalContextManager({
      active: () => storage.getStore() ?? root,
      with: (entered, run, self, ...args) =>
        storage.run(entered, () => run.call(self as ThisParameterType<typeof run>, ...args)),
      bind: (_entered, target) => target,
      enable() {
        return this;
      },
      disable() {
        return this;
      },
    });
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  });
  afterAll(() => {
    trace.disable();
    context.disable();
  });

  const padron = keptPadronForTests(engineRig('embedded'));

  it('are a lookup for each question of a row, and below it the call of the row that pays', async () => {
    const client = new BatchClient(padron);
    const { id } = await client.ready(CREDIT, [{ nss: NSS[0] }, { nss: NSS[0] }]);
    exporter.reset();
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 1)`);
    await client.until(id, 'DONE', 'PAUSED');
    const named = (start: string): readonly ReadableSpan[] =>
      exporter.getFinishedSpans().filter(({ name }) => name.startsWith(`${start} POST /api/infonavit`));
    const lookups = named('lookup');
    const calls = named('registry');
    expect(lookups.map(({ attributes }) => attributes['padron.served_from']).sort()).toEqual(['LIVE', 'REPLAY']);
    expect(calls).toHaveLength(1);
    const paid = lookups.find(({ attributes }) => attributes['padron.served_from'] === 'LIVE');
    expect(calls[0]?.parentSpanContext?.spanId).toBe(paid?.spanContext().spanId);
    // A batch may run for hours after the request that started it.
    expect(lookups.map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined]);
  });
});
