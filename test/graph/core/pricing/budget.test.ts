import { THREE_UNITS_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { UnitMeter } from '../../../../src/money/calls/units/unit-meter';
import { DOWNLOAD, LIST, payer } from '../../../support/operations/employer-graph';
import { ACCOUNT, CREDIT, IDENTITY } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests, proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { withPadron } from '../../../support/padrons/with-padron';
import { holdResponses } from '../../../support/proxies/held-responses';
import type { Tamper } from '../../../support/proxies/tampering-proxy';
import { askPriced, nothingSpent, type PricedAnswer, priceOf } from '../../../support/requests/money';

const { nss } = somebody;
const credit = 'credit { outcome }';
const byNss = (fields: string) => ({ query: `{ person(nss: "${nss}") { ${fields} } }` });
const two = byNss(`${credit} housingAccount { outcome }`);
const profile = byNss(`${credit} housingAccount { outcome } identity { outcome }`);
const ofPayer = (fields: string) => ({ query: `{ employer(registration: "${payer.registration}") { ${fields} } }` });
const budget = (units: number) => ({ 'x-max-units': String(units) });

const padron = padronForTests({ environment: { BALANCE_PATH: '/api/balance' } });

describe('an operation above its budget', () => {
  it('is rejected as a whole with its price by endpoint, and no call is made, not even for the balance', async () => {
    const { status, data, errors, units, unitsSpent } = await askPriced(padron, profile, budget(2));
    expect([status, data, units, unitsSpent]).toEqual([200, null, nothingSpent, '0']);
    const endpoints = [CREDIT, ACCOUNT, IDENTITY].map((endpoint) => endpoint.replace('POST ', '')).sort();
    expect(errors).toMatchObject([
      {
        message: 'The operation may cost 3 units, but its budget is 2. No call was sent.',
        extensions: {
          ...{ code: 'UNIT_BUDGET_EXCEEDED', url: '/graphql/errors/UNIT_BUDGET_EXCEEDED', budget: 2 },
          estimate: {
            endpoints: endpoints.map((url) => ({ url, calls: 1, unitsPerCall: 1, subtotal: 1 })),
            ...{ estimatedUnits: 3, currentBalance: null },
          },
        },
      },
    ]);
    expect(padron.calls()).toEqual([]);
  });

  it('runs if the budget suffices exactly', async () => {
    const { data, errors, units } = await askPriced(padron, profile, budget(3));
    expect(errors).toBeUndefined();
    const lookups = Object.values<{ outcome: string }>(data.person);
    expect(lookups.map(({ outcome }) => outcome)).toEqual(Array(3).fill('FOUND'));
    expect([units?.spent, padron.calls().length]).toEqual([3, 3]);
  });

  it('is rejected for a mutation too, before a file is read', async () => {
    const files = 'certificate: { base64: "" }, privateKey: { base64: "" }';
    const input = `{ rfc: "${somebody.rfc}", password: "secret", ${files} }`;
    const query = `mutation { verifySignature(input: ${input}) { outcome } }`;
    const { data, errors } = await askPriced(padron, { query }, budget(0));
    expect([data, errors?.[0].extensions.code]).toEqual([null, 'UNIT_BUDGET_EXCEEDED']);
    expect(JSON.stringify(errors)).not.toContain('secret');
  });

  it('is not rejected for parts that cost nothing', async () => {
    const free = '{ registryEndpoints { units } person(nss: "123") { nss credit { outcome } } }';
    const { data, errors } = await askPriced(padron, { query: free }, budget(0));
    expect(errors).toBeUndefined();
    expect(data.person).toEqual({ nss: '123', credit: { outcome: 'INVALID_INPUT' } });
    const invented = await askPriced(padron, profile, { ...budget(0), 'x-sandbox': 'true' });
    expect(invented.data.person.credit.outcome).toBe('FOUND');
  });

  it('is rejected if it nests more questions than can be counted', async () => {
    const months = 'receiptsBetween(from: "2023-01", to: "2025-12")';
    const again = ['a', 'b', 'c', 'd'].map((alias) => `${alias}: ${months} { records { files { outcome } } }`);
    const nested = ofPayer(`${months} { records { employer { ${again.join(' ')} } } }`);
    await withPadron({ environment: { LIMIT_NODES: '10000000' } }, async (lenient) => {
      const { status, data, errors } = await askPriced(lenient, nested, budget(1_000));
      const { code, limit } = errors?.[0].extensions ?? {};
      expect([status, data, code, limit]).toEqual([400, null, 'OPERATION_TOO_LARGE', 'questions']);
      expect(lenient.calls()).toEqual([]);
    });
  });
});

describe("the operator's limit", () => {
  const capped = padronForTests({ environment: { MAX_UNITS: '2' } });

  it.each([
    ['no budget of the caller', {}, two, undefined],
    ['no budget of the caller, above it', {}, profile, 2],
    ['a higher budget of the caller', budget(9), two, undefined],
    ['a higher budget of the caller, above the ceiling', budget(9), profile, 2],
    ['a lower budget of the caller', budget(1), two, 1],
  ])('is replaced by a lower limit of %s', async (_case, headers, request, held) => {
    const { errors } = await askPriced(capped, request, headers);
    expect(errors?.[0].extensions.budget).toBe(held);
    expect(capped.calls()).toHaveLength(held === undefined ? 2 : 0);
  });

  it('does not prevent an estimate', async () => {
    expect((await priceOf(capped, profile)).estimatedUnits).toBe(3);
  });

  it('allows no paid call if it is 0', async () => {
    await withPadron({ environment: { MAX_UNITS: '0' } }, async (capped) => {
      const { errors } = await askPriced(capped, profile, { authorization: `Bearer ${THREE_UNITS_TOKEN}` });
      expect(errors?.[0].extensions).toMatchObject({ code: 'UNIT_BUDGET_EXCEEDED', budget: 0 });
    });
  });
});

describe('an operation whose first question is being asked by another request', () => {
  const padron = proxiedPadronForTests();

  it('has the price of what depends on the answer, and is rejected as a whole if its budget is smaller', async () => {
    const query = byNss(`${credit} licences { outcome }`);
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const running = askPriced(padron, query);
    await held.arrived(1);
    const { endpoints } = await priceOf(padron, query, { 'x-dry-run': 'now' });
    const early = await askPriced(padron, query, { 'x-answer-within': '100ms' });
    const followUp = await askPriced(padron, query, budget(0));
    const { errors } = await askPriced(padron, query, { ...budget(0), 'x-client-name': 'another' });
    held.release();
    expect((await running).units).toMatchObject({ spent: 2 });
    expect(early.data.person.credit.outcome).toBe('UNAVAILABLE');
    expect(followUp.errors?.[0].extensions.code).toBe('UNIT_BUDGET_EXCEEDED');
    expect(endpoints.map(({ route }) => route)).toEqual(['searchLicences']);
    expect(errors?.[0].extensions.code).toBe('UNIT_BUDGET_EXCEEDED');
  });
});

describe('an operation whose cost was not known before', () => {
  const padron = proxiedPadronForTests();
  const month = (period: string) =>
    `receipts(period: "${period}") { outcome records { files { outcome problems { code } evidence { servedFrom units billing } } } }`;
  const oneMonth = ofPayer(`a: ${month('2025-01')}`);
  const twoMonths = ofPayer(`a: ${month('2025-01')} b: ${month('2025-02')}`);
  const isList = (path: string): boolean => path === LIST.replace('POST ', '');

  interface Body {
    readonly params: { readonly periodo: string };
    readonly comprobantes: readonly object[];
  }

  /** A month of fifteen receipts: more than the price reckons with. */
  function fifteen(json: unknown): { readonly json: object } {
    const body = json as Body;
    const receipt = (index: number) => ({ ...body.comprobantes[0], folio_sua: String(500 + index) });
    return { json: { ...body, comprobantes: Array.from({ length: 15 }, (_, index) => receipt(index)) } };
  }

  /** The files of any folio, as the service would give them. */
  const someFiles = { status: 200, json: { ok: true, files: { pdf: null, xml: null } } };
  const monthsOfFifteen: Tamper = ({ json }, { path }) => (isList(path) ? fifteen(json) : someFiles);
  const filesOf = ({ data }: PricedAnswer, month: 'a' | 'b' = 'a'): readonly { readonly outcome: string }[] =>
    data.employer[month].records.map((record: { readonly files: unknown }) => record.files);
  const countOf = (lookups: ReturnType<typeof filesOf>, outcome: string): number =>
    lookups.filter((lookup) => lookup.outcome === outcome).length;
  const refused = {
    outcome: 'NOT_RUN',
    problems: [{ code: 'UNIT_BUDGET_EXCEEDED' }],
    evidence: { servedFrom: 'NOT_SENT', units: 0, billing: 'NOT_CHARGED' },
  };

  it('stops at the budget, keeps the answers, and cannot overspend even if all calls are made concurrently', async () => {
    padron.proxy.tamper(monthsOfFifteen);
    expect(await priceOf(padron, oneMonth)).toMatchObject({ estimatedUnits: 3, atMost: null, bounded: false });
    const answer = await askPriced(padron, oneMonth, budget(11));
    expect(answer.errors).toBeUndefined();
    expect([answer.data.employer.a.outcome, countOf(filesOf(answer), 'FOUND')]).toEqual(['FOUND', 10]);
    expect(filesOf(answer).slice(10)).toEqual(Array(5).fill(refused));
    expect(answer.units).toMatchObject({ spent: 11, uncertain: 0 });
    expect(padron.calls().filter((call) => call === DOWNLOAD)).toHaveLength(10);
  });

  it('continues without a budget', async () => {
    padron.proxy.tamper(monthsOfFifteen);
    const answer = await askPriced(padron, oneMonth);
    expect([countOf(filesOf(answer), 'FOUND'), answer.units?.spent]).toEqual([15, 16]);
  });

  it('keeps the units of calls reserved whose billing is unknown', async () => {
    // The second month is answered after the files of the first have ended, so their possible cost is already counted.
    let downloads = 0;
    let over = (): void => {};
    const firstIsOver = new Promise<void>((resolve) => {
      over = resolve;
    });
    padron.proxy.tamper(async ({ json }, { path }) => {
      if (isList(path)) {
        if ((json as Body).params.periodo === '202502') await firstIsOver;
        return fifteen(json);
      }
      downloads += 1;
      if (downloads === 15) setTimeout(over, 50);
      // Ten failures in a row would pause the registry.
      return downloads % 8 === 0 ? someFiles : { status: 404, bytes: Buffer.from('<h1>Not here</h1>') };
    });
    const answer = await askPriced(padron, twoMonths, budget(22));
    expect(countOf(filesOf(answer, 'a'), 'UNAVAILABLE')).toBe(14);
    expect(countOf(filesOf(answer, 'b'), 'UNAVAILABLE')).toBe(4);
    expect(filesOf(answer, 'b').slice(5)).toEqual(Array(10).fill(refused));
    expect(answer.units).toMatchObject({ spent: 4, uncertain: 18 });
    expect(downloads).toBe(20);
  });
});

it('a call whose token the service rejects gives its units back', () => {
  const units = new UnitMeter(1);
  units.reserve(1);
  units.recordUnauthenticated(1, 'POST /test', 5);
  expect(units.reserve(1)).toBe(true);
  expect(units.calls).toMatchObject([{ endpoint: 'POST /test', outcome: 'UNAUTHENTICATED', units: 0, uncertain: 0 }]);
});

describe('the calls of a request', () => {
  const callsOf = async (query: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const { errors, units } = await askPriced(padron, { query, variables });
    expect(errors).toBeUndefined();
    expect(units?.calls.map(({ endpoint }) => endpoint).sort()).toEqual([...padron.calls()].sort());
    return (units?.calls ?? []).map(({ path, endpoint }) => `${path.join('.')}: ${endpoint}`).sort();
  };

  it.each([
    ['under the alias of the field that asked', `me: person(nss: "${nss}") { loan: ${credit} }`, [['me.loan', CREDIT]]],
    [
      'under the field that needed the identifier if no field selects it',
      `person(nss: "${nss}") { identity { outcome } }`,
      [
        ['person.identity', CREDIT],
        ['person.identity', IDENTITY],
      ],
    ],
    [
      'once, under the first of several fields with the same question',
      `person(nss: "${nss}") { first: ${credit} second: ${credit} }`,
      [['person.first', CREDIT]],
    ],
  ])('are reported %s', async (_how, selection, calls) => {
    expect(await callsOf(`{ ${selection} }`)).toEqual(calls.map((call) => call.join(': ')));
  });

  it('are reported under a list position: an entity of a router, a receipt of a month', async () => {
    const query = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
      ... on Person { ${credit} } ... on Employer { receipts(period: "2025-02") { records { files { outcome } } } } } }`;
    const representations = [
      { __typename: 'Employer', registration: payer.registration },
      { __typename: 'Person', nss },
    ];
    const paths = (await callsOf(query, { representations })).map((call) => call.replace(/: .*/, ''));
    const expected = ['_entities.0.receipts', '_entities.0.receipts.records.0.files', '_entities.1.credit'];
    expect(paths).toEqual(expect.arrayContaining(expected));
  });

  it('are reported on every response, even if it makes no call or is rejected', async () => {
    for (const query of [
      '{ __typename }',
      '{ nothing }',
      `{ person { ${credit} } }`,
      '{ registryEndpoints { units } }',
    ])
      expect((await askPriced(padron, { query })).units).toEqual(nothingSpent);
    expect(padron.calls()).toEqual([]);
  });
});
