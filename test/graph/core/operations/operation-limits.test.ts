import {
  type DocumentNode,
  executeSync,
  getIntrospectionQuery,
  getOperationAST,
  type OperationDefinitionNode,
  OverlappingFieldsCanBeMergedRule,
  parse,
  validate,
} from 'graphql';
import { limitOverlaps } from '../../../../src/graph/core/operations/document-guards';
import { OperationLimiter } from '../../../../src/graph/core/operations/operation-limits';
import { runPadron } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { buildGraph } from '../../../support/padrons/whole-padron';

const graph = buildGraph();
const repeated = (times: number, write: (index: number) => string): string =>
  Array.from({ length: times }, (_, index) => write(index)).join(' ');
const aliased = (count: number, field = 'registryEndpoints { units }'): string =>
  repeated(count, (index) => `a${index}: ${field}`);
const people = (count: number) => Array.from({ length: count }, () => ({ __typename: 'Person', nss: '1' }));
const entities = (selection: string) =>
  `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { ${selection} } } }`;

describe('the limits of an operation', () => {
  const asked = entities('nss credit { outcome }');
  const padron = padronForTests({
    environment: { LIMIT_ALIASES: '5', LIMIT_ENTITIES: '4', LIMIT_DEPTH: '4', LIMIT_NODES: '300' },
  });

  it.each([
    ['as many aliases as are allowed', `{ ${aliased(5)} }`, {}],
    ['as many entities as are allowed', asked, { of: people(4) }],
    ['as many levels as are allowed', '{ person(nss: "1") { credit { evidence { units } } } }', {}],
  ])('accept %s', async (_what, query, variables) => {
    const { status, errors } = await padron.ask(query, variables);
    expect([status, errors]).toEqual([200, undefined]);
  });

  const [twoMore, six] = [entities('nss').replace('!]!', `!]! = [${'{__typename: "Person"} '.repeat(5)}]`), aliased(6)];
  const levels = '{ employer(registration: "1") { receipts(period: "1") { records { employer { registration } } } } }';
  it.each([
    ['one more alias', `{ ${six} }`, {}, 'The operation has 6 aliases. The limit is 5: split it.'],
    [
      'aliases in fragments',
      `{ ${aliased(4)} ...F ...F } fragment F on Query { b: registryEndpoints { units } c: registryEndpoints { units } }`,
      {},
      'The operation has 6 aliases. The limit is 5: split it.',
    ],
    ['one more entity', asked, { of: people(5) }, 'The operation requests 5 entities. The limit is 4: split it.'],
    ['one more entity in a default', twoMore, {}, 'The operation requests 5 entities. The limit is 4: split it.'],
    ['one more level', levels, {}, 'The operation is 5 levels deep. The limit is 4: split it.'],
    ['more values', '{ registryLedger(first: 400) { entries { id } } }', {}, 'The answer may have'],
  ])('reject %s before any call', async (_what, query, variables, message) => {
    const { status, data, errors } = await padron.ask(query, variables);
    expect([status, data]).toEqual([400, undefined]);
    expect(errors).toMatchObject([
      { message: expect.stringContaining(message), extensions: { code: 'OPERATION_TOO_LARGE' } },
    ]);
    expect(padron.calls()).toEqual([]);
  });

  it('apply to the lists of each request, not only of the first, and to each list of a request', async () => {
    const statusOf = async (query: string, variables: Readonly<Record<string, unknown>>) =>
      (await padron.ask(query, variables)).status;
    const alone: number[] = [];
    for (const count of [4, 5, 3, 5, 0]) alone.push(await statusOf(asked, { of: people(count) }));
    expect(alone).toEqual([200, 400, 200, 400, 200]);
    const both = `query ($a: [_Any!]!, $b: [_Any!]!) {
      a: _entities(representations: $a) { __typename } b: _entities(representations: $b) { __typename } }`;
    const together: number[] = [];
    for (const pair of ['00', '22', '32', '23', '40']) {
      const [a, b] = [...pair].map((count) => people(Number(count)));
      together.push(await statusOf(both, { a, b }));
    }
    expect(together).toEqual([200, 200, 400, 400, 200]);
  });
});

