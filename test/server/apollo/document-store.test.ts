import { parse } from 'graphql';
import { createDocumentStore } from '../../../src/server/apollo/document-store';

describe('the store of documents', () => {
  it('keeps a document whose values come as variables', async () => {
    const store = createDocumentStore();
    const document = parse('query ($nss: NSS) { person(nss: $nss) { nss } }');
    await store.set('key', document);
    expect(await store.get('key')).toBe(document);
    expect(await store.delete('key')).toBe(true);
    expect(await store.get('key')).toBeUndefined();
  });

  it.each(['{ person(nss: "04159600263") { nss } }', '{ person(nss: 4159600263) { nss } }'])(
    'forgets a document that holds a value: %s',
    async (source) => {
      const store = createDocumentStore();
      await store.set('key', parse(source));
      expect(await store.get('key')).toBeUndefined();
    },
  );
});
