import { people } from '../../../../src/extensions/sandbox/data/people';
import { check, creditOf, creditsOf, indebted } from '../../../money/answers/operations/operation';
import { bearer } from '../../../support/keys/identity-provider';
import { preparePadron } from '../../../support/padrons/ledger';
import type { RunningPadron } from '../../../support/padrons/padron';
import { waitUntil } from '../../../support/proxies/deferred';
import { askPriced, priceOf } from '../../../support/requests/money';
import { engineRig, engines } from '../../../support/stores/engines';
import { jwtMode, readTrail } from './read-trail';

type Headers = Readonly<Record<string, string>>;

const [first = '', second = '', third = ''] = indebted;
const scope = 'use_buscar_credito use_validar_cedula';
const thirtyDays = { 'x-max-age': '30d' };
const as = (client: string, sub: string): Headers => ({
  ...bearer({ client_id: client, sub, scope }),
  ...thirtyDays,
});
const hr = as('hr', 'luis');
const [ana, eva] = [as('sales', 'ana'), as('sales', 'eva')];

describe.each(engines)('prices in the audit trail, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  let padron: RunningPadron;
  let elapsed = 0;
  beforeEach(async () => {
    elapsed = 0;
    const prepared = await preparePadron(rig, { ...jwtMode, REUSE_DAYS: '30' });
    padron = await prepared.start({ now: () => new Date(Date.now() + elapsed) });
    expect(await check(padron, first, hr)).toMatchObject({ spent: 1 });
    await waitUntil(async () => (await priceOf(padron, creditOf(first), hr)).estimatedUnits === 0);
  });
  const records = () => readTrail(padron, '{ action: PRICE_KEPT_ANSWERS }');
  const seenBy = (client: string) => ({ action: 'PRICE_KEPT_ANSWERS', outcome: 'DONE', client });

  it('have one record a day for each client and person, if another client has paid for an answer', async () => {
    const both = creditsOf([first, second]);
    const prices = await Promise.all([1, 2, 3, 4].map(() => priceOf(padron, both, ana)));
    expect(prices.map(({ estimatedUnits }) => estimatedUnits)).toEqual([1, 1, 1, 1]);
    const found = await records();
    expect(found).toMatchObject([seenBy('sales')]);
    // Neither the person who was asked about nor the one who asked.
    expect(JSON.stringify(found)).not.toMatch(new RegExp(`${first}|ana`));
    await priceOf(padron, both, eva);
    expect(await records()).toHaveLength(2);
    elapsed = 86_400_000;
    await priceOf(padron, both, ana);
    expect(await records()).toHaveLength(3);
  });

  it('have one for `unitEstimate`, and for a price that exceeds a limit', async () => {
    const query = 'query ($input: UnitEstimateInput!) { unitEstimate(input: $input) { estimatedUnits } }';
    const variables = { input: { operation: creditOf(first).query, rows: [{ nss: first }] } };
    const { data } = await askPriced(padron, { query, variables }, ana);
    expect([data.unitEstimate.estimatedUnits, (await records()).length]).toEqual([0, 1]);
    const limited = await askPriced(padron, creditsOf([first, second]), { ...eva, 'x-max-units': '0' });
    expect(limited.errors?.[0]?.extensions).toMatchObject({
      code: 'UNIT_BUDGET_EXCEEDED',
      estimate: { estimatedUnits: 1 },
    });
    expect(await records()).toHaveLength(2);
  });

  it('have one if the answer itself is not read, because no question depends on it', async () => {
    const number = people.flatMap(({ licences }) => licences)[0]?.number;
    const request = { query: `{ professionalLicence(number: "${number}") { outcome } }` };
    expect((await askPriced(padron, request, hr)).units).toMatchObject({ spent: 1 });
    await waitUntil(async () => (await priceOf(padron, request, hr)).estimatedUnits === 0);
    expect((await priceOf(padron, request, ana)).estimatedUnits).toBe(0);
    expect(await records()).toMatchObject([seenBy('sales')]);
  });

  it('have none if the price tells nothing about others', async () => {
    // Prices of the client's own answer, of a person without an answer, and without the use of answers.
    await priceOf(padron, creditOf(first), as('hr', 'ana'));
    await priceOf(padron, creditOf(third), ana);
    await priceOf(padron, creditOf(first), { ...ana, 'x-max-age': '0s' });
    // A request that gets the answer has an entry in the ledger.
    expect(await check(padron, first, ana)).toMatchObject({ servedFrom: 'KEPT', spent: 0 });
    expect(await records()).toEqual([]);
  });
});
