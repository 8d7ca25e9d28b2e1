import { people } from '../../../../src/extensions/sandbox/data/people';
import { CREDIT } from '../../../support/operations/people-endpoints';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { startEventReceiver } from '../../../support/padrons/webhooks';
import type { Tamper } from '../../../support/proxies/tampering-proxy';
import { scrapeMetrics } from '../../../support/requests/scrape-metrics';
import { priceFile } from '../../../support/sandbox/price-file';
import { engineRig } from '../../../support/stores/engines';

const [nss = '', other = ''] = people.filter(({ credit }) => credit !== null).map((person) => person.nss);
const query =
  'query ($nss: NSS!) { person(nss: $nss) { credit { outcome record { names } problems { code message } evidence { units } } } }';

describe('a service whose answers say what they cost', () => {
  const rig = engineRig('postgres');

  /** Adds a price to each answer of the service. */
  const naming =
    (unidades: unknown): Tamper =>
    ({ json }) => ({ json: { ...(json as object), costo: { unidades } } });

  it('is believed about its answer and not about its price: a remark, a metric, and an event a day', async () => {
    const receiver = await startEventReceiver();
    rig.atEnd(() => receiver.close());
    const { environment } = await rig.settings();
    const list = priceFile('{"version": 1, "unitsIn": "costo.unidades", "endpoints": {}}');
    const padron = await runPadronBehindProxy({ ...environment, ...list, ...receiver.environment });
    rig.atEnd(() => padron.stop());
    const ask = async (person: string) => (await padron.ask(query, { nss: person })).data.person.credit;

    padron.proxy.tamper(naming('1.0'));
    expect(await ask(nss)).toMatchObject({ outcome: 'FOUND', problems: [], evidence: { units: 1 } });
    padron.proxy.tamper(naming(2));
    const message = 'The answer says that it cost 2 units, but by the price list it cost 1.';
    for (const person of [nss, other])
      expect(await ask(person)).toMatchObject({
        ...{ outcome: 'FOUND', record: { names: expect.any(String) } },
        ...{ problems: [{ code: 'PRICE_DIFFERS', message }], evidence: { units: 1 } },
      });
    expect(await receiver.untilEvents(1, 'prices.differ')).toMatchObject([
      { data: { endpoint: CREDIT, namedUnits: 2, units: 1 } },
    ]);
    const labels = { endpoint: CREDIT, code: 'PRICE_DIFFERS' };
    expect((await scrapeMetrics(padron)).of('padron_registry_problems_total', labels)).toBe(2);

    padron.proxy.tamper(naming('much'));
    expect(await ask(nss)).toMatchObject({ outcome: 'FOUND', problems: [] });
  });
});
