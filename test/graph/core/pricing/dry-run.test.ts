import { isObjectType } from 'graphql';
import { THREE_UNITS_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { payer } from '../../../support/operations/employer-graph';
import { CREDIT } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { runPadron } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { buildGraph } from '../../../support/padrons/whole-padron';
import { askPriced, nothingSpent, priceOf, type Request } from '../../../support/requests/money';

const padron = padronForTests();
// A price is free whatever it is the price of.
afterEach(() => expect(padron.calls()).toEqual([]));

const dryRun = { 'x-dry-run': 'true' };
const { nss, curp } = somebody;
const byNss = (fields: string): Request => ({ query: `{ person(nss: "${nss}") { ${fields} } }` });
const byBoth = (fields: string): Request => ({ query: `{ person(nss: "${nss}", curp: "${curp}") { ${fields} } }` });

describe('x-dry-run', () => {
  it('returns the estimate alone and runs nothing', async () => {
    const { status, data, errors, estimate, units, unitsSpent } = await askPriced(
      padron,
      byBoth('credit { outcome } professionalStatus { outcome }'),
      dryRun,
    );
    expect([status, data, errors, units, unitsSpent]).toEqual([200, null, undefined, nothingSpent, '0']);
    expect(estimate).toEqual({
      dataset: null,
      rowCount: 1,
      endpoints: [
        {
          url: '/api/sep/grupo/descargar-constancia-profesional',
          route: 'downloadProfessionalStatus',
          fields: ['person.professionalStatus'],
          calls: 1,
          unitsPerCall: 2,
          subtotal: 2,
        },
        {
          url: '/api/infonavit/grupo/buscar-credito',
          route: 'findCredit',
          fields: ['person.credit'],
          calls: 1,
          unitsPerCall: 1,
          subtotal: 1,
        },
      ],
      estimatedUnits: 3,
      atMost: 3,
      amount: null,
      bounded: true,
      invalidRows: 0,
      problems: [],
      currentBalance: null,
      sufficient: null,
    });
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['is a part of an operation', { 'x-operation-id': 'op-1' }, byNss('credit { outcome }').query],
    [
      'asks for entities',
      {},
      `{ _entities(representations: [{ __typename: "Person", nss: "${nss}" }]) { ... on Person { credit { outcome } } } }`,
    ],
  ])('is also an error if the request %s, because routers drop extensions', async (_what, headers, query) => {
    const { status, data, errors, estimate } = await askPriced(padron, { query }, { ...dryRun, ...headers });
    expect([status, data, estimate?.estimatedUnits]).toEqual([200, null, 1]);
    expect(errors).toMatchObject([{ extensions: { code: 'DRY_RUN' } }]);
  });

  it.each([dryRun, { ...dryRun, 'x-max-units': '1' }, { 'x-max-units': '0' }])(
    'rejects a variable that the operation would reject, instead of a price of zero: %o',
    async (headers) => {
      const query = 'query($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
      const { status, errors, estimate } = await askPriced(padron, { query, variables: { nss: 4159600263 } }, headers);
      expect([status, estimate]).toEqual([400, undefined]);
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
      expect(errors?.[0]?.message).toBe(
        'Variable "$nss": expected NSS!, got a number. NSS must be a string of digits.',
      );
      expect(padron.calls()).toEqual([]);
    },
  );

  it('has the fields of UnitEstimate, all of them', async () => {
    const { schema } = buildGraph();
    const fieldsOf = (type: string): readonly string[] => {
      const object = schema.getType(type);
      return isObjectType(object) ? Object.keys(object.getFields()).sort() : [];
    };
    const estimate = await priceOf(padron, byNss('credit { outcome }'));
    expect(Object.keys(estimate).sort()).toEqual(fieldsOf('UnitEstimate'));
    expect(Object.keys(estimate.endpoints[0] ?? {}).sort()).toEqual(fieldsOf('UnitEstimateEndpoint'));
  });

  it('includes the limit of a batch that the operation starts, without starting it', async () => {
    const query =
      'mutation ($id: ID!, $max: Int!) { startRegistryBatch(id: $id, maxUnits: $max) { problems { code } } }';
    const estimate = await priceOf(padron, { query, variables: { id: 'a', max: 1_000 } });
    expect(estimate).toMatchObject({ estimatedUnits: 1_000, atMost: 1_000, bounded: true, endpoints: [] });
  });

  it('returns an error, not a price of zero, if the limit of a batch is unknown', async () => {
    const query = 'mutation { resumeRegistryBatch(id: "a") { problems { code } } }';
    const { status, estimate, errors } = await askPriced(padron, { query }, dryRun);
    expect([status, estimate]).toEqual([400, undefined]);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(errors?.[0]?.message).toBe(
      'The price is unknown: resumeRegistryBatch spends up to the limit of its batch. Give `maxUnits`.',
    );
  });

  it('does not count the limit of a batch in the budget of the request that starts it', async () => {
    const query = 'mutation { startRegistryBatch(id: "a", maxUnits: 1000) { problems { code } } }';
    const { errors } = await askPriced(padron, { query }, { 'x-max-units': '1' });
    // It ran: this padron has no batches.
    expect(errors).toMatchObject([{ extensions: { code: 'BATCHES_OFF' } }]);
  });

  it('needs no token, because no call is made', async () => {
    const estimate = await priceOf(padron, byNss('credit { outcome }'), { authorization: 'none' });
    expect(estimate.estimatedUnits).toBe(1);
  });

  it('has a price of 0 for each call in sandbox mode', async () => {
    const estimate = await priceOf(padron, byBoth('credit { outcome } identity { outcome }'), { 'x-sandbox': 'true' });
    expect(estimate.estimatedUnits).toBe(0);
    expect(estimate.endpoints.map(({ calls, unitsPerCall, subtotal }) => [calls, unitsPerCall, subtotal])).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ]);
  });

  it('leaves out endpoints that are not called in sandbox mode', async () => {
    const estimate = await priceOf(
      padron,
      { query: `{ employer(registration: "${payer.registration}") { snapshots { outcome } } }` },
      { 'x-sandbox': 'true' },
    );
    expect(estimate).toMatchObject({ endpoints: [], estimatedUnits: 0 });
  });

  it.each(['maybe', '', 'yes'])('rejects a header that it cannot read: %j', async (value) => {
    const { status, data, errors } = await askPriced(padron, byNss('credit { outcome }'), { 'x-dry-run': value });
    expect([status, data, errors?.[0]?.extensions.code]).toEqual([400, undefined, 'BAD_USER_INPUT']);
  });
});

