import { createHash } from 'node:crypto';
import { parse } from 'graphql';
import { DocumentStore } from '../../../src/server/apollo/document-store';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const keyOf = (text: string): string => `schema:${hashOf(text)}`;
const query = 'query ($nss: NSS) { person(nss: $nss) { nss } }';

describe('the document store', () => {
  it('caches a document whose values are variables, and finds it by its hash', async () => {
    const { documents, persistedQueries } = new DocumentStore();
    const document = parse(query);
    await documents.set(keyOf(query), document);
    expect(await documents.get(keyOf(query))).toBe(document);
    expect(await persistedQueries.get(hashOf(query))).toBe(query);
  });

  it('removes the least recently used documents first', async () => {
    const store = new DocumentStore();
    await store.documents.set(keyOf(query), parse(query));
    expect(await store.documents.delete(keyOf(query))).toBe(true);
    expect(await store.documents.get(keyOf(query))).toBeUndefined();
    for (let index = 0; index <= 1_001; index += 1) {
      const text = `{ ${'a'.repeat(1 + (index % 500))}${'b'.repeat(1 + Math.floor(index / 500))}: __typename }`;
      await store.documents.set(keyOf(text), parse(text));
    }
    expect(await store.documents.get(keyOf('{ ab: __typename }'))).toBeUndefined();
    expect(await store.documents.get(keyOf('{ abbb: __typename }'))).toBeDefined();
  });

  it('caches few documents with many tokens, however short the tokens are', async () => {
    const store = new DocumentStore();
    const make = (index: number): string =>
      `{ a${index}: __typename ${'...F '.repeat(6_000)}} fragment F on Query { b: __typename }`;
    for (let index = 0; index < 30; index += 1) await store.documents.set(keyOf(make(index)), parse(make(index)));
    const documents = await Promise.all(
      Array.from({ length: 30 }, (_, index) => store.documents.get(keyOf(make(index)))),
    );
    const kept = documents.map((document) => document !== undefined);
    expect([kept.at(-1), kept.filter(Boolean).length]).toEqual([true, 7]);
    expect(store.size).toBeLessThanOrEqual(32_000_000);
  });

  it('limits registered texts by the bytes of their characters', async () => {
    const { persistedQueries } = new DocumentStore();
    const make = (index: number): string => `{ a${index.toString(36)}: __typename ${' '.repeat(40_000)}}`;
    for (let index = 0; index < 60; index += 1) await persistedQueries.set(hashOf(make(index)), make(index));
    const kept = await Promise.all(Array.from({ length: 60 }, (_, index) => persistedQueries.get(hashOf(make(index)))));
    expect([kept.at(-1), kept.filter(Boolean).length]).toEqual([make(59), 24]);
  });

  it('does not cache a very long document', async () => {
    const store = new DocumentStore();
    const text = `{ __typename ${' '.repeat(50_000)}}`;
    await store.documents.set(keyOf(text), parse(text));
    expect(await store.documents.get(keyOf(text))).toBeUndefined();
  });

  it.each([
    '{ person(nss: "04159600263") { nss } }',
    '{ person(nss: 4159600263) { nss } }',
    '{ n04159600263: person { nss } }',
    '{ person { nss } } # Juan',
    'query ($r: [_Any!]! = [{nss: A}]) { _entities(representations: $r) { __typename } }',
  ])('does not cache a document with a value: %s', async (text) => {
    const store = new DocumentStore();
    await store.documents.set(keyOf(text), parse(text));
    await store.persistedQueries.set(hashOf(text), text);
    expect(await store.documents.get(keyOf(text))).toBeUndefined();
    expect(await store.persistedQueries.get(hashOf(text))).toBeUndefined();
  });
});
