import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { BatchWorker } from '../../../../src/extensions/batch/run/batch-worker';
import type { WorkerDependencies } from '../../../../src/extensions/batch/run/dependencies';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { ownPrices } from '../../../../src/registry/endpoint/price-list';
import { openStore } from '../../../../src/store/open-store';
import type { Store } from '../../../../src/store/store';
import { times } from '../../../../src/times';
import { collectSpans } from '../../../support/collect-spans';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { runPadron } from '../../../support/padrons/padron';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { waitUntil } from '../../../support/proxies/deferred';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { scrapeMetrics, waitForMetric } from '../../../support/requests/scrape-metrics';
import { card } from '../../../support/sandbox/cards';
import { engineRig, engines } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';
import { storeMigrations } from '../../../support/stores/store-migrations';

const untilNextCycle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2.5 * times.batchCycle));

describe('a worker without work, on the embedded store', () => {
  const opened = storeForTests(engineRig('embedded'));
  let statements = 0;
  let worker: BatchWorker;
  beforeAll(() => {
    const query: Store['query'] = (sql, parameters) => {
      statements += 1;
      return opened.query(sql, parameters);
    };
    const store = { ...opened, query };
    const onError = (error: unknown): never => {
      throw error;
    };
    const observer = { recordRow: () => undefined, recordUnits: () => undefined, setBatches: () => undefined };
    worker = new BatchWorker({
      store,
      client: { prices: ownPrices },
      runsBatches: true,
      observer,
      onError,
    } as unknown as WorkerDependencies);
  });
  afterAll(() => worker.stop());

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

describe('a batch row whose answer the store rejects', () => {
  const rig = engineRig('postgres');

  it('has its result, its price is uncertain in the batch, and it is not paid again', async () => {
    const { environment, store: settings } = await rig.settings();
    const padron = await runPadron({ environment: { ...environment, REPLAY_SECONDS: '0' } });
    rig.atEnd(() => padron.stop());
    const store = await openStore(settings, storeMigrations);
    rig.atEnd(() => store.close());
    const client = new BatchClient(padron);
    const { id } = await client.ready(CREDIT, [{ nss: NSS[0] }]);
    padron.calls();
    await store.query(`ALTER TABLE answers_lasting ADD CONSTRAINT rejecting CHECK (key IS NULL)`);
    const ended = await client.run(id);
    expect(ended).toMatchObject({ state: 'DONE', progress: { done: 1, failed: 0, spentUnits: 0, uncertainUnits: 1 } });
    const [row] = await client.rows(id);
    expect(row).toMatchObject({ state: 'DONE', data: { person: { credit: { outcome: 'FOUND' } } } });
    expect(padron.calls()).toHaveLength(1);
    expect(await store.query('SELECT failed, key FROM answers_lasting')).toEqual([{ failed: true, key: null }]);
  });
});

const JWT_SECRET = 'a-secret-shared-with-the-identity-provider';
const scope = 'padron_batch padron_erase use_buscar_credito padron_find_identity';
/** The housing fund returns the CURP of a person, and the population registry is asked about it. */
const IDENTITY = 'query Identity($nss: NSS!) { person(nss: $nss) { identity { outcome } } }';
const identityPath = '/api/renapo/grupo/valida-curp';
const [person] = people.filter(({ credit }) => credit !== null);

describe('a row that knows its person only from an answer', () => {
  const rig = engineRig('postgres');

  it.each([
    ['waits', 'SELECT', 1],
    ['was run by a process that died', 'DELETE FROM batch_subject', 0],
  ])('asks nothing more about the person after an erasure, if it %s', async (_what, left, rows) => {
    const { environment, store: settings } = await rig.settings();
    const jwt = { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET };
    const padron = await runPadronBehindProxy({
      ...environment,
      ...jwt,
      IDENTITY_PATH: identityPath,
      BATCH_ENDPOINTS: 'any',
    });
    rig.atEnd(() => padron.stop());
    const store = await openStore(settings, storeMigrations);
    rig.atEnd(() => store.close());
    const { proxy } = padron;
    const isIdentity = ({ path }: { readonly path: string }): boolean => path.includes(identityPath);
    proxy.standIn((request) =>
      isIdentity(request) ? { status: 429, headers: { 'retry-after': '1' }, json: { message: 'x' } } : null,
    );
    const client = new BatchClient(padron, signedBySecret(JWT_SECRET, { scope, azp: 'officer' }));
    const { id } = await client.ready(IDENTITY, [{ nss: person?.nss }]);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 10, earlierAnswers: PAY_AGAIN)`);
    await waitUntil(async () => proxy.requests.some(isIdentity) && (await client.get(id)).progress.running === 0);
    await store.query(left);
    const erasure = `mutation { eraseRegistrySubject(subject: { curp: "${person?.curp}" }) { rows } }`;
    expect(await client.ask(erasure)).toEqual({ eraseRegistrySubject: { rows } });
    proxy.reset();
    const progress = { erased: 1, done: 0, spentUnits: 1, uncertainUnits: 0 };
    expect(await client.until(id, 'DONE', 'PAUSED')).toMatchObject({ state: 'DONE', progress });
    expect(proxy.requests).toEqual([]);
    expect(await client.rows(id)).toMatchObject([{ state: 'ERASED', data: null }]);
  });
});
