import { createHash } from 'node:crypto';
import { parse } from 'graphql';
import { DocumentStore } from '../../../src/server/apollo/document-store';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const keyOf = (text: string): string => `schema:${hashOf(text)}`;
const query = 'query ($nss: NSS) { person(nss: $nss) { nss } }';

describe('the store of documents', () => {
  it('keeps a document whose values come as variables, and knows its hash', async () => {
    const { documents, persistedQueries } = new DocumentStore();
    const document = parse(query);
    await documents.set(keyOf(query), document);
    expect(await documents.get(keyOf(query))).toBe(document);
    expect(await persistedQueries.get(hashOf(query))).toBe(query);
  });

  it('forgets the hash of a text with its document', async () => {
    const store = new DocumentStore();
    await store.documents.set(keyOf(query), parse(query));
    expect(store.findHash(query)).toBe(hashOf(query));
    expect(await store.documents.delete(keyOf(query))).toBe(true);
    expect([await store.documents.get(keyOf(query)), store.findHash(query)]).toEqual([undefined, undefined]);
    for (let index = 0; index <= 1_001; index += 1) {
      const text = `{ ${'a'.repeat(1 + (index % 500))}${'b'.repeat(1 + Math.floor(index / 500))}: __typename }`;
      await store.documents.set(keyOf(text), parse(text));
    }
    expect(store.findHash('{ ab: __typename }')).toBeUndefined();
    expect(store.findHash('{ abbb: __typename }')).toBeDefined();
  });

  it('keeps no document that is very long', async () => {
    const store = new DocumentStore();
    const text = `{ __typename ${' '.repeat(50_000)}}`;
    await store.documents.set(keyOf(text), parse(text));
    expect([await store.documents.get(keyOf(text)), store.findHash(text)]).toEqual([undefined, undefined]);
  });

  it.each([
    '{ person(nss: "04159600263") { nss } }',
    '{ person(nss: 4159600263) { nss } }',
    '{ n04159600263: person { nss } }',
    '{ person { nss } } # Juan',
    'query ($r: [_Any!]! = [{nss: A}]) { _entities(representations: $r) { __typename } }',
  ])('forgets a document that holds a value: %s', async (text) => {
    const store = new DocumentStore();
    await store.documents.set(keyOf(text), parse(text));
    await store.persistedQueries.set(hashOf(text), text);
    expect(await store.documents.get(keyOf(text))).toBeUndefined();
    expect(await store.persistedQueries.get(hashOf(text))).toBeUndefined();
    expect(store.findHash(text)).toBeUndefined();
  });
});
