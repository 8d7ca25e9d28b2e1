import type { ApolloClient } from '@apollo/client';
import type { Client } from '@urql/core';
import type { DocumentNode } from 'graphql';
import { retryFailed as retryInApollo } from '../../schema/client/apollo-retry';
import type { RetryOptions, RetryResult } from '../../schema/client/follow-up';
import { retryFailed as retryInUrql } from '../../schema/client/urql-retry';
import { apolloClient, type Sent, urqlClient, type WatchedNetwork } from './clients';

/** A component: its query, what it shows, and the `retryFailed` of its mount. */
export interface LookupsPage {
  ask(): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: the border to JSON; every test asserts what it reads.
  shown(): any;
  retry(options?: RetryOptions): Promise<RetryResult>;
}

type Variables = Readonly<Record<string, string>>;

const pageInApollo = (client: ApolloClient, query: DocumentNode, variables: Variables): LookupsPage => ({
  ask: () => client.query({ query, variables }),
  shown: () => client.readQuery({ query, variables }),
  retry: (options) => retryInApollo(client, query, variables, options),
});

const pageInUrql = (client: Client, query: DocumentNode, variables: Variables): LookupsPage => ({
  ask: () => client.query(query, variables).toPromise(),
  shown: () => client.readQuery(query, variables)?.data,
  retry: (options) => retryInUrql(client, query, variables, options),
});

type OpenPage = (
  url: string,
  network: WatchedNetwork,
  query: DocumentNode,
  variables: Variables,
  sent?: Sent,
) => LookupsPage;

/** Both clients, for `describe.each`. */
export const pageClients: readonly (readonly [name: string, open: OpenPage])[] = [
  [
    'Apollo Client',
    (url, network, query, variables, sent) => pageInApollo(apolloClient(url, network, sent), query, variables),
  ],
  ['urql', (url, network, query, variables, sent) => pageInUrql(urqlClient(url, network, sent), query, variables)],
];
