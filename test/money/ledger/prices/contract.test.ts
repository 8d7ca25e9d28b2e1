import { extensions } from '../../../../src/extensions';
import { UNPERMITTED_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { readConfigAndPrices } from '../../../../src/server/prices';
import { ACCOUNT, CREDIT } from '../../../support/operations/people-endpoints';
import { preparePadron } from '../../../support/padrons/ledger';
import { type RunningPadron, runPadron } from '../../../support/padrons/padron';
import { askPriced, priceOf } from '../../../support/requests/money';
import { card } from '../../../support/sandbox/cards';
import { unusedNss } from '../../../support/sandbox/identifiers';
import { type Contract, chargingBy, priceList } from '../../../support/sandbox/price-file';
import { engineRig, engines } from '../../../support/stores/engines';

const contract: Readonly<Record<'findCredit' | 'findHousingAccount', Contract>> = {
  findCredit: { units: 3, charged: ['FOUND', 'INVALID_INPUT', 'NOT_PERMITTED', 'RATE_LIMITED'] },
  findHousingAccount: { units: 5, charged: ['NOT_FOUND'] },
};
const sandbox = chargingBy({ [CREDIT]: contract.findCredit, [ACCOUNT]: contract.findHousingAccount });

const nss = people.filter(({ credit }) => credit !== null).map((person) => person.nss);
const lookup = '{ outcome problems { code } evidence { units billing servedFrom } }';
const credit = (of: string) => ({ query: `{ person(nss: "${of}") { answer: credit ${lookup} } }` });
const account = (of: string) => ({ query: `{ person(nss: "${of}") { answer: housingAccount ${lookup} } }` });

describe.each(engines)('a service with other prices and another way of charging, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  let padron: RunningPadron;
  /** What the service has charged the first account, by endpoint. */
  const statement = new Map<string, number>();
  beforeAll(async () => {
    const prepared = await preparePadron(rig, { ...priceList(contract), REPLAY_SECONDS: '30', UNIT_PRICE: '2.50' });
    padron = await prepared.start({ sandbox });
  });
  beforeEach(() => void padron.calls());

  /** Asks, and returns what the answer says beside what the service has taken. */
  async function ask(request: { readonly query: string }, headers: Readonly<Record<string, string>> = {}) {
    const [, token] = /Bearer (.+)/.exec(headers.authorization ?? '') ?? [];
    const before = padron.spent(token);
    const { data, units } = await askPriced(padron, request, headers);
    const { outcome, evidence } = data.person.answer;
    const taken = padron.spent(token) - before;
    for (const { endpoint, units: charge } of token === undefined ? padron.callsInFull() : [])
      statement.set(endpoint, (statement.get(endpoint) ?? 0) + charge);
    const { spent, uncertain, saved } = units ?? {};
    return { outcome, ...evidence, spent, uncertain, saved, taken, calls: padron.calls().length };
  }

  const charged = { billing: 'CHARGED', servedFrom: 'LIVE', uncertain: 0, saved: 0, calls: 1 };
  const free = { ...charged, billing: 'NOT_CHARGED', units: 0, spent: 0, taken: 0 };
  const repeated = { ...free, servedFrom: 'REPLAY', calls: 0 };

  it('charges a record by the list, and counts what a repetition saves', async () => {
    const request = credit(nss[0] ?? '');
    const three = { units: 3, spent: 3, taken: 3 };
    expect(await ask(request)).toEqual({ outcome: 'FOUND', ...charged, ...three });
    expect(await ask(request)).toEqual({ outcome: 'FOUND', ...repeated, saved: 3 });
  });

  it('knows that no record is free where the list says so, and that repeating it saves nothing', async () => {
    expect(await ask(credit(unusedNss))).toEqual({ outcome: 'NOT_FOUND', ...free });
    expect(await ask(credit(unusedNss))).toEqual({ outcome: 'NOT_FOUND', ...repeated });
    const five = { units: 5, spent: 5, taken: 5 };
    expect(await ask(account(unusedNss))).toEqual({ outcome: 'NOT_FOUND', ...charged, ...five });
    expect(await ask(account(nss[1] ?? ''))).toEqual({ outcome: 'FOUND', ...free });
  });

  it('pays once for a rejection that is charged', async () => {
    const request = credit(card('bad-request', 'nss'));
    const three = { units: 3, spent: 3, taken: 3 };
    expect(await ask(request)).toEqual({ outcome: 'INVALID_INPUT', ...charged, ...three });
    expect(await ask(request)).toEqual({ outcome: 'INVALID_INPUT', ...repeated, saved: 3 });
    expect(await ask(account(card('bad-request', 'nss')))).toEqual({ outcome: 'INVALID_INPUT', ...free });
  });

  it('never retries a refusal by the rate limit that is charged', async () => {
    const three = { units: 3, spent: 3, taken: 3 };
    const request = credit(card('rate-limited', 'nss'));
    expect(await ask(request)).toEqual({ outcome: 'UNAVAILABLE', ...charged, ...three });
  });

  it('charges a missing permission by the list', async () => {
    const headers = { authorization: `Bearer ${UNPERMITTED_TOKEN}` };
    const three = { units: 3, spent: 3, taken: 3 };
    expect(await ask(credit(nss[2] ?? ''), headers)).toEqual({ outcome: 'NOT_PERMITTED', ...charged, ...three });
  });

  it('does not know what a call without a readable answer costs', async () => {
    const { outcome, billing, spent, uncertain } = await ask(credit(card('html', 'nss')));
    expect({ outcome, billing, spent, uncertain }).toEqual({
      ...{ outcome: 'UNAVAILABLE', billing: 'UNKNOWN' },
      ...{ spent: 0, uncertain: 3 },
    });
  });

  it('has one price everywhere: before the call, in the catalogue, in the schema and in pesos', async () => {
    const both = { query: `{ person(nss: "${nss[3]}") { credit { outcome } housingAccount { outcome } } }` };
    const estimate = await priceOf(padron, both);
    expect([estimate.estimatedUnits, estimate.amount]).toEqual([8, '20.00']);
    const refused = await askPriced(padron, both, { 'x-max-units': '7' });
    expect(refused.errors?.[0].extensions.code).toBe('UNIT_BUDGET_EXCEEDED');
    expect(padron.calls()).toEqual([]);
    const { data } = await padron.ask('{ registryEndpoints { endpoint units } _service { sdl } }');
    const units = new Map(
      data.registryEndpoints.map((each: { endpoint: string; units: number }) => [each.endpoint, each.units]),
    );
    expect([units.get(CREDIT), units.get(ACCOUNT)]).toEqual([3, 5]);
    expect(data._service.sdl).toContain('credit: HousingCreditLookup @cost(weight: 3)');
  });

  it('has a ledger with which the statement of the service agrees to the unit', async () => {
    const { data } = await padron.ask('{ registrySpend(by: [ENDPOINT]) { endpoint units uncertainUnits } }');
    // The page of HTML was charged, which padron cannot know.
    expect(data.registrySpend).toEqual([
      { endpoint: CREDIT, units: (statement.get(CREDIT) ?? 0) - 3, uncertainUnits: 3 },
      { endpoint: ACCOUNT, units: statement.get(ACCOUNT), uncertainUnits: 0 },
    ]);
  });
});

it('stops the start with every mistake of the list', async () => {
  const environment = priceList({ findCredits: { units: 1 }, findLicence: { units: -1 } } as never);
  await expect(runPadron({ environment })).rejects.toMatchObject({
    errors: [
      'PRICE_LIST: "findCredits" is not a name in endpoints. Did you mean findCredit?',
      'PRICE_LIST: findLicence.units must be a whole number from 0 to 1000000.',
    ],
  });
});

it('reports the mistakes of the list beside those of the settings', () => {
  const { PRICE_LIST } = priceList({ findCredits: {} } as never);
  const read = () =>
    readConfigAndPrices({ PORT: 'x', HTTPS_PROXY: 'socks5://u:secret@proxy:1', PRICE_LIST }, extensions);
  expect(read).toThrow(
    expect.objectContaining({
      errors: [
        'PORT must be a whole number from 0 to 65535.',
        'HTTPS_PROXY must be an http(s) URL such as http://user:p%40ssword@proxy.example:3128.',
        'PRICE_LIST: "findCredits" is not a name in endpoints. Did you mean findCredit?',
      ],
    }),
  );
});
