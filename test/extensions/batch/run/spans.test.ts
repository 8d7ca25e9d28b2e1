import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { collectSpans } from '../../../support/collect-spans';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

describe('the spans of a batch', () => {
  const { exporter, stop } = collectSpans();
  afterAll(stop);

  const padron = ledgerPadronForTests(engineRig());

  it('are a lookup per question of a row, and a call below the lookup of the row that pays', async () => {
    const client = new BatchClient(padron);
    const { id } = await client.ready(CREDIT, [{ nss: NSS[0] }, { nss: NSS[0] }]);
    exporter.reset();
    await client.run(id, 1);
    const named = (start: string): readonly ReadableSpan[] =>
      exporter.getFinishedSpans().filter(({ name }) => name.startsWith(`${start} POST /api/infonavit`));
    const lookups = named('lookup');
    const calls = named('registry');
    const sources = lookups.map(({ attributes }) => attributes['padron.served_from']);
    // The second row shares the call, or gets what the batch has kept.
    expect(['LIVE REPLAY', 'KEPT LIVE']).toContain(sources.sort().join(' '));
    expect(calls).toHaveLength(1);
    const paid = lookups.find(({ attributes }) => attributes['padron.served_from'] === 'LIVE');
    expect(calls[0]?.parentSpanContext?.spanId).toBe(paid?.spanContext().spanId);
    // The spans are not part of the trace of the request that started the batch, which may run for hours.
    expect(lookups.map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined]);
  });
});
