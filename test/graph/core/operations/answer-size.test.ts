import { getIntrospectionQuery } from 'graphql';
import { runPadron } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';

const aliased = (count: number, field: string): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');
const everything = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});
/** The query that Apollo Rover sends. */
const rover = getIntrospectionQuery({ descriptions: true, specifiedByUrl: false, inputValueDeprecation: false });
const long = 'n'.repeat(1_000);

const padron = padronForTests();

describe('the queries that tools send to every server', () => {
  it.each([
    ['the introspection with all its options', everything, '__schema'],
    ['the introspection of Rover', rover, '__schema'],
    ['one type', 'query ($n: String!) { __type(name: $n) { name fields { name type { name } } } }', '__type'],
    ['the SDL', 'query { _service { sdl } }', '_service'],
  ])('are answered: %s', async (_what, query, field) => {
    const { status, data, errors } = await padron.ask(query, query.includes('$n') ? { n: 'Person' } : {});
    expect([status, errors]).toEqual([200, undefined]);
    expect(data[field]).not.toBeNull();
  });

  it('are answered with the SDL if introspection is off', async () => {
    const production = await runPadron({ environment: { INTROSPECTION: 'off' } });
    const { data } = await production.ask('{ _service { sdl } }');
    const { status, errors } = await production.ask(`{ ${aliased(2_000, '_service { sdl }')} }`);
    await production.stop();
    expect(data._service.sdl).toContain('type Person');
    expect([status, errors?.[0].extensions.limit]).toEqual([400, 'bytes']);
  });
});

describe('an answer beyond a limit is rejected, with the limit, the value and the allowed maximum:', () => {
  it.each<[string, string, string]>([
    ['aliases of the schema', `{ ${aliased(250, '__schema { types { fields { name description } } }')} }`, 'nodes'],
    [
      'aliases of a type',
      `{ ${aliased(1_000, '__type(name: "HousingCredit") { ...T }')} } fragment T on __Type { fields { name description args { name type { name kind } } type { kind ofType { name kind } name } } }`,
      'nodes',
    ],
    [
      'the possible types of an interface',
      `{ ${aliased(900, '__type(name: "RegistryLookup") { ...T }')} } fragment T on __Type { possibleTypes { fields { name type { name } } } }`,
      'nodes',
    ],
    [
      'pages of the ledger',
      `{ ${aliased(20, 'registryLedger(first: 1000) { entries { id at client tag outcome } }')} }`,
      'nodes',
    ],
    ['small pages of it', `{ ${aliased(300, 'registryLedger(first: 1) { next }')} }`, 'nodes'],
    ['sums of it', `{ ${aliased(60, 'registrySpend { units }')} }`, 'nodes'],
    [
      'introspection in fragments',
      `{ ${aliased(250, '__schema { ...S }')} } fragment S on __Schema { types { ...T } } fragment T on __Type { fields { name args { name type { name ofType { name } } } } }`,
      'nodes',
    ],
    ['aliases of the SDL', `{ ${aliased(1_000, '_service { sdl }')} }`, 'bytes'],
    ['aliases within the SDL', `{ _service { ${aliased(1_000, 'sdl')} } }`, 'bytes'],
    ['the endpoints, again and again', `{ ${aliased(1_000, 'registryEndpoints { endpoint units fields }')} }`, 'nodes'],
  ])('%s', async (_what, query, limit) => {
    const { status, data, errors } = await padron.ask(query);
    expect([status, data === undefined]).toEqual([400, true]);
    expect(errors).toMatchObject([{ extensions: { code: 'OPERATION_TOO_LARGE', limit } }]);
    const { value, allowed } = errors?.[0].extensions ?? {};
    expect(errors?.[0].message).toContain(`The limit is ${allowed}`);
    if (value !== null) expect(value).toBeGreaterThan(allowed);
  });

  it.each<[string, string, string]>([
    ['long names of entities', `${long}: nss ${long.slice(1)}: nss`, 'bytes'],
    ['names of types', aliased(20, '__typename'), 'nodes'],
  ])('%s, many times', async (_what, selection, limit) => {
    const of = Array.from({ length: 6_000 }, () => ({ __typename: 'Person', nss: '1' }));
    const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { ${selection} } } }`;
    const { status, errors } = await padron.ask(query, { of });
    expect([status, errors?.[0].extensions]).toMatchObject([400, { code: 'OPERATION_TOO_LARGE', limit }]);
    expect(padron.calls()).toEqual([]);
  });

  it('an error of each of many entities', async () => {
    const query =
      'query ($of: [_Any!]!, $p: YearMonth = "2026-01") { _entities(representations: $of) { ... on Employer { receipts(period: $p) { outcome } } } }';
    const of = Array.from({ length: 2_900 }, () => ({ __typename: 'Employer', registration: '1' }));
    const statuses: number[] = [];
    for (const variables of [{ of }, { of, p: null }, { of: of.slice(0, 50), p: null }])
      statuses.push((await padron.ask(query, variables)).status);
    expect(statuses).toEqual([200, 400, 200]);
  });
});
