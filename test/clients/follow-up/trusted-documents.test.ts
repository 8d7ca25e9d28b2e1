import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, type Exchange, fetchExchange, formatDocument, makeOperation, mapExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { type DocumentNode, parse, print } from 'graphql';
import { possibleTypes } from '../../../schema/client/possible-types';
import { keys, resolvers } from '../../../schema/client/urql-cache';
import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { holdResponses } from '../../support/proxies/held-responses';
import { apolloSettings, networkForTests } from '../clients';
import { type LookupsPage, pageInApollo, pageInUrql } from '../lookups-page';

const { nss } = findOrThrow(
  people,
  ({ credit, account, licences }) => credit !== null && credit !== '' && account !== null && licences.length === 1,
);
const variables = { nss };
const headers = { authorization: `Bearer ${SANDBOX_TOKEN}` };
const profileCalls = ['POST /api/infonavit/grupo/buscar-credito', 'POST /api/infonavit/grupo/obtener-cuenta'];

/** A document with the hash that GraphQL Code Generator adds, and with `__typename`, which caches need if only the hash is sent. */
const example = readFileSync(join(__dirname, '../../../schema/examples/person-profile.graphql'), 'utf8');
const text = print(formatDocument(parse(example)) as DocumentNode);
const hash = `sha256:${createHash('sha256').update(text).digest('hex')}`;
const hashed = { ...parse(text), __meta__: { hash } };
const folder = mkdtempSync(join(tmpdir(), 'padron-retry-'));
const TRUSTED_DOCUMENTS = join(folder, 'documents.json');
writeFileSync(TRUSTED_DOCUMENTS, JSON.stringify({ [hash]: text }));
afterAll(() => rmSync(folder, { recursive: true }));

const network = networkForTests();
let padron: ProxiedPadron;
let mounted: AbortController;
const start = async (settings: Readonly<Record<string, string>> = {}): Promise<void> => {
  mounted = new AbortController();
  padron = await runPadronBehindProxy({ REPLAY_SECONDS: '60', TRUSTED_DOCUMENTS, ...settings });
};
afterEach(async () => {
  mounted.abort();
  await padron.stop();
});

const hashOf = (document: object): string => Object(document).__meta__.hash;

function mountInApollo(query: DocumentNode, ...links: readonly ApolloLink[]): LookupsPage {
  const http = new HttpLink({ uri: padron.url, fetch: network.fetch, headers });
  const client = new ApolloClient({
    cache: new InMemoryCache(apolloSettings),
    link: ApolloLink.from([...links, http]),
  });
  return pageInApollo(client, query, variables);
}

function mountInUrql(query: DocumentNode, ...exchanges: readonly Exchange[]): LookupsPage {
  const cache = cacheExchange({ keys, resolvers, possibleTypes });
  const client = new Client({
    url: padron.url,
    fetch: network.fetch,
    fetchOptions: { headers },
    preferGetMethod: false,
    exchanges: [cache, ...exchanges, fetchExchange],
  });
  return pageInUrql(client, query, variables);
}

const sendHash = mapExchange({
  onOperation: (operation) => {
    const persistedQuery = { version: 1 as const, sha256Hash: hashOf(operation.query) };
    const extensions = { ...operation.extensions, persistedQuery };
    return { ...makeOperation(operation.kind, operation), extensions };
  },
});
const sendHashes = new PersistedQueryLink({ generateHash: hashOf });

describe.each<[string, () => LookupsPage]>([
  ['the texts of Apollo Client', () => mountInApollo(parse(example))],
  ['hashes in Apollo Client', () => mountInApollo(hashed, sendHashes)],
  ['the texts of urql', () => mountInUrql(parse(example))],
  ['hashes in urql', () => mountInUrql(hashed, sendHash)],
])('retryFailed of a trusted document, with %s', (_, mount) => {
  it('sends the same operation again for a lookup that failed, and pays for nothing else', async () => {
    await start();
    padron.proxy.standIn(({ path }) =>
      path.endsWith('obtener-cuenta') ? { status: 503, json: {}, bytes: Buffer.from('{}') } : null,
    );
    const component = mount();
    await component.ask();
    expect(component.shown().person.housingAccount.outcome).toBe('UNAVAILABLE');
    padron.proxy.standIn(null);
    padron.calls();
    expect(await component.retry(mounted)).toBe('complete');
    expect(component.shown().person).toMatchObject({
      credit: { outcome: 'FOUND' },
      housingAccount: { outcome: 'FOUND' },
    });
    expect(padron.calls()).toEqual(['POST /api/infonavit/grupo/obtener-cuenta']);
  });

  it('sends it again for lookups that are still running or wait for one, and pays for each once', async () => {
    await start({ ANSWER_WITHIN: '300ms' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const component = mount();
    await component.ask();
    const retried = component.retry(mounted);
    expect(padron.calls().toSorted()).toEqual(profileCalls);
    held.release();
    expect(await retried).toBe('complete');
    expect(outcomes(component.shown())).toEqual(Array(5).fill('FOUND'));
    expect(padron.calls()).toHaveLength(3);
    expect(new Set(network.bodies).size).toBe(1);
    expect(padron.log.join()).not.toContain('is not a trusted document');
  });
});

function outcomes({ person }: { readonly person: Readonly<Record<string, { readonly outcome?: string }>> }) {
  return Object.values(person).flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome]));
}
