import { createHash } from 'node:crypto';
import { parse, print } from 'graphql';
import { explainRejection } from '../../../../src/graph/core/operations/document-guards';
import { findSelectedField, introspectionFields, schemaFields } from '../../../../src/graph/core/operations/selections';
import { findOperationName, TrustedDocuments } from '../../../../src/graph/core/operations/trusted-documents';
import { processorTime } from '../../../support/processor-time';

const published = `query Credit($nss: NSS!, $all: Boolean!) {
  person(nss: $nss, name: { names: "ANA", paternalSurname: "LÓPEZ" }) {
    ...Parts
    licences @include(if: $all) { outcome records { number title } }
  }
}
fragment Parts on Person { nss credit { outcome ... on RegistryLookup { problems { code } } } }`;

function trusts(text: string, ...texts: readonly string[]): boolean {
  const documents = [published, ...texts].map((document) => ({ source: 'test', id: null, text: document }));
  return new TrustedDocuments(documents).has(text);
}

describe('a text is a trusted document', () => {
  it.each([
    ['as it was published', published],
    ['printed by a client', print(parse(published))],
    ['on one line, with commas and a comment', `# sent by a page\n${published.replace(/\s+/g, ' , ')}`],
    ['with __typename in each selection of a field', published.replace(/\{ (outcome|code)/g, '{ __typename $1')],
    ['with fragments first', [...published.split('\n').slice(-1), ...published.split('\n').slice(0, -1)].join('\n')],
    ['with selections in another order', published.replace('number title', 'title number')],
    ['with a variable defined first', published.replace('$nss: NSS!, $all: Boolean!', '$all: Boolean!, $nss: NSS!')],
    ['with another escape of the same letter', published.replace('LÓPEZ', 'L\\u00d3PEZ')],
    [
      'with descriptions',
      `"What finance asks" ${published.replace('$all', '"All of it" $all').replace('fragment', '"""Both.""" fragment')}`,
    ],
    ['with a block string', published.replace('"ANA"', '"""ANA"""')],
  ])('%s', (_, text) => {
    expect(trusts(text)).toBe(true);
  });

  it('whether an anonymous query has its keyword or not', () => {
    expect(trusts('query { person(nss: "1") { nss } }', '{ person(nss: "1") { nss } }')).toBe(true);
  });

  it('whether the published text has __typename or not', () => {
    expect(trusts('{ person { nss } }', '{ __typename person { __typename nss } }')).toBe(true);
  });
});

describe('a text is not a trusted document', () => {
  it.each([
    ['with another field', published.replace('number title', 'number title year')],
    [
      'with a condition moved to another field',
      published.replace(' @include(if: $all)', '').replace('credit {', 'credit @include(if: $all) {'),
    ],
    [
      'with the values of two arguments swapped',
      published.replace('"ANA"', '"LÓPEZ"').replace('paternalSurname: "LÓPEZ"', 'paternalSurname: "ANA"'),
    ],
    ['with a field moved to another object', published.replace('outcome records {', 'records { outcome')],
    ['with an alias of __typename', published.replace('{ outcome', '{ outcome kind: __typename')],
    ['with __typename many times', published.replace('number title', `number title ${'__typename '.repeat(30)}`)],
    ['with a value that has another space', published.replace('"ANA"', '"ANA "')],
    ['that is a part of it', published.replace('licences @include(if: $all) { outcome records { number title } }', '')],
    ['with another name', published.replace('Credit', 'Other')],
    ['with another default of a variable', published.replace('$all: Boolean!', '$all: Boolean! = true')],
    ['with another operation', `${published} query Other { person { nss } }`],
    ['that is cut', published.slice(0, -1)],
    ['that is empty', ' # nothing'],
    ['that has no tokens of GraphQL', 'SELECT * FROM person; \u0001'],
  ])('%s', (_, text) => {
    expect(trusts(text)).toBe(false);
  });

  it('if the selections of a mutation run in another order', () => {
    const [pause, cancel] = [
      'pauseRegistryBatch(id: "1") { batch { id } }',
      'cancelRegistryBatch(id: "1") { batch { id } }',
    ];
    const [mutation, swapped] = [`mutation { ${pause} ${cancel} }`, `mutation { ${cancel} ${pause} }`];
    expect([trusts(mutation, mutation), trusts(swapped, mutation)]).toEqual([true, false]);
  });

  it.each([
    ['long', 'a '.repeat(2_000_000)],
    ['deep', 'a { '.repeat(2_000_000)],
  ])('and is not parsed if it is %s', (_, selections) => {
    const text = `query Credit { ${selections}`;
    expect(trusts(text)).toBe(false);
    // It takes a hundredth of the time.
    const parsing = processorTime(() => parse(`{ ${'a '.repeat(200_000)} }`));
    expect(processorTime(() => trusts(text))).toBeLessThan(parsing);
  });
});

it.each([
  ['query Credit { a }', 'Credit'],
  ['"""What finance asks""" mutation Start { a }', 'Start'],
  ['"A text" { a }', null],
])('an operation has its name with or without a description: %s', (text, name) => {
  expect(findOperationName(text)).toBe(name);
});

describe('an ID of a trusted document', () => {
  const hash = '61aabcda4d03a665f4e9d226b615fe6727e934f51c13fab69ce1043471293f79';
  const documents = new TrustedDocuments([{ source: 'test', id: `sha256:${hash}`, text: published }]);

  it('is its key, with or without the prefix of GraphQL over HTTP', () => {
    expect([documents.find(`sha256:${hash}`), documents.find(hash)]).toEqual([published, published]);
  });

  it('is the SHA-256 of its text too, which Apollo Client sends', () => {
    const sha256 = createHash('sha256').update(published).digest('hex');
    expect(documents.find(sha256)).toBe(published);
  });

  it.each(['', 'sha256:', '__proto__', 'constructor', hash.slice(1)])('is no other text: %j', (id) => {
    expect(documents.find(id)).toBeUndefined();
  });
});

describe('a document', () => {
  const maxTokens = 15_000;
  const nested = (levels: number): string => `${'{a'.repeat(levels)}${'}'.repeat(levels)}`;

  it.each<[string, string]>([
    ['of 200 levels', nested(200)],
    ['of many brackets that are closed again', '{ a(b: [1]) }'.repeat(1_000)],
    ['of brackets in a text', `{ a(b: "${'{['.repeat(300)}") }`],
    ['of brackets in a text with quotes', `{ a(b: "\\"${'{['.repeat(300)}\\\\") }`],
    ['of brackets in a block text', `{ a(b: """ " \\""" ${'{['.repeat(300)} """) }`],
    ['of brackets in comments', `${'# {[(\n'.repeat(300)}{ a }`],
    ['that never ends its text', `{ a(b: "${'\\"'.repeat(400_000)}`],
    ['that never ends its block text', `{ a(b: """${'\\"""'.repeat(200_000)}`],
    ['whose text is ended by its line, so that nothing behind it is read', `"\n${'['.repeat(201)}`],
    ['that nests behind more tokens than are read', `${'a '.repeat(maxTokens + 1)}${'['.repeat(201)}`],
    ['that is empty', ''],
  ])('%s is accepted', (_what, source) => {
    expect(explainRejection(source, maxTokens)).toBeNull();
  });

  it.each<[string, string]>([
    ['of 201 levels', nested(201)],
    ['of lists and objects in turns', `{ a(b: ${'[{c:'.repeat(101)}`],
    ['of brackets behind a text', `{ a(b: "\\\\", c: """x""" ${'['.repeat(200)}`],
    ['of brackets behind a comment', `# "\n${'['.repeat(201)}`],
  ])('%s is rejected as nested too deeply', (_what, source) => {
    expect(explainRejection(source, maxTokens)).toEqual({
      english: 'The document is nested too deeply. Use at most 200 levels.',
      spanish: 'El documento tiene demasiados niveles. Use 200 como máximo.',
    });
  });
});

it.each([
  ['{ person(nss: "1") { nss } }', null, null],
  ['{ __schema { types { name } } }', '__schema', '__schema'],
  ['query { ...Sdl } fragment Sdl on Query { _service { sdl } }', null, '_service'],
  ['{ _service { sdl } t: __type(name: "Person") { name } }', '__type', '_service'],
])('finds the fields of %s that return the schema, each time it is asked', (text, introspection, any) => {
  const document = parse(text);
  for (let round = 0; round < 2; round += 1) {
    expect(findSelectedField(document, introspectionFields)).toBe(introspection);
    expect(findSelectedField(document, schemaFields)).toBe(any);
  }
});
