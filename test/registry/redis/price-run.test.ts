import { questionNames, sharingRig } from '../../support/padrons/sharing-padrons';
import { askPriced, priceOf } from '../../support/requests/money';

const rig = sharingRig();
const { nextPerson } = rig;

const creditOf = (nss: string, index: number): string =>
  `p${index}: person(nss: "${nss}") { credit { outcome evidence { servedFrom } } }`;
const creditsOf = (...nss: readonly string[]) => ({ query: `{ ${nss.map(creditOf).join(' ')} }` });
const servedFrom = (lookup: { readonly evidence: { readonly servedFrom: string } }): string =>
  lookup.evidence.servedFrom;

/** One that is only priced leaves no name. */
const questions = async (): Promise<readonly string[]> => [...(await questionNames(rig.redis))].sort();

describe('the price of an operation that another instance has partly paid', () => {
  let bought: string;
  let before: readonly string[];
  beforeEach(async () => {
    bought = nextPerson();
    await askPriced(rig.padrons.first, creditsOf(bought));
    rig.padrons.proxy.reset();
    before = await questions();
  });

  it('is that of its unpaid questions, and a price check neither pays nor claims anything', async () => {
    const unpaid = nextPerson();
    const { estimatedUnits } = await priceOf(rig.padrons.second, creditsOf(bought, unpaid));
    expect(estimatedUnits).toBe(2);
    expect(rig.padrons.calls()).toBe(0);
    expect(await questions()).toEqual(before);
    // No request waits for a question that was only priced.
    const { data, units } = await askPriced(rig.padrons.first, creditsOf(unpaid));
    expect([servedFrom(data.p0.credit), units?.spent]).toEqual(['LIVE', 1]);
  });

  it('is that of the rest under a budget, so the budget suffices', async () => {
    const { data, units, errors } = await askPriced(rig.padrons.second, creditsOf(bought, nextPerson()), {
      'x-max-units': '1',
    });
    expect(errors).toBeUndefined();
    expect([data.p0, data.p1].map(({ credit }) => servedFrom(credit))).toEqual(['REPLAY', 'LIVE']);
    expect(units?.spent).toBe(1);
    expect(rig.padrons.calls()).toBe(1);
  });

  it('is that of the rest if the budget does not suffice; nothing is paid or claimed', async () => {
    const asked = creditsOf(bought, nextPerson(), nextPerson());
    const { errors, units } = await askPriced(rig.padrons.second, asked, { 'x-max-units': '1' });
    expect(errors).toEqual([
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'UNIT_BUDGET_EXCEEDED', budget: 1 }) }),
    ]);
    expect(errors?.[0]?.extensions.estimate).toMatchObject({ estimatedUnits: 2 });
    expect(units?.spent).toBe(0);
    expect(rig.padrons.calls()).toBe(0);
    expect(await questions()).toEqual(before);
  });

  it("includes what follows from the other instance's answer", async () => {
    const nss = nextPerson();
    const asked = {
      query: `{ person(nss: "${nss}") { credit { outcome } identity { outcome evidence { servedFrom } } } }`,
    };
    await askPriced(rig.padrons.first, asked);
    const paid = rig.padrons.calls();
    const { data, units, errors } = await askPriced(rig.padrons.second, asked, { 'x-max-units': '0' });
    expect(errors).toBeUndefined();
    expect([servedFrom(data.person.identity), units?.spent]).toEqual(['REPLAY', 0]);
    expect(rig.padrons.calls()).toBe(paid);
  });
});
