import type { ApolloClient, OperationVariables, TypedDocumentNode } from '@apollo/client';
import type { Client } from '@urql/core';

/** Operations of both clients with a typed document. */
export interface TypedClient {
  query<Data, Variables extends OperationVariables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data>;
  mutate<Data, Variables extends OperationVariables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data>;
}

/** Returns data that must not be null. */
export function present<Data>(data: Data | null | undefined, error?: unknown): Data {
  if (data === null || data === undefined) throw error ?? new Error('The answer has no data.');
  return data;
}

export const throughApollo = (client: ApolloClient): TypedClient => ({
  query: async <Data, Variables extends OperationVariables>(
    query: TypedDocumentNode<Data, Variables>,
    variables: OperationVariables,
  ) => {
    const { data, error } = await client.query<Data>({ query, variables });
    return present(data, error);
  },
  mutate: async <Data, Variables extends OperationVariables>(
    mutation: TypedDocumentNode<Data, Variables>,
    variables: OperationVariables,
  ) => {
    const { data, error } = await client.mutate<Data>({ mutation, variables });
    return present(data, error);
  },
});

export const throughUrql = (client: Client): TypedClient => ({
  query: async (document, variables) => {
    const { data, error } = await client.query(document, variables).toPromise();
    return present(data, error);
  },
  mutate: async (document, variables) => {
    const { data, error } = await client.mutation(document, variables).toPromise();
    return present(data, error);
  },
});
