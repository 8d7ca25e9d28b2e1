import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';

/** Attempts in docs/batch.md. In each, the client retries automatically after a 429. */
const tries = 5;
const maxCallsPerTry = 3;

describe('a row that the service always rejects', () => {
  const rig = engineRig();
  const padron = proxiedPadronForTests({}, rig);
  const client = new BatchClient(padron);
  beforeAll(() => client.verifyToken());

  it.each([
    ['without Retry-After', {}],
    ['with Retry-After: 1', { 'retry-after': '1' }],
  ])(
    'with 429 %s fails after a limited number of attempts, at no cost',
    async (_name, headers) => {
      padron.proxy.reset();
      padron.calls();
      padron.proxy.standIn(() => ({ status: 429, headers, json: { success: false } }));
      const { id } = await client.ready(CREDIT, [{ nss: NSS[0] }]);
      await client.change(`startRegistryBatch(id: "${id}", maxUnits: 10)`);
      const done = await client.until(id, 'DONE', 'PAUSED');
      expect(done).toMatchObject({ state: 'DONE', progress: { failed: 1, spentUnits: 0, uncertainUnits: 0 } });
      expect(await client.rows(id)).toMatchObject([
        { state: 'FAILED', attempts: tries, units: 0, uncertainUnits: 0, problems: [{ code: 'RATE_LIMITED' }] },
      ]);
      const turnedAway = padron.proxy.requests.length;
      expect(turnedAway).toBeGreaterThanOrEqual(tries);
      expect(turnedAway).toBeLessThanOrEqual(tries * maxCallsPerTry);
      expect(padron.callsInFull()).toEqual([]);
      expect(padron.spent()).toBe(0);
    },
    120_000,
  );
});
