import { THREE_UNITS_TOKEN } from '../../../../src/sandbox/accounts/accounts';
import { payer } from '../../../support/operations/employer-graph';
import { ACCOUNT, CREDIT, IDENTITY } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import type { Setup } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { withPadron } from '../../../support/padrons/with-padron';
import { askPriced, nothingSpent, type Request } from '../../../support/requests/money';

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
          estimate: {
            dataset: null,
            rowCount: 1,
            endpoints: [CREDIT, ACCOUNT, IDENTITY]
              .map((endpoint) => endpoint.replace('POST ', ''))
              .sort()
              .map((url) => expect.objectContaining({ url, calls: 1, unitsPerCall: 1, subtotal: 1 })),
            estimatedUnits: 3,
            atMost: 3,
            amount: null,
            bounded: true,
            invalidRows: 0,
            problems: [],
            currentBalance: null,
            sufficient: null,
          },
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
  const ceiling: Setup = { environment: { MAX_UNITS: '2' } };
  const two: Request = { ...profile, query: profile.query.replace('identity { outcome }', '') };

  it.each([
    ['no budget of the caller', {}, two, undefined],
    ['no budget of the caller, above it', {}, profile, 2],
    ['a higher budget of the caller', budget(9), two, undefined],
    ['a higher budget of the caller, above the ceiling', budget(9), profile, 2],
    ['a lower budget of the caller', budget(1), two, 1],
  ])('is replaced by a lower limit of %s', async (_case, headers, request, held) => {
    await withPadron(ceiling, async (capped) => {
      const { errors } = await askPriced(capped, request, headers);
      expect(errors?.[0].extensions.budget).toBe(held);
      expect(capped.calls()).toHaveLength(held === undefined ? 2 : 0);
    });
  });

  it('does not prevent an estimate', async () => {
    await withPadron(ceiling, async (capped) => {
      const { estimate, errors } = await askPriced(capped, profile, { 'x-dry-run': 'true' });
      expect(errors).toBeUndefined();
      expect(estimate?.estimatedUnits).toBe(3);
    });
  });

  it('allows no paid call if it is 0', async () => {
    await withPadron({ environment: { MAX_UNITS: '0' } }, async (capped) => {
      const { errors } = await askPriced(capped, profile, { authorization: `Bearer ${THREE_UNITS_TOKEN}` });
      expect(errors?.[0].extensions).toMatchObject({ code: 'UNIT_BUDGET_EXCEEDED', budget: 0 });
    });
  });
});
