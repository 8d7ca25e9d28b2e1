import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { times } from '../../../../src/times';
import { post, runPadron } from '../../../support/padrons/padron';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { waitUntil } from '../../../support/proxies/deferred';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { scrapeMetrics, waitForMetric } from '../../../support/requests/scrape-metrics';
import { sandboxForEachTest } from '../../../support/sandbox/sandbox-for-tests';
import { engineRig } from '../../../support/stores/engines';

const rows = NSS.slice(0, 40).map((nss) => ({ nss }));

describe('batches', () => {
  const rig = engineRig();

  it('do not delay interactive requests', async () => {
    const { environment } = await rig.settings();
    const padron = await runPadronBehindProxy({ ...environment, REGISTRY_CONCURRENCY: '4', BATCH_CONCURRENCY: '4' });
    padron.proxy.tamper(async () => {
      await new Promise((resolve) => setTimeout(resolve, 25));
      return null;
    });
    const client = new BatchClient(padron);
    const { id } = await client.ready(
      CREDIT,
      NSS.slice(0, 200).map((nss) => ({ nss })),
    );
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 500)`);
    const variables = { nss: NSS[210] };
    const { data } = await post(padron.url, { query: CREDIT, variables });
    expect(data.person.credit.outcome).toBe('FOUND');
    // The request was answered while most rows of the batch were waiting.
    expect((await client.get(id)).progress.waiting).toBeGreaterThan(50);
    await padron.stop();
  });
});

describe('processes that share a database', () => {
  const rig = engineRig('postgres');
  const sandbox = sandboxForEachTest();

  it('can be a graph that runs no batches and a worker that serves no requests', async () => {
    const common = (await rig.settings()).environment;
    const registryUrl = () => sandbox.url;
    const graph = await runPadron({ environment: { ...common, ROLE: 'graph' }, registryUrl });
    const client = new BatchClient(graph);
    const { id } = await client.ready(CREDIT, rows);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 100)`);
    await new Promise((resolve) => setTimeout(resolve, 2.5 * times.batchCycle));
    expect((await client.get(id)).progress).toMatchObject({ waiting: 40, spentUnits: 0 });
    const worker = await runPadron({ environment: { ...common, ROLE: 'worker' }, registryUrl });
    expect((await post(worker.url, { query: '{ __typename }' })).status).toBe(404);
    expect((await client.until(id, 'DONE')).progress).toMatchObject({ done: 40, spentUnits: 40 });
    await Promise.all([graph.stop(), worker.stop()]);
  });

  it('send no row with less than REGISTRY_TIMEOUT_MS for its answer, because a batch makes as many calls as its process may', async () => {
    const common = { ...(await rig.settings()).environment, REGISTRY_CONCURRENCY: '8', REGISTRY_TIMEOUT_MS: '4000' };
    const worker = await runPadronBehindProxy(common);
    const { proxy } = worker;
    const graph = await runPadron({ environment: { ...common, ROLE: 'graph' }, registryUrl: () => proxy.url });
    for (const padron of [worker, graph]) rig.atEnd(() => padron.stop());
    const client = new BatchClient(worker);
    const { id } = await client.ready(CREDIT, rows.slice(0, 8));
    await waitForMetric(worker, 'padron_processes', 2);
    proxy.reset();
    proxy.tamper(() => new Promise((resolve) => setTimeout(resolve, 2_500, null)));
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 100)`);
    await waitUntil(() => proxy.requests.length === 4);
    expect((await scrapeMetrics(worker)).of('padron_registry_calls_waiting')).toBe(0);
    expect((await client.until(id, 'DONE', 'PAUSED')).progress).toMatchObject({ done: 8, unknown: 0, spentUnits: 8 });
    expect([proxy.requests.length, proxy.maxConcurrent(SANDBOX_TOKEN)]).toEqual([8, 4]);
  });
});
