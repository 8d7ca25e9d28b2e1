import { serverAudits } from 'graphql-http';
import { audit } from '../../reliability/audit';
import { CREDIT } from '../../support/operations/people-endpoints';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { askPriced } from '../../support/requests/money';

describe('an operation', () => {
  const padron = padronForTests();

  it.each([
    ['its only field is', '{ __typename @skip(if: true) }', {}],
    ['all of its fields are', '{ person(nss: "1") @skip(if: true) { nss } b: __typename @include(if: false) }', {}],
    ['a variable says so', 'query ($no: Boolean!) { person @include(if: $no) { nss } }', { no: false }],
    [
      'its fragments are',
      'query ($no: Boolean!) { ...F @include(if: $no) } fragment F on Query { __typename }',
      { no: false },
    ],
    ['what its fragments hold is', '{ ...F } fragment F on Query { ... { __typename @skip(if: true) } }', {}],
    ['the schema is', '{ __schema @skip(if: true) { queryType { name } } }', {}],
    ['it is a mutation', 'mutation { __typename @skip(if: true) }', {}],
  ])('returns an empty object if all fields are skipped: %s', async (_what, query, variables) => {
    for (const headers of [{}, { 'x-max-units': '1' }]) {
      const { status, data, errors } = await askPriced(padron, { query, variables }, headers);
      expect([status, data, errors]).toEqual([200, {}, undefined]);
    }
    const { status, estimate } = await askPriced(padron, { query, variables }, { 'x-dry-run': 'true' });
    expect([status, estimate?.estimatedUnits, estimate?.invalidRows]).toEqual([200, 0, 0]);
    expect(padron.calls()).toEqual([]);
  });

  it.each([
    [{ with: true, without: true }, { credit: { outcome: 'FOUND' } }, [CREDIT]],
    [{ with: true, without: false }, { nss: '04159600263', credit: { outcome: 'FOUND' } }, [CREDIT]],
    [{ with: false, without: true }, {}, []],
    [{ with: false, without: false }, { nss: '04159600263' }, []],
  ])(
    'calls the endpoints of the fields that the directives select, in each request: %j',
    async (flags, person, calls) => {
      const query = `query ($nss: NSS!, $with: Boolean!, $without: Boolean!) {
    person(nss: $nss) { nss @skip(if: $without) credit @include(if: $with) { outcome } } }`;
      const { data, errors } = await padron.ask(query, { nss: '04159600263', ...flags });
      expect([data, errors]).toEqual([{ person }, undefined]);
      expect(padron.calls()).toEqual(calls);
    },
  );

  it('fails without a call if an enum argument that must not be null is null', async () => {
    const query = 'query ($m: NameMatch = EXACT, $n: NSS) { person(nss: $n) { licences(match: $m) { outcome } } }';
    const { errors } = await padron.ask(query, { m: null, n: '04159600263' });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(padron.calls()).toEqual([]);
  });

  it('returns 2,500 entities', async () => {
    const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { nss credit { outcome } } } }`;
    const of = Array.from({ length: 2_500 }, (_, index) => ({ __typename: 'Person', nss: `${index}"\n\u2028Ñ😀` }));
    const { data, errors } = await padron.ask(query, { of });
    expect([data._entities.length, errors]).toEqual([2_500, undefined]);
    expect(data._entities[2_499].credit.outcome).toBe('INVALID_INPUT');
    expect(padron.calls()).toEqual([]);
  });
});

describe('the audit of GraphQL over HTTP', () => {
  const padron = padronForTests();

  it('has no error and no warning', async () => {
    const { passed, faults } = await audit(padron.url);
    expect(faults).toEqual([]);
    // What is left are wishes: a GET without the header that keeps other sites out is refused.
    expect(passed).toBeGreaterThan(55);
  });

  it('has no hint either if each GET has the header that makes browsers send a preflight', async () => {
    const all = serverAudits({ url: padron.url }).length;
    expect(await audit(padron.url, { 'apollo-require-preflight': 'true' })).toEqual({
      passed: all,
      wishes: [],
      faults: [],
    });
  });
});
