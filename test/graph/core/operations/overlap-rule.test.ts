import { type DocumentNode, OverlappingFieldsCanBeMergedRule, parse, validate } from 'graphql';
import { limitOverlaps } from '../../../../src/graph/core/operations/overlap-rule';
import { buildGraph } from '../../../../src/graph/schema/build-schema';
import { padronForTests } from '../../../support/padrons/padron-for-tests';

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
