import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findIdentity } from '../../../../src/graph/domains/population/endpoints';
import { times } from '../../../../src/times';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { post, runPadron } from '../../../support/padrons/padron';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { withPadron } from '../../../support/padrons/with-padron';
import { startProcess } from '../../../support/processes/process';
import { deferred, waitUntil } from '../../../support/proxies/deferred';
import { startProxy } from '../../../support/proxies/tampering-proxy';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { scrapeMetrics, waitForMetric } from '../../../support/requests/scrape-metrics';
import { sandboxForEachTest, sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { engineRig } from '../../../support/stores/engines';

const rows = NSS.slice(0, 40).map((nss) => ({ nss }));

describe('batches', () => {
  const rig = engineRig();

  it('do not delay interactive requests', async () => {
    const { environment } = await rig.settings();
    const padron = await runPadronBehindProxy({ ...environment, REGISTRY_CONCURRENCY: '4', BATCH_CONCURRENCY: '4' });
    const client = new BatchClient(padron);
    const { id } = await client.ready(
      CREDIT,
      NSS.slice(0, 200).map((nss) => ({ nss })),
    );
    const { proxy } = padron;
    const held = deferred();
    proxy.reset();
    proxy.tamper(held.tamper);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 500, earlierAnswers: PAY_AGAIN)`);
    await waitUntil(() => proxy.requests.length === 4);
    const answer = post(padron.url, { query: `{ person(curp: "${people[0]?.curp}") { identity { outcome } } }` });
    await waitForMetric(padron, 'padron_registry_calls_waiting', 1);
    held.release();
    expect((await answer).data.person.identity.outcome).toBe('FOUND');
    await client.until(id, 'DONE');
    // It was sent while most rows of the batch were waiting.
    expect(proxy.requests.findIndex(({ path }) => path === findIdentity.path)).toBeLessThan(20);
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
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 100, earlierAnswers: PAY_AGAIN)`);
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
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 100, earlierAnswers: PAY_AGAIN)`);
    await waitUntil(() => proxy.requests.length === 4);
    expect((await scrapeMetrics(worker)).of('padron_registry_calls_waiting')).toBe(0);
    expect((await client.until(id, 'DONE', 'PAUSED')).progress).toMatchObject({ done: 8, unknown: 0, spentUnits: 8 });
    expect([proxy.requests.length, proxy.maxConcurrent(SANDBOX_TOKEN)]).toEqual([8, 4]);
  });
});

describe('a batch whose process is killed during more than ten calls', () => {
  const rig = engineRig();
  const sandbox = sandboxForTests();
  const concurrency = 16;

  it('continues in the next process, with the rows of these calls UNKNOWN', async () => {
    const proxy = await startProxy(sandbox.url);
    rig.atEnd(() => proxy.close());
    const { environment } = await rig.settings();
    const settings = { PORT: '0', BATCH_CONCURRENCY: `${concurrency}`, REGISTRY_URL: proxy.url, ...environment };
    const killed = startProcess(settings);
    const first = new BatchClient({ url: await killed.address() });
    const { id } = await first.ready(CREDIT, rows);
    const held = deferred();
    proxy.reset();
    proxy.tamper(held.tamper);
    await first.change(`startRegistryBatch(id: "${id}", maxUnits: 100, earlierAnswers: PAY_AGAIN)`);
    await waitUntil(() => proxy.requests.length === concurrency);
    killed.child.kill('SIGKILL');
    await killed.ended();
    held.release();
    const next = startProcess(settings);
    rig.atEnd(async () => void (await next.stop()));
    const done = await new BatchClient({ url: await next.address() }).until(id, 'DONE', 'PAUSED');
    const progress = { done: rows.length - concurrency, unknown: concurrency, uncertainUnits: concurrency };
    expect(done).toMatchObject({ state: 'DONE', progress });
    expect(proxy.requests).toHaveLength(rows.length);
  });
});

const JWT_SECRET = 'a-secret-shared-with-the-identity-provider';
const scope = 'padron_batch padron_batches_all use_buscar_credito';
const tokenOf = (scopes: string): string => signedBySecret(JWT_SECRET, { azp: 'hr', scope: scopes });

describe('a batch whose operation is a trusted document', () => {
  const rig = engineRig('postgres');
  const sandbox = sandboxForTests();

  it('runs while the document is trusted, and is paused before its next row when it was withdrawn', async () => {
    const { environment } = await rig.settings();
    const spent = (): number => sandbox.spent(SANDBOX_TOKEN);
    /** Runs a process that trusts a document, or without rules. Its caller reads with a scope that may send other operations. */
    const run = <Result>(text: string | null, use: (client: BatchClient) => Promise<Result>): Promise<Result> => {
      const file = join(rig.folder(), 'documents.json');
      writeFileSync(file, JSON.stringify({ published: text }));
      const jwt = { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET, BATCH_CONCURRENCY: '1' };
      const rules = text === null ? {} : { TRUSTED_DOCUMENTS: file };
      const setup = { environment: { ...environment, ...jwt, ...rules }, registryUrl: () => sandbox.url };
      return withPadron(setup, (padron) =>
        use(new BatchClient(padron, tokenOf(text === null ? scope : `${scope} padron_explore`))),
      );
    };
    const id = await run(null, async (client) => {
      const ready = await client.ready(
        CREDIT,
        NSS.slice(0, 200).map((nss) => ({ nss })),
      );
      await client.change(`startRegistryBatch(id: "${ready.id}", maxUnits: 200, earlierAnswers: PAY_AGAIN)`);
      return ready.id;
    });
    const before = spent();
    await run(CREDIT, () => waitUntil(() => spent() > before + 5));
    const left = spent();
    const paused = await run('{ registryEndpoints { units } }', (client) => client.until(id, 'DONE', 'PAUSED'));
    expect(paused).toMatchObject({ state: 'PAUSED', reason: { code: 'INVALID_FORMAT' }, progress: { running: 0 } });
    expect(paused.progress).toMatchObject({ spentUnits: left, failed: 0, unknown: 0 });
    expect(spent()).toBe(left);
    const ended = await run(CREDIT, async (client) => {
      await client.change(`resumeRegistryBatch(id: "${id}")`);
      return client.until(id, 'DONE', 'PAUSED');
    });
    expect(ended).toMatchObject({ state: 'DONE', progress: { done: 200, spentUnits: 200 } });
    expect(spent()).toBe(200);
  });
});
