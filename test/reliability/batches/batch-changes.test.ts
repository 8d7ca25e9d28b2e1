import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { engineRig, engines } from '../../support/stores/engines';

/** Attempts in docs/batch.md. In each, the client retries automatically after a 429. */
const tries = 5;
const maxCallsPerTry = 3;
const rows = NSS.slice(0, 120).map((nss, index) => ({ nss, ref: `${index}` }));

describe.each(engines)('a batch on the %s store', (engine) => {
  const rig = engineRig(engine);
  const padron = proxiedPadronForTests({ BATCH_CONCURRENCY: '8' }, rig);
  const client = new BatchClient(padron);
  beforeAll(() => client.verifyToken());

  const start = (id: string, maxUnits = 1_000) =>
    client.change(`startRegistryBatch(id: "${id}", maxUnits: ${maxUnits}, earlierAnswers: PAY_AGAIN)`);

  it('pauses exactly at its unit limit, and continues with a higher one', async () => {
    const { id } = await client.ready(CREDIT, rows);
    await start(id, 50);
    const paused = await client.until(id, 'PAUSED', 'DONE');
    expect(paused).toMatchObject({ state: 'PAUSED', reason: { code: 'UNIT_BUDGET_EXCEEDED' }, maxUnits: 50 });
    const { registryBatch } = await client.ask('query($id: ID!) { registryBatch(id: $id) { reason { message } } }', {
      id,
    });
    expect(registryBatch.reason.message).toBe(
      'The next call would exceed `maxUnits` of this batch. Resume it with a limit of 120.',
    );
    expect((await client.get(id)).progress.spentUnits).toBe(50);
    expect(padron.callsInFull()).toHaveLength(50);
    await client.change(`resumeRegistryBatch(id: "${id}", maxUnits: 120)`);
    const done = await client.until(id, 'DONE', 'PAUSED');
    expect(done).toMatchObject({ state: 'DONE', progress: { done: 120, spentUnits: 120 } });
    expect(padron.callsInFull()).toHaveLength(120);
  });

  it('retries failed rows only, and unknown rows on request', async () => {
    const { id } = await client.ready(CREDIT, rows.slice(0, 10));
    const failures = [
      { status: 403, json: { success: false, message: 'x' } },
      { status: 500, json: {} },
    ];
    padron.proxy.tamper(() => failures.shift() ?? null);
    await start(id);
    const done = await client.until(id, 'DONE');
    expect(done.progress).toMatchObject({ done: 8, failed: 1, unknown: 1, spentUnits: 8, uncertainUnits: 1 });
    padron.calls();
    await client.change(`retryRegistryBatch(id: "${id}", maxUnits: 20)`);
    expect((await client.until(id, 'DONE')).progress).toMatchObject({
      done: 9,
      failed: 0,
      unknown: 1,
      spentUnits: 9,
      uncertainUnits: 1,
    });
    expect(padron.calls()).toHaveLength(1);
    await client.change(`retryRegistryBatch(id: "${id}", rows: UNKNOWN, maxUnits: 20)`);
    expect((await client.until(id, 'DONE')).progress).toMatchObject({
      done: 10,
      unknown: 0,
      spentUnits: 10,
      uncertainUnits: 1,
    });
    expect(padron.calls()).toHaveLength(1);
  });

  it('is not visible to another account', async () => {
    const { id } = await client.ready(CREDIT, rows.slice(0, 3));
    const stranger = new BatchClient(padron, OTHER_TOKEN);
    expect(await stranger.get(id)).toBeNull();
    for (const change of ['pause', 'cancel', 'erase'])
      expect(await stranger.change(`${change}RegistryBatch(id: "${id}")`)).toMatchObject({
        batch: null,
        problems: [{ code: 'BATCH_NOT_FOUND' }],
      });
    const { registryBatches } = await stranger.ask('{ registryBatches { batches { id } } }');
    expect(registryBatches.batches.map((batch: { id: string }) => batch.id)).not.toContain(id);
    expect((await client.get(id)).state).toBe('READY');
  });

  it('has no readable rows after it was erased', async () => {
    const { id } = await client.ready(CREDIT, rows.slice(0, 10));
    await start(id);
    const { jsonlUrl } = await client.until(id, 'DONE');
    const erased = await client.change(`eraseRegistryBatch(id: "${id}")`);
    expect(erased.batch).toMatchObject({ state: 'ERASED', name: null, progress: { spentUnits: 10 } });
    expect(await client.rows(id)).toEqual([]);
    expect((await client.download(jsonlUrl)).status).toBe(404);
  });

  it('pauses without a charge if the service rejects the account', async () => {
    const { id } = await client.ready(CREDIT, rows.slice(0, 30));
    padron.proxy.tamper(() => ({ status: 402, json: { success: false, message: 'x' } }));
    await start(id);
    expect(await client.until(id, 'PAUSED', 'DONE')).toMatchObject({
      state: 'PAUSED',
      reason: { code: 'INSUFFICIENT_UNITS' },
    });
    padron.proxy.tamper(() => ({ status: 401, json: { message: 'x' } }));
    await client.change(`resumeRegistryBatch(id: "${id}")`);
    expect(await client.until(id, 'PAUSED', 'DONE')).toMatchObject({
      state: 'PAUSED',
      reason: { code: 'TOKEN_REFUSED' },
    });
    expect((await client.get(id)).progress).toMatchObject({ waiting: 30, spentUnits: 0, uncertainUnits: 0 });
    padron.proxy.tamper(null);
    await client.change(`resumeRegistryBatch(id: "${id}")`);
    expect((await client.until(id, 'DONE', 'PAUSED')).progress).toMatchObject({ done: 30, spentUnits: 30 });
  });

  it.each([
    ['without Retry-After', {}],
    ['with Retry-After: 1', { 'retry-after': '1' }],
  ])(
    'has failed rows after a limited number of attempts, at no cost, if the service answers 429 %s',
    async (_name, headers) => {
      padron.proxy.standIn(() => ({ status: 429, headers, json: { success: false, message: 'x' } }));
      const { id } = await client.ready(CREDIT, rows.slice(0, 1));
      await start(id);
      const done = await client.until(id, 'DONE', 'PAUSED');
      expect(done).toMatchObject({ state: 'DONE', progress: { failed: 1, spentUnits: 0, uncertainUnits: 0 } });
      expect(await client.rows(id)).toMatchObject([
        { state: 'FAILED', attempts: tries, units: 0, uncertainUnits: 0, problems: [{ code: 'RATE_LIMITED' }] },
      ]);
      const turnedAway = padron.proxy.requests.length;
      expect(turnedAway).toBeGreaterThanOrEqual(tries);
      expect(turnedAway).toBeLessThanOrEqual(tries * maxCallsPerTry);
      expect(padron.callsInFull()).toEqual([]);
    },
  );
});
