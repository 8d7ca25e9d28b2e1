import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { CREDIT as CREDIT_ENDPOINT } from '../../../support/operations/people-endpoints';
import { type SharingPadrons, startSharingPadrons } from '../../../support/padrons/sharing-padrons';
import { deferred, waitUntil } from '../../../support/proxies/deferred';
import { holdResponses } from '../../../support/proxies/held-responses';
import { startRelay } from '../../../support/proxies/relay';
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

  it('show the new price of a batch that waits for its start', async () => {
    const client = new BatchClient(padrons.first, undefined, { 'x-max-units': '3' });
    await padrons.add(listOf(2, 5));
    const rows = NSS.slice(0, 4).map((nss) => ({ nss }));
    const { id, estimate } = await client.ready(CREDIT, rows);
    expect(estimate.estimatedUnits).toBe(20);
    service = 1;
    await padrons.add(listOf(3, 1));
    await waitUntil(async () => (await client.get(id)).estimate?.estimatedUnits === 4);
    // By the price before, a row would cost more than a row may.
    expect((await client.run(id, 4)).progress).toMatchObject({ done: 4, spentUnits: 4 });
  });

  it('open no call by an older list after a time without the store', async () => {
    const relay = await startRelay(padrons.settings().DATABASE_URL ?? '');
    rig.atEnd(() => relay.close());
    const cut = await padrons.add({ DATABASE_URL: relay.url });
    relay.hold();
    service = 7;
    await padrons.add(listOf(2, 7));
    expect(await price(cut)).toBe(1);
    const early = askPriced(cut, { query: CREDIT, variables: { nss: NSS[20] } });
    await sleep(300);
    relay.pass();
    // Its price was 1 when it began, and this list had been replaced before.
    expect((await early).units?.spent).toBe(0);
    await waitUntil(async () => (await price(cut)) === 7);
    const { units } = await askPriced(cut, { query: CREDIT, variables: { nss: NSS[21] } });
    expect([units?.spent, padrons.first.spent()]).toEqual([7, 7]);
  });

  it('open no call while the store has a list that they do not understand', async () => {
    const list = '{"version":9,"endpoints":{"findCredit":{"charged":["FOUND","LATER"]}}}';
    await padrons.query(`INSERT INTO price_lists (version, list) VALUES (9, '${list}')`);
    await waitUntil(() => padrons.first.log.some((line) => line.includes('does not understand the list')));
    const { data, units } = await askPriced(padrons.first, { query: CREDIT, variables: { nss: NSS[30] } });
    expect(data.person.credit.problems).toMatchObject([{ code: 'LEDGER_UNAVAILABLE' }]);
    expect([units?.spent, padrons.calls()]).toEqual([0, 0]);
    await expect(padrons.add()).rejects.toThrow('does not understand the list of the store');
  });

  it('price a running batch again before its next paid call, and pause it if it would now exceed its limit', async () => {
    const client = new BatchClient(padrons.first);
    const rows = people.slice(0, 150).map((person) => ({ nss: person.nss }));
    const { id, estimate } = await client.ready(CREDIT, rows);
    expect(estimate.estimatedUnits).toBe(150);
    const held = holdResponses(padrons.proxy, 'buscar-credito');
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 150, earlierAnswers: PAY_AGAIN)`);
    await held.arrived(1);
    await client.change(`pauseRegistryBatch(id: "${id}")`);
    held.release();
    await waitUntil(async () => (await client.get(id)).progress.running === 0);
    padrons.proxy.tamper(null);
    const atOne = padrons.first.spent();
    service = 3;
    await padrons.add(listOf(2, 3));
    await client.change(`resumeRegistryBatch(id: "${id}")`);
    await waitUntil(async () => (await client.get(id)).reason?.code === 'UNIT_BUDGET_EXCEEDED');
    const paused = await client.get(id);
    expect([paused.state, paused.estimate.estimatedUnits, padrons.first.spent()]).toEqual(['PAUSED', 450, atOne]);
    await client.change(`resumeRegistryBatch(id: "${id}", maxUnits: 1000)`);
    expect((await client.until(id, 'DONE')).progress).toMatchObject({
      done: 150,
      spentUnits: atOne + 3 * (150 - atOne),
    });
    expect(padrons.first.spent()).toBe(atOne + 3 * (150 - atOne));
  });
});
