import { setTimeout as pause } from 'node:timers/promises';
import { ApolloClient, HttpLink, InMemoryCache, type InMemoryCacheConfig } from '@apollo/client';
import { Client, type Exchange, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { buyOnce, typePolicies } from '../../schema/client/apollo-cache';
import { possibleTypes } from '../../schema/client/possible-types';
import { keys, resolvers } from '../../schema/client/urql-cache';
import { SANDBOX_TOKEN } from '../../src/sandbox/accounts/accounts';

/** A network that records every request. */
export interface WatchedNetwork {
  readonly fetch: typeof fetch;
  /** Names of the operations in the order of their requests. */
  readonly sent: readonly string[];
  readonly bodies: readonly string[];
  readonly multipart: readonly boolean[];
  /** Waits until no request is running for a while, or `max` requests were sent. */
  quiet(max?: number): Promise<void>;
}

const CALM_TURNS = 6;

export function watchNetwork(): WatchedNetwork {
  const sent: string[] = [];
  const bodies: string[] = [];
  const multipart: boolean[] = [];
  let underWay = 0;
  return {
    sent,
    bodies,
    multipart,
    fetch: async (input, init) => {
      sent.push(operationName(init?.body));
      bodies.push(String(init?.body));
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

const headers = { authorization: `Bearer ${SANDBOX_TOKEN}`, 'apollo-require-preflight': 'true' };

/** Settings of `schema/client` for Apollo Client. */
export const apolloSettings: InMemoryCacheConfig = { typePolicies, possibleTypes };

export function apolloClient(
  url: string,
  network: WatchedNetwork,
  settings: InMemoryCacheConfig = apolloSettings,
  watchQuery: Partial<typeof buyOnce> = buyOnce,
): ApolloClient {
  return new ApolloClient({
    cache: new InMemoryCache(settings),
    link: new HttpLink({ uri: url, fetch: (...request) => network.fetch(...request), headers }),
    defaultOptions: { watchQuery },
  });
}

export function urqlClient(
  url: string,
  network: WatchedNetwork,
  cache: Exchange = cacheExchange({ keys, resolvers, possibleTypes }),
): Client {
  return new Client({
    url,
    fetch: (...request) => network.fetch(...request),
    fetchOptions: { headers },
    preferGetMethod: false,
    exchanges: [cache, fetchExchange],
  });
}
