import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, type InMemoryCacheConfig } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange, formatDocument, makeOperation, mapExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { type DocumentNode, parse, print } from 'graphql';
import { buyOnce, typePolicies } from '../../schema/client/apollo-cache';
import { possibleTypes } from '../../schema/client/possible-types';
import { keys, resolvers } from '../../schema/client/urql-cache';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';

/** A network that records every request. */
export interface WatchedNetwork {
  readonly fetch: typeof fetch;
  /** Names of the operations in the order of their requests. */
  readonly sent: readonly string[];
  readonly bodies: readonly string[];
  /** The `x-max-age` of each request, or null. */
  readonly ages: readonly (string | null)[];
  readonly multipart: readonly boolean[];
  /** Waits until no request is running for a while, or `max` requests were sent. */
  quiet(max?: number): Promise<void>;
}

const CALM_TURNS = 6;

export function watchNetwork(): WatchedNetwork {
  const sent: string[] = [];
  const bodies: string[] = [];
  const ages: (string | null)[] = [];
  const multipart: boolean[] = [];
  let underWay = 0;
  return {
    sent,
    bodies,
    ages,
    multipart,
    fetch: async (input, init) => {
      sent.push(operationName(init?.body));
      bodies.push(String(init?.body));
      ages.push(new Headers(init?.headers).get('x-max-age'));
      multipart.push(init?.body instanceof FormData);
      underWay += 1;
      try {
        return await fetch(input, init);
      } finally {
        underWay -= 1;
      }
    },
    quiet: async (max = Number.POSITIVE_INFINITY) => {
      for (let calm = 0, before = -1; calm < CALM_TURNS && sent.length < max; before = sent.length) {
        await pause(10);
        calm = underWay === 0 && sent.length === before ? calm + 1 : 0;
      }
    },
  };
}

/** Returns a network that each test starts without requests. */
export function networkForTests(): WatchedNetwork {
  const network = {} as WatchedNetwork;
  beforeEach(() => void Object.assign(network, watchNetwork()));
  return network;
}

function operationName(body: unknown): string {
  const operation = body instanceof FormData ? body.get('operations') : body;
  return String(Object(JSON.parse(String(operation))).operationName);
}

/** Settings of `schema/client` for Apollo Client. */
export const apolloSettings: InMemoryCacheConfig = { typePolicies, possibleTypes };

/** Headers of a client beside its operations, and whether it sends hashes of documents instead of their texts. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly hashes?: boolean;
}

interface ApolloOptions extends Sent {
  readonly watchQuery?: Partial<typeof buyOnce>;
}

const usualHeaders = { authorization: `Bearer ${SANDBOX_TOKEN}`, 'apollo-require-preflight': 'true' };

const hashOf = (document: object): string => Object(document).__meta__.hash;

const sendHash = mapExchange({
  onOperation: (operation) => {
    const persistedQuery = { version: 1 as const, sha256Hash: hashOf(operation.query) };
    const extensions = { ...operation.extensions, persistedQuery };
    return { ...makeOperation(operation.kind, operation), extensions };
  },
});

export function apolloClient(
  url: string,
  network: WatchedNetwork,
  { watchQuery = buyOnce, headers = {}, hashes = false }: ApolloOptions = {},
): ApolloClient {
  const http = new HttpLink({
    uri: url,
    fetch: (...request) => network.fetch(...request),
    headers: { ...usualHeaders, ...headers },
  });
  return new ApolloClient({
    cache: new InMemoryCache(apolloSettings),
    link: hashes ? ApolloLink.from([new PersistedQueryLink({ generateHash: hashOf }), http]) : http,
    defaultOptions: { watchQuery },
  });
}

export function urqlClient(url: string, network: WatchedNetwork, { headers = {}, hashes = false }: Sent = {}): Client {
  return new Client({
    url,
    fetch: (...request) => network.fetch(...request),
    fetchOptions: { headers: { ...usualHeaders, ...headers } },
    preferGetMethod: false,
    exchanges: [cacheExchange({ keys, resolvers, possibleTypes }), ...(hashes ? [sendHash] : []), fetchExchange],
  });
}

/** A document as GraphQL Code Generator publishes it. */
export interface PublishedDocument {
  readonly text: string;
  readonly hash: string;
  /** The document with its hash, for clients that send hashes. */
  readonly document: DocumentNode;
}

/** Publishes an operation with `__typename`, which caches need if only the hash is sent. */
export function publish(operation: string): PublishedDocument {
  const text = print(formatDocument(parse(operation)) as DocumentNode);
  const hash = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  return { text, hash, document: Object.assign(parse(text), { __meta__: { hash } }) };
}
