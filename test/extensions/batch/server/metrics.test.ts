import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { scrapeMetrics, waitForMetric } from '../../../support/requests/scrape-metrics';
import { card } from '../../../support/sandbox/cards';
import { engineRig, engines } from '../../../support/stores/engines';

describe.each(engines)('the metrics of batches on the %s store', (engine) => {
  const rig = engineRig(engine);
  const padron = ledgerPadronForTests(rig);
  const client = new BatchClient(padron);

  it('count rows by outcome, units by endpoint, and batches by state', async () => {
    const cards = ['forbidden', 'server-error'] as const;
    const rows = [...NSS.slice(0, 3), NSS[0], ...cards.map((name) => card(name, 'nss'))].map((nss) => ({ nss }));
    const { id } = await client.runRows(CREDIT, rows, 2);
    // The worker updates the metric each second.
    const paused = { state: 'PAUSED', reason: 'UNIT_BUDGET_EXCEEDED' };
    while ((await scrapeMetrics(padron)).of('padron_batches', paused) !== 1)
      await new Promise((resolve) => setTimeout(resolve, 50));

    await client.change(`resumeRegistryBatch(id: "${id}", maxUnits: 10)`);
    const { progress } = await client.until(id, 'DONE');
    await waitForMetric(padron, 'padron_batches', 0);
    const metrics = await scrapeMetrics(padron);
    const ended = ['done', 'failed', 'unknown'].map((outcome) => metrics.of('padron_batch_rows_total', { outcome }));
    expect(ended).toEqual([4, 1, 1]);
    expect(ended).toEqual([progress.done, progress.failed, progress.unknown]);
    const endpoint = 'POST /api/infonavit/grupo/buscar-credito';
    expect(metrics.of('padron_batch_units_spent_total', { endpoint })).toBe(progress.spentUnits);
    expect(metrics.of('padron_batch_units_uncertain_total', { endpoint })).toBe(progress.uncertainUnits);
    expect([progress.spentUnits, progress.uncertainUnits]).toEqual([3, 1]);
    expect(metrics.text).not.toContain(id);
  });
});
