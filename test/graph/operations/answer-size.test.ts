import { getIntrospectionQuery } from 'graphql';
import { runPadron } from '../../support/padrons/padron';
import { padronForTests } from '../../support/padrons/padron-for-tests';

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

  it('a type by a variable, judged by the type of each request', async () => {
    const query = `query ($n: String!) { ${aliased(1_000, '__type(name: $n) { ...T }')} } fragment T on __Type { fields { name description type { name kind } } }`;
    const statuses: number[] = [];
    for (const n of ['ServedFrom', 'ProfessionalLicence', 'Nothing'])
      statuses.push((await padron.ask(query, { n })).status);
    expect(statuses).toEqual([200, 400, 200]);
  });
});

describe('a condition that is null fails in each object that contains it, and each is counted:', () => {
  const of = Array.from({ length: 5_000 }, () => ({ __typename: 'Person', nss: '1' }));

  it.each([
    ['at a field', '{ ... on Person { nss @skip(if: $s) } }'],
    ['at an inline fragment', '{ ... on Person { ... @include(if: $s) { nss } } }'],
    ['at a fragment', '{ ...F @include(if: $s) } fragment F on Person { nss }'],
  ])('%s', async (_what, selection) => {
    const [head = '', fragments = ''] = selection.split(' fragment ');
    const query = `query ($of: [_Any!]!, $s: Boolean = true) { _entities(representations: $of) ${head} } ${fragments && `fragment ${fragments}`}`;
    const { status, errors } = await padron.ask(query, { of, s: null });
    expect([status, errors?.[0].extensions]).toMatchObject([400, { code: 'OPERATION_TOO_LARGE', limit: 'nodes' }]);
    expect((await padron.ask(query, { of })).errors).toBeUndefined();
    const few = await padron.ask(query, { of: of.slice(0, 2), s: null });
    expect(few.errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT']);
  });

  it('in the schema', async () => {
    const type = `fragment T on __Type { ${aliased(900, 'fields { name @skip(if: $s) }')} }`;
    const query = `query ($s: Boolean = true) { ${aliased(10, '__type(name: "_Service") { ...T }')} } ${type}`;
    const { status, errors } = await padron.ask(query, { s: null });
    expect([status, errors?.[0].extensions.limit]).toEqual([400, 'nodes']);
  });

  it('at the root, where the caller gets the error, and not the operator', async () => {
    const { data, errors } = await padron.ask('query ($s: Boolean = true) { __typename @skip(if: $s) }', { s: null });
    expect([data, errors?.map(({ extensions }) => extensions.code)]).toEqual([null, ['BAD_USER_INPUT']]);
  });
});

describe('text of the request is not repeated without limit:', () => {
  const long = '1'.repeat(100_000);

  it.each([
    ['an identifier', 'query ($x: NSS!) { of: person(nss: $x) { text: nss credit { outcome } } }', 'credit'],
    [
      'a registration',
      'query ($x: EmployerRegistration!) { of: employer(registration: $x) { text: registration snapshots { outcome } } }',
      'snapshots',
    ],
  ])('%s', async (_what, query, field) => {
    const { data } = await padron.ask(query, { x: long });
    expect([data.of.text.length, data.of[field]]).toEqual([1_001, { outcome: 'INVALID_INPUT' }]);
    expect(padron.calls()).toEqual([]);
  });

  it('a key of an entity', async () => {
    const of = [{ __typename: 'Person', nss: long }];
    const query =
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { nss credit { outcome } } } }';
    const { data } = await padron.ask(query, { of });
    expect([data._entities[0].nss.length, data._entities[0].credit]).toEqual([100, { outcome: 'INVALID_INPUT' }]);
  });

  it.each([
    ['in a variable', 'query ($x: NSS) { NAMES } fragment F on Person { FIELDS }', '$x', { x: long }],
    ['in a default', `query ($x: NSS = "${long}") { NAMES } fragment F on Person { FIELDS }`, '$x', {}],
    ['in the document', '{ NAMES } fragment F on Person { FIELDS }', `"${'1'.repeat(1_000)}"`, {}],
  ])('an identifier %s, many times', async (_what, query, argument, variables) => {
    const text = query
      .replace('NAMES', aliased(800, `person(nss: ${argument}) { ...F }`))
      .replace('FIELDS', aliased(30, 'nss'));
    const { status, errors } = await padron.ask(text, variables);
    expect([status, errors?.[0].extensions]).toMatchObject([400, { code: 'OPERATION_TOO_LARGE', limit: 'bytes' }]);
    const short = await padron.ask(text.replaceAll('1'.repeat(1_000), '1'), { x: '1' });
    expect(short.status).toBe(200);
  });

  it.each([
    ['a kind', 'complianceOpinion(kind: $x) { outcome problems { path } }', ['kind']],
    [
      'a folio',
      'complianceOpinion: receiptFiles(period: "2026-01", folio: $x) { outcome problems { path } }',
      ['folio'],
    ],
  ])('%s, which every question contains', async (_what, field, path) => {
    const query = `query ($x: String!) { employer(registration: "Y6077636105") { ${field} } }`;
    const { data } = await padron.ask(query, { x: long });
    expect(data.employer.complianceOpinion).toEqual({ outcome: 'INVALID_INPUT', problems: [{ path }] });
    expect(padron.calls()).toEqual([]);
  });
});

describe('a repeated text takes no more bytes than it was sent with, however it is written:', () => {
  const fragment = `fragment F on Person { ${aliased(900, 'nss')} }`;
  const [ligatures, controls] = ['\ufdfa'.repeat(100), '\u0001'.repeat(100)];

  it('a ligature of eighteen letters, in an identifier', async () => {
    const { status, data, errors } = await padron.ask(
      `query ($n: NSS!) { person(nss: $n) { nss credit { outcome } } }`,
      {
        n: '\ufdfa'.repeat(16),
      },
    );
    expect([status, errors, data.person.nss.length]).toEqual([200, undefined, 16]);
    expect(data.person.credit.outcome).toBe('INVALID_INPUT');
  });

  it.each([
    ['ligatures', ligatures],
    ['control characters', controls],
  ])('%s, in an identifier that many fields use', async (_what, text) => {
    const query = `query ($n: NSS!) { ${aliased(50, 'person(nss: $n) { ...F }')} } ${fragment}`;
    const { status, errors } = await padron.ask(query, { n: text });
    expect([status, errors?.[0].extensions.limit]).toEqual([400, 'bytes']);
  });

  it.each([
    ['ligatures', ligatures],
    ['control characters', controls],
  ])('%s, in the key of an entity', async (_what, text) => {
    const query =
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { nss credit { outcome } } } }';
    const { data, errors } = await padron.ask(query, { of: [{ __typename: 'Person', nss: text }] });
    expect(errors).toBeUndefined();
    expect(data._entities).toEqual([{ nss: '', credit: { outcome: 'INVALID_INPUT' } }]);
    expect(padron.calls()).toEqual([]);
  });
});