const padron = padronForTests();

/** Errors of the rule, and the number of fields that graphql-js compared after it. */
function check(document: DocumentNode) {
  let compared = 0;
  const overlapping: typeof OverlappingFieldsCanBeMergedRule = (context) => {
    const visitor = OverlappingFieldsCanBeMergedRule(context) as Readonly<
      Record<string, (...values: unknown[]) => void>
    >;
    return {
      SelectionSet: (...parameters) => {
        compared += 1;
        visitor.SelectionSet?.(...parameters);
      },
    };
  };
  const errors = validate(graph.schema, document, [overlapping, limitOverlaps]);
  return { messages: errors.map(({ message }) => message), compared };
}

describe('a document that selects the same fields too often', () => {
  const spread = (count: number): string =>
    `{ ${repeated(count, (i) => `...f${i}`)} } ${repeated(count, (i) => `fragment f${i} on Query { __typename }`)}`;
  const person = 'person(nss: "1") { nss }';
  it.each([
    ['the same field five hundred times', `{ ${repeated(500, () => person)} }`],
    ['under one name', `{ ${repeated(300, () => 'a: person(nss: "1") { nss }')} }`],
    ['in inline fragments', `{ ${repeated(300, () => '... { ... on Query { person(nss: "1") { nss } } }')} }`],
    ['further down', `{ person(nss: "1") { ${repeated(300, () => 'credit { outcome }')} } }`],
    ['leaves', `{ person(nss: "1") { ${repeated(900, () => 'nss')} } }`],
    ['fragments', spread(500)],
    ['in a fragment that is spread', `{ ...F } fragment F on Query { ${repeated(300, () => person)} }`],
  ])('is rejected before its fields are compared: %s', async (_what, query) => {
    expect(check(parse(query))).toEqual({ messages: ['Validation aborted.'], compared: 0 });
    const { status, errors } = await padron.ask(query);
    const message = 'The document selects the same fields too often to be validated.';
    const code = 'GRAPHQL_VALIDATION_FAILED';
    expect([status, errors]).toEqual([400, [{ message, extensions: { code, url: `/graphql/errors/${code}` } }]]);
    expect(padron.calls()).toEqual([]);
  });

  it.each([
    ['the same field two hundred times', `{ ${repeated(200, () => 'registryEndpoints { units }')} }`],
    ['the same leaf six hundred times', `{ person(nss: "1") { ${repeated(600, () => 'nss')} } }`],
    ['the same fragment five thousand times', `{ ${'...F '.repeat(5_000)} } fragment F on Query { __typename }`],
    ['four hundred fragments', spread(400)],
    ['a thousand names', `{ ${repeated(1_000, (i) => `a${i}: __typename`)} }`],
  ])('is accepted with %s', async (_what, query) => {
    const { status, errors } = await padron.ask(query);
    expect([status, errors]).toEqual([200, undefined]);
  });
});

const everything = getIntrospectionQuery({
  ...{ descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true },
  ...{ inputValueDeprecation: true, oneOf: true },
});
/** The query that Apollo Rover sends. */
const rover = getIntrospectionQuery({ descriptions: true, specifiedByUrl: false, inputValueDeprecation: false });