describe('with the balance of the account', () => {
  it('reports whether the account can pay, with one free call', async () => {
    const beside = await runPadron({ environment: { BALANCE_PATH: '/api/balance' } });
    const authorization = `Bearer ${THREE_UNITS_TOKEN}`;
    const three = await priceOf(beside, byBoth('credit { outcome } professionalStatus { outcome }'), { authorization });
    const four = await priceOf(
      beside,
      byBoth('credit { outcome } identity { outcome } professionalStatus { outcome }'),
      {
        authorization,
      },
    );
    const calls = beside.calls();
    const unknown = await priceOf(beside, byNss('credit { outcome }'), { authorization: 'Bearer nobody' });
    await beside.stop();
    expect(
      [three, four].map(({ currentBalance, estimatedUnits, sufficient }) => [
        currentBalance,
        estimatedUnits,
        sufficient,
      ]),
    ).toEqual([
      ['3', 3, true],
      ['3', 4, false],
    ]);
    expect(calls).toEqual(['GET /api/balance', 'GET /api/balance']);
    expect(unknown).toMatchObject({ estimatedUnits: 1, currentBalance: null, sufficient: null });
  });
});

describe('x-max-units', () => {
  it.each(['-1', '1.5', 'many', '', '1e3', '1, 2', '99999999999'])(
    'rejects a value that it cannot read: %j',
    async (budget) => {
      const { status, data, errors } = await askPriced(padron, byNss('credit { outcome }'), { 'x-max-units': budget });
      expect([status, data, errors?.[0]?.extensions.code]).toEqual([400, undefined, 'BAD_USER_INPUT']);
      expect(errors?.[0]?.message).toContain('x-max-units');
    },
  );

  it('accepts blanks around the number', async () => {
    const { data } = await askPriced(padron, byNss('credit { outcome }'), { 'x-max-units': ' 1 ' });
    expect(data.person.credit.outcome).toBe('FOUND');
    expect(padron.calls()).toEqual([CREDIT]);
  });
});
