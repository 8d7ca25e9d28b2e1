import { type DocumentNode, getIntrospectionQuery, OverlappingFieldsCanBeMergedRule, parse, validate } from 'graphql';
import { limitOverlaps } from '../../../../src/graph/core/operations/document-guards';
import { runPadron } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { buildGraph } from '../../../support/padrons/whole-padron';

describe('the size of an operation', () => {
  const aliased = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: registryEndpoints { units }`).join(' ')} }`;
  const entities = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { nss credit { outcome } } } }`;
  const people = (count: number) => Array.from({ length: count }, () => ({ __typename: 'Person', nss: '1' }));

  describe('the limits of an operation', () => {
    const padron = padronForTests({
      environment: { LIMIT_ALIASES: '5', LIMIT_ENTITIES: '4', LIMIT_DEPTH: '4', LIMIT_NODES: '300' },
    });

    it.each([
      ['as many aliases as are allowed', aliased(5), {}],
      ['as many entities as are allowed', entities, { of: people(4) }],
      ['as many levels as are allowed', '{ person(nss: "1") { credit { evidence { units } } } }', {}],
    ])('accept %s', async (_what, query, variables) => {
      const { status, errors } = await padron.ask(query, variables);
      expect([status, errors]).toEqual([200, undefined]);
    });

    it.each([
      ['one more alias', aliased(6), {}, 'The operation has 6 aliases. The limit is 5: split it.'],
      [
        'aliases in fragments',
        `${aliased(4).slice(0, -1)} ...F ...F } fragment F on Query { b: registryEndpoints { units } c: registryEndpoints { units } }`,
        {},
        'The operation has 6 aliases. The limit is 5: split it.',
      ],
      ['one more entity', entities, { of: people(5) }, 'The operation requests 5 entities. The limit is 4: split it.'],
      [
        'one more entity in the default of a variable',
        `query ($of: [_Any!]! = [${'{__typename: "Person"} '.repeat(5)}]) { _entities(representations: $of) { ... on Person { nss } } }`,
        {},
        'The operation requests 5 entities. The limit is 4: split it.',
      ],
      [
        'one more level',
        '{ employer(registration: "1") { receipts(period: "2026-01") { records { employer { registration } } } } }',
        {},
        'The operation is 5 levels deep. The limit is 4: split it.',
      ],
      [
        'more values',
        '{ employer(registration: "1") { snapshots { records { id name rfc activity riskClass workers totalImss totalRcv capturedAt createdAt updatedAt userId registration personKind riskPremium } } receipts(period: "2026-01") { records { folio paidOn amount amountText amountInWords period } } receiptsBetween(from: "2026-01", to: "2026-02") { records { folio } } } }',
        {},
        'The answer may have',
      ],
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
      const counts = [4, 5, 3, 5, 0];
      const alone: number[] = [];
      for (const count of counts) alone.push(await statusOf(entities, { of: people(count) }));
      expect(alone).toEqual([200, 400, 200, 400, 200]);
      const both = `query ($a: [_Any!]!, $b: [_Any!]!) {
      a: _entities(representations: $a) { __typename } b: _entities(representations: $b) { __typename } }`;
      const pairs = [
        [0, 0],
        [2, 2],
        [3, 2],
        [2, 3],
        [4, 0],
      ] as const;
      const together: number[] = [];
      for (const [a, b] of pairs) together.push(await statusOf(both, { a: people(a), b: people(b) }));
      expect(together).toEqual([200, 200, 400, 400, 200]);
    });
  });
});

describe('fields that overlap', () => {
  const repeated = (times: number, write: (index: number) => string): string =>
    Array.from({ length: times }, (_, index) => write(index)).join(' ');
  const spread = (count: number): string =>
    `{ ${repeated(count, (i) => `...f${i}`)} } ${repeated(count, (i) => `fragment f${i} on Query { __typename }`)}`;
  const { schema } = buildGraph();

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
    const errors = validate(schema, document, [overlapping, limitOverlaps]);
    return { messages: errors.map(({ message }) => message), compared };
  }

  describe('a document that selects the same fields too often', () => {
    const padron = padronForTests();

    const excessive: readonly (readonly [string, string])[] = [
      ['the same field five hundred times', `{ ${repeated(500, () => 'person(nss: "1") { nss }')} }`],
      ['under one name', `{ ${repeated(300, () => 'a: person(nss: "1") { nss }')} }`],
      ['in inline fragments', `{ ${repeated(300, () => '... { ... on Query { person(nss: "1") { nss } } }')} }`],
      ['further down', `{ person(nss: "1") { ${repeated(300, () => 'credit { outcome }')} } }`],
      ['leaves', `{ person(nss: "1") { ${repeated(900, () => 'nss')} } }`],
      ['fragments', spread(500)],
      [
        'in a fragment that is spread',
        `{ ...F } fragment F on Query { ${repeated(300, () => 'person(nss: "1") { nss }')} }`,
      ],
    ];

    it.each(excessive)('is rejected before its fields are compared: %s', async (_what, query) => {
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
      [
        'the same fragment five thousand times',
        `{ ${repeated(5_000, () => '...F')} } fragment F on Query { __typename }`,
      ],
      ['four hundred fragments', spread(400)],
      ['a thousand names', `{ ${repeated(1_000, (i) => `a${i}: __typename`)} }`],
    ])('is accepted with %s', async (_what, query) => {
      const { status, errors } = await padron.ask(query);
      expect([status, errors]).toEqual([200, undefined]);
    });
  });
});

describe('the size of an answer', () => {
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
        'pages of the ledger',
        `{ ${aliased(20, 'registryLedger(first: 1000) { entries { id at client tag outcome } }')} }`,
        'nodes',
      ],
      ['sums of it', `{ ${aliased(60, 'registrySpend { units }')} }`, 'nodes'],
      ['aliases of the SDL', `{ ${aliased(1_000, '_service { sdl }')} }`, 'bytes'],
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
});
