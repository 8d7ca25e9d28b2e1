import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDocument } from '@urql/core';
import { type ASTNode, type DocumentNode, Kind, parse, print } from 'graphql';
import { pruneDocument } from '../../schema/client/failed-lookups';
import { TrustedDocuments } from '../../src/documents/trusted-documents';
import { changes, published, withUsed } from '../support/documents/document-changes';

const trusts = (text: string, ...others: readonly string[]): boolean =>
  new TrustedDocuments([published, ...others].map((document) => ({ source: 'test', id: null, text: document }))).has(
    text,
  );

describe('a part of a published query is trusted', () => {
  it.each([
    ['one lookup', 'other: credit { ...Proof record { situation } }'],
    ['one field of it', 'other: credit { ...Proof }'],
    ['a lookup of a fragment', '... on Person @include(if: $all) { housingAccount { ...Proof } }'],
    [
      'the fragments of a fragment',
      '... on Person @include(if: $all) { credit { ... on RegistryLookup { outcome } } }',
    ],
    ['two parts of a fragment', '...Registries @include(if: $all) ... on Person @include(if: $all) { curp }'],
    ['a selection twice, which GraphQL merges', 'nss nss'],
    [
      'arguments in another order',
      '... on Person @skip(if: $all) { licences(limit: 5, match: $match) @include(if: $all) { ...Proof } }',
    ],
    ['__typename', '__typename nss'],
  ])('%s', (_, selections) => {
    const person = `person(nss: $nss, name: { names: "ANA", paternalSurname: "LÓPEZ" }) { ${selections} }`;
    expect(trusts(withUsed(`query Profile($nss: NSS!) @cost(units: 9) { ${person} }`))).toBe(true);
  });

  it('without each of its selections', () => {
    const smaller = changes(parse(published), ({ kind }) =>
      kind === Kind.FIELD || kind === Kind.INLINE_FRAGMENT ? [null] : [],
    );
    expect(smaller.length).toBeGreaterThan(15);
    expect(smaller.filter((text) => !trusts(text))).toEqual([]);
  });

  const examples = join(__dirname, '../../schema/examples');
  const queries = readdirSync(examples)
    .filter((file) => file.endsWith('.graphql'))
    .map((file) => readFileSync(join(examples, file), 'utf8'))
    .filter((text) => text.includes('outcome') && text.includes('query '));
  it('for each lookup of the examples, as the client kit asks for it', () => {
    let parts = 0;
    for (const text of queries) {
      const [whole, count] = [parse(text), text.match(/\.\.\.Proof|^ +outcome/gm)?.length ?? 0];
      for (let wanted = 0; wanted < count; wanted += 1) {
        let index = 0;
        const part = pruneDocument(whole, dataOf(whole), { isWanted: () => index++ === wanted });
        if (part === null) continue;
        parts += 1;
        const sent = [print(part), print(formatDocument(part) as DocumentNode)];
        expect(sent.map((document) => trusts(document, text))).toEqual([true, true]);
        expect(trusts(print(part))).toBe(false);
      }
    }
    expect(parts).toBeGreaterThan(10);
  });
});

describe('a query that is not a part', () => {
  it.each([
    [
      'a selection of another object',
      'query Profile($nss: NSS!) @cost(units: 9) { relative: person(nss: "04159600263") { other: credit { outcome } } }',
    ],
    [
      'the content of a conditional fragment without its condition',
      'query Profile @cost(units: 9) { person(nss: $nss, name: { names: "ANA", paternalSurname: "LÓPEZ" }) { ... on Person { curp } } }',
    ],
    [
      'fragments that contain themselves',
      'query Profile @cost(units: 9) { relative: person(nss: "04159600263") { ...A } } fragment A on Person { nss ...A }',
    ],
    [
      'fragments that contain each other',
      `query Profile @cost(units: 9) { relative: person(nss: "04159600263") { ...A } } fragment A on Person { ...B } fragment B on Person { ...A }`,
    ],
    ['a part that is cut', 'query Profile @cost(units: 9) { relative: person(nss: "04159600263") { nss }'],
  ])('%s', (_, text) => {
    expect(trusts(text)).toBe(false);
  });

  it('fragments that repeat each other are counted to their end in no time', () => {
    const nested = `query A { ...F0 } ${Array.from({ length: 12 }, (_, level) => `fragment F${level} on Query { ${level === 11 ? 'a b c d e f g h' : `...F${level + 1} ...F${level + 1}`} }`).join(' ')}`;
    const own = `query A { ${'... on Query { '.repeat(12)} a b c d e f g h ${' }'.repeat(12)} }`;
    const started = performance.now();
    expect([trusts(nested, own), trusts(own, own)]).toEqual([false, true]);
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('a part of a query without a name, or of a mutation', () => {
    const [query, mutation] = ['query { a { b c } }', 'mutation M { a { b c } }'];
    expect([trusts('{ a { b } }', query), trusts('query { a { b } }', query)]).toEqual([false, false]);
    expect(trusts('mutation M { a { b } }', mutation)).toBe(false);
  });
});

/** Returns data in the shape of a query: each lookup is still running. */
function dataOf(document: DocumentNode): unknown {
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  const read = (selections: readonly ASTNode[]): Readonly<Record<string, unknown>> =>
    Object.assign(
      {},
      ...selections.map((node) => {
        if (node.kind === Kind.FRAGMENT_SPREAD)
          return read(fragments.get(node.name.value)?.selectionSet.selections ?? []);
        if (node.kind === Kind.INLINE_FRAGMENT) return read(node.selectionSet.selections);
        if (node.kind !== Kind.FIELD) return {};
        const { value } = node.alias ?? node.name;
        if (value === 'problems') return { problems: [] };
        return { [value]: node.selectionSet ? read(node.selectionSet.selections) : 'value' };
      }),
    );
  const [operation] = document.definitions;
  return operation?.kind === Kind.OPERATION_DEFINITION ? read(operation.selectionSet.selections) : null;
}
