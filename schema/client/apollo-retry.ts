import { type ApolloClient, CombinedGraphQLErrors, type DocumentNode, type OperationVariables } from '@apollo/client';
import { followUp, type RetryOptions, type RetryResult } from './follow-up';

/**
 * Call this when a component mounts, beside its query. Waits for the first response, and sends the query again while one of its lookups
 * is still running, or once if the cache had a lookup that failed for a reason that passes. The components show each answer when it
 * arrives. Resolves to what happened, and never rejects.
 */
export function retryFailed(
  client: ApolloClient,
  query: DocumentNode,
  variables: OperationVariables,
  options: RetryOptions = {},
): Promise<RetryResult> {
  const { maxAge } = options;
  const aged = maxAge === undefined ? {} : { context: { headers: { 'x-max-age': maxAge } } };
  return followUp(
    {
      read: () => client.readQuery({ query, variables }),
      watch: (listener) =>
        client.cache.watch({
          query,
          variables,
          optimistic: false,
          immediate: true,
          callback: ({ complete, result }) => listener(complete ? result : null),
        }),
      // The client's links have seen the error.
      send: () =>
        client.query({ query, variables, fetchPolicy: 'network-only', ...aged }).then(
          () => 'answered',
          (error: unknown) => (CombinedGraphQLErrors.is(error) ? 'rejected' : 'lost'),
        ),
    },
    options,
  );
}
