import { THREE_UNITS_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { UnitMeter } from '../../../../src/money/units/unit-meter';
import { DOWNLOAD, LIST, payer } from '../../../support/operations/employer-graph';
import { ACCOUNT, CREDIT, IDENTITY } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests, proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { withPadron } from '../../../support/padrons/with-padron';
import type { Tamper } from '../../../support/proxies/tampering-proxy';
import { askPriced, nothingSpent, type PricedAnswer, priceOf, type Request } from '../../../support/requests/money';

const padron = padronForTests({ environment: { BALANCE_PATH: '/api/balance' } });

const profile: Request = {
  query: `query ($nss: NSS) { person(nss: $nss) { credit { outcome } housingAccount { outcome } identity { outcome } } }`,
  variables: { nss: somebody.nss },
};

const budget = (units: number) => ({ 'x-max-units': String(units) });

describe('an operation above its budget', () => {
  it('is rejected as a whole with its price by endpoint, and no call is made, not even for the balance', async () => {
    const before = padron.spent();
    const { status, data, errors, units, unitsSpent } = await askPriced(padron, profile, budget(2));
    expect([status, data, units, unitsSpent]).toEqual([200, null, nothingSpent, '0']);
    expect(errors).toEqual([
      {
        message: 'The operation may cost 3 units, but its budget is 2. No call was sent.',
        extensions: {
          code: 'UNIT_BUDGET_EXCEEDED',
          url: '/graphql/errors/UNIT_BUDGET_EXCEEDED',
          budget: 2,
          estimate: expect.objectContaining({
            endpoints: [CREDIT, ACCOUNT, IDENTITY]
              .map((endpoint) => endpoint.replace('POST ', ''))
              .sort()
              .map((url) => expect.objectContaining({ url, calls: 1, unitsPerCall: 1, subtotal: 1 })),
            estimatedUnits: 3,
            currentBalance: null,
          }),
        },
      },
    ]);
    expect(padron.calls()).toEqual([]);
    expect(padron.spent()).toBe(before);
  });

  it('runs if the budget suffices exactly', async () => {
    const { data, errors, units } = await askPriced(padron, profile, budget(3));
    expect(errors).toBeUndefined();
    expect(Object.values<{ outcome: string }>(data.person).map(({ outcome }) => outcome)).toEqual([
      'FOUND',
      'FOUND',
      'FOUND',
    ]);
    expect(units?.spent).toBe(3);
    expect(padron.calls()).toHaveLength(3);
  });

  it('is rejected for a mutation too, before a file is read', async () => {
    const input = `{ rfc: "${somebody.rfc}", password: "secret", certificate: { base64: "" }, privateKey: { base64: "" } }`;
    const { data, errors } = await askPriced(
      padron,
      { query: `mutation { verifySignature(input: ${input}) { outcome } }` },
      budget(0),
    );
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
    const again = ['a', 'b', 'c', 'd']
      .map((alias) => `${alias}: ${months} { records { files { outcome } } }`)
      .join(' ');
    const query = `{ employer(registration: "${payer.registration}") { ${months} { records { employer { ${again} } } } } }`;
    await withPadron({ environment: { LIMIT_NODES: '10000000' } }, async (lenient) => {
      const { status, data, errors } = await askPriced(lenient, { query }, budget(1_000));
      const { code, limit } = errors?.[0].extensions ?? {};
      expect([status, data, code, limit]).toEqual([400, null, 'OPERATION_TOO_LARGE', 'questions']);
      expect(lenient.calls()).toEqual([]);
    });
  });
});

describe("the operator's limit", () => {
  const capped = padronForTests({ environment: { MAX_UNITS: '2' } });
  const two: Request = { ...profile, query: profile.query.replace('identity { outcome }', '') };

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
    const { estimate, errors } = await askPriced(capped, profile, { 'x-dry-run': 'true' });
    expect(errors).toBeUndefined();
    expect(estimate?.estimatedUnits).toBe(3);
  });

  it('allows no paid call if it is 0', async () => {
    await withPadron({ environment: { MAX_UNITS: '0' } }, async (capped) => {
      const { errors } = await askPriced(capped, profile, { authorization: `Bearer ${THREE_UNITS_TOKEN}` });
      expect(errors?.[0].extensions).toMatchObject({ code: 'UNIT_BUDGET_EXCEEDED', budget: 0 });
    });
  });
});

const files = 'records { files { outcome problems { code } evidence { servedFrom units billing } } }';

const oneMonth = `{ employer(registration: "${payer.registration}") { a: receipts(period: "2025-01") { outcome ${files} } } }`;

const twoMonths = `{ employer(registration: "${payer.registration}") {
  a: receipts(period: "2025-01") { outcome ${files} } b: receipts(period: "2025-02") { outcome ${files} } } }`;

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

type Month = 'a' | 'b';

const filesOf = ({ data }: PricedAnswer, month: Month = 'a') =>
  data.employer[month].records.map((record: { readonly files: unknown }) => record.files);

const refused = {
  outcome: 'NOT_RUN',
  problems: [{ code: 'UNIT_BUDGET_EXCEEDED' }],
  evidence: { servedFrom: 'NOT_SENT', units: 0, billing: 'NOT_CHARGED' },
};

const countOf = (lookups: readonly { readonly outcome: string }[], outcome: string): number =>
  lookups.filter((lookup) => lookup.outcome === outcome).length;

describe('an operation whose cost was not known before', () => {
  const padron = proxiedPadronForTests();

  it('stops at the budget, keeps the answers, and cannot overspend even if all calls are made concurrently', async () => {
    padron.proxy.tamper(monthsOfFifteen);
    const { estimatedUnits, atMost, bounded } = await priceOf(padron, { query: oneMonth });
    expect([estimatedUnits, atMost, bounded]).toEqual([3, null, false]);
    const answer = await askPriced(padron, { query: oneMonth }, { 'x-max-units': '11' });
    expect(answer.errors).toBeUndefined();
    const lookups = filesOf(answer);
    expect(answer.data.employer.a.outcome).toBe('FOUND');
    expect(countOf(lookups, 'FOUND')).toBe(10);
    expect(lookups.slice(10)).toEqual(Array.from({ length: 5 }, () => refused));
    expect(answer.units).toMatchObject({ spent: 11, uncertain: 0 });
    expect(padron.calls().filter((call) => call === DOWNLOAD)).toHaveLength(10);
  });

  it('continues without a budget', async () => {
    padron.proxy.tamper(monthsOfFifteen);
    const answer = await askPriced(padron, { query: oneMonth });
    expect(countOf(filesOf(answer), 'FOUND')).toBe(15);
    expect(answer.units?.spent).toBe(16);
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
      return { status: 404, bytes: Buffer.from('<h1>Not here</h1>') };
    });
    const answer = await askPriced(padron, { query: twoMonths }, { 'x-max-units': '22' });
    expect(countOf(filesOf(answer, 'a'), 'UNAVAILABLE')).toBe(15);
    expect(countOf(filesOf(answer, 'b'), 'UNAVAILABLE')).toBe(5);
    expect(filesOf(answer, 'b').slice(5)).toEqual(Array.from({ length: 10 }, () => refused));
    expect(answer.units).toMatchObject({ spent: 2, uncertain: 20 });
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
