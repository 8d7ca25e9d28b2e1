import { CREDIT as CREDIT_ENDPOINT } from '../../../support/operations/people-endpoints';
import { type SharingPadrons, startSharingPadrons } from '../../../support/padrons/sharing-padrons';
import { deferred, waitUntil } from '../../../support/proxies/deferred';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { indebted } from '../../../support/requests/credit-request';
import { askPriced, priceOf } from '../../../support/requests/money';
import { chargingBy, priceList } from '../../../support/sandbox/price-file';
import { engineRig } from '../../../support/stores/engines';

const contractOf = (units: number) => ({ units, charged: ['FOUND', 'NOT_FOUND'] }) as const;
const listOf = (version: number, units: number) => priceList({ findCredit: { units } }, version);

describe('processes of one store', () => {
  const rig = engineRig('postgres');
  let service = 1;
  let padrons: SharingPadrons;
  beforeEach(async () => {
    service = 1;
    const terms = (endpoint: string) => chargingBy({ [CREDIT_ENDPOINT]: contractOf(service) }).terms?.(endpoint);
    padrons = await startSharingPadrons(rig, listOf(1, 1), {}, { sandbox: { terms } });
  });
  afterEach(() => padrons.stop());

  const price = async (padron: { readonly url: string }): Promise<number> =>
    (await priceOf(padron, { query: CREDIT, variables: { nss: indebted[0] } })).estimatedUnits;

  it('price by a newer list before the process that brought it serves, and show no old price under load', async () => {
    const { first, second } = padrons;
    const seen: { readonly padron: string; readonly units: number; readonly askedAt: number }[] = [];
    let isRunning = true;
    const watch = async (padron: { readonly url: string }): Promise<void> => {
      while (isRunning) {
        const askedAt = performance.now();
        seen.push({ padron: padron.url, units: await price(padron), askedAt });
      }
    };
    const watching = [first, second].map(watch);
    await waitUntil(() => seen.length > 10);
    const third = await padrons.add(listOf(2, 3));
    const served = performance.now();
    const last = watch(third);
    await waitUntil(() => seen.filter(({ askedAt }) => askedAt > served).length > 30);
    isRunning = false;
    await Promise.all([...watching, last]);

    expect(new Set(seen.map(({ units }) => units))).toEqual(new Set([1, 3]));
    expect(seen.filter(({ units, askedAt }) => askedAt > served && units !== 3)).toEqual([]);
    for (const { log } of [first, second])
      expect(log.join('\n')).toContain('the price list of the store is newer, and in force');
    expect(third.log.join('\n')).toContain('put a new price list into the store');
  });

  it('keep the newer list, also after one of them starts with the older list again', async () => {
    await padrons.add(listOf(2, 3));
    const old = await padrons.add(listOf(1, 1));
    const without = await padrons.add({ PRICE_LIST: '' });
    expect(await Promise.all([old, without, padrons.first].map(price))).toEqual([3, 3, 3]);
  });

  it('refuse another list of the same version', async () => {
    await expect(padrons.add(listOf(1, 2))).rejects.toMatchObject({
      errors: [
        'PRICE_LIST: the store has another list of version 1. Raise the version of the list that you have changed.',
      ],
    });
  });

  it('end a request with the list that it began with', async () => {
    const [nss = ''] = indebted;
    const held = deferred();
    padrons.proxy.tamper(held.tamper);
    const running = askPriced(padrons.first, { query: CREDIT, variables: { nss } });
    await waitUntil(() => padrons.calls() === 1);
    await padrons.add(listOf(2, 3));
    held.release();
    const { units } = await running;
    expect([units?.spent, padrons.first.spent()]).toEqual([1, 1]);
  });

  it('price a batch again before its next paid call, and pause it if it would now exceed its limit', async () => {
    const client = new BatchClient(padrons.first);
    const batch = await client.ready(
      CREDIT,
      NSS.slice(0, 10).map((nss) => ({ nss })),
    );
    expect(batch.estimate.estimatedUnits).toBe(10);
    service = 3;
    await padrons.add(listOf(2, 3));
    const before = padrons.first.spent();
    await client.change(`startRegistryBatch(id: "${batch.id}", maxUnits: 10, earlierAnswers: PAY_AGAIN)`);
    const paused = await client.until(batch.id, 'PAUSED', 'DONE');
    expect([paused.state, paused.reason.code, paused.estimate.estimatedUnits]).toEqual([
      'PAUSED',
      'UNIT_BUDGET_EXCEEDED',
      30,
    ]);
    expect(padrons.first.spent()).toBe(before);
    await client.change(`resumeRegistryBatch(id: "${batch.id}", maxUnits: 30)`);
    expect((await client.until(batch.id, 'PAUSED', 'DONE')).progress).toMatchObject({ done: 10, spentUnits: 30 });
    expect(padrons.first.spent() - before).toBe(30);
  });
});