describe('the queries that tools send to every server', () => {
  it.each([
    ['the introspection with all its options', everything, '__schema'],
    ['the introspection of Rover', rover, '__schema'],
    ['one type', '{ __type(name: "Person") { name fields { name type { name } } } }', '__type'],
    ['the SDL', 'query { _service { sdl } }', '_service'],
  ])('are answered: %s', async (_what, query, field) => {
    const { status, data, errors } = await padron.ask(query);
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
  const page = 'registryLedger(first: 1000) { entries { id at client tag outcome } }';
  it.each<[string, string, string]>([
    ['aliases of the schema', aliased(250, '__schema { types { fields { name description } } }'), 'nodes'],
    ['pages of the ledger', aliased(20, page), 'nodes'],
    ['sums of it', aliased(60, 'registrySpend { units }'), 'nodes'],
    ['aliases of the SDL', aliased(1_000, '_service { sdl }'), 'bytes'],
  ])('%s', async (_what, selection, limit) => {
    const { status, data, errors } = await padron.ask(`{ ${selection} }`);
    expect([status, data === undefined]).toEqual([400, true]);
    expect(errors).toMatchObject([{ extensions: { code: 'OPERATION_TOO_LARGE', limit } }]);
    const { value, allowed } = errors?.[0].extensions ?? {};
    expect(errors?.[0].message).toContain(`The limit is ${allowed}`);
    if (value !== null) expect(value).toBeGreaterThan(allowed);
  });

  const long = 'n'.repeat(1_000);
  it.each<[string, string, string]>([
    ['long names of entities', `${long}: nss ${long.slice(1)}: nss`, 'bytes'],
    ['names of types', aliased(20, '__typename'), 'nodes'],
  ])('%s, many times', async (_what, selection, limit) => {
    const { status, errors } = await padron.ask(entities(selection), { of: people(6_000) });
    expect([status, errors?.[0].extensions]).toMatchObject([400, { code: 'OPERATION_TOO_LARGE', limit }]);
    expect(padron.calls()).toEqual([]);
  });

  it('an error of each of many entities', async () => {
    const query = `query ($of: [_Any!]!, $p: YearMonth = "2026-01") {
      _entities(representations: $of) { ... on Employer { receipts(period: $p) { outcome } } } }`;
    const of = Array.from({ length: 2_900 }, () => ({ __typename: 'Employer', registration: '1' }));
    const statuses: number[] = [];
    for (const variables of [{ of }, { of, p: null }, { of: of.slice(0, 50), p: null }])
      statuses.push((await padron.ask(query, variables)).status);
    expect(statuses).toEqual([200, 400, 200]);
  });
});

describe('introspection', () => {
  const limits = { depth: 15, aliases: 5_000, entities: 10_000, nodes: 100_000, bytes: 10_000_000 };
  const limiter = new OperationLimiter(graph, limits);
  const measure = (document: DocumentNode) =>
    limiter.measure(document, getOperationAST(document) as OperationDefinitionNode, {});
  const fragments = `fragment T on __Type { kind fields(includeDeprecated: true) { ...F } }
    fragment F on __Field { name args { defaultValue type { ofType { name } } } }`;

  it.each([
    ['all of it', everything],
    ['by aliases and fragments', `{ ${aliased(9, '__type(name: "Query") { ...T ...T }')} } ${fragments}`],
    ['of types that do not exist', '{ __type(name: "Nobody") { fields { name } } __typename }'],
    ['of the largest enum', '{ __type(name: "ProblemCode") { enumValues { name description } } }'],
    ['of the root types', '{ __schema { queryType { fields { name args { name } } } mutationType { name } } }'],
    ['of wrapped types', '{ __schema { types { fields { type { ofType { ofType { ofType { name } } } } } } } }'],
    ['of enums behind fields', '{ __schema { types { fields { type { ofType { enumValues { name } } } } } } }'],
    ['of names of fields', `{ __schema { types { fields { ${aliased(100, 'name')} } } } }`],
  ])('is never estimated as smaller than it is: %s', (_what, query) => {
    const document = parse(query);
    const { data } = executeSync({ schema: graph.schema, document });
    let values = 0;
    const text = JSON.stringify(data, (_key, value: unknown) => {
      values += 1;
      return value;
    });
    const { nodes, bytes } = measure(document);
    expect(nodes).toBeGreaterThanOrEqual(values - 1);
    expect(bytes).toBeGreaterThanOrEqual(text.length - 2);
  });

  it('of the whole schema takes less than half of the limit', () => {
    expect(measure(parse(everything)).nodes).toBeLessThan(limits.nodes / 2);
  });
});
