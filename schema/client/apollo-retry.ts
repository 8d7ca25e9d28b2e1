import type { ApolloClient, DocumentNode, OperationVariables } from '@apollo/client';
import { documentOfFailed } from './failed-lookups';
import { type FollowUpOptions, followUp } from './follow-up';
import { retryMemory } from './retry-memory';

/**
 * Call this when a component mounts, beside its query. Asks once more for the lookups that have failed in the cache for a reason that
 * passes, and resolves to whether there were any. Afterwards it asks for the lookups that are still running, also if the first response
 * has not arrived yet. The components show each answer when it arrives.
 */
export async function retryFailed(
  client: ApolloClient,
  query: DocumentNode,
  variables: OperationVariables,
  { now = Date.now(), ...options }: FollowUpOptions & { readonly now?: number } = {},
): Promise<boolean> {
  // If the request fails, the lookups stay as they are until the next mount. The client's links have seen the error.
  const ask = (document: DocumentNode, headers: Readonly<Record<string, string>> = {}): Promise<boolean> =>
    client.query({ query: document, variables, fetchPolicy: 'network-only', context: { headers } }).then(
      () => true,
      () => false,
    );
  const { firstSeen, forget } = retryMemory(client, variables, now);
  const failed = documentOfFailed(query, client.readQuery({ query, variables }), now, firstSeen);
  if (failed !== null) {
    forget();
    await ask(failed);
  }
  const subscribe = (listener: (data: unknown) => void): (() => void) => {
    const watched = client.watchQuery({ query, variables, fetchPolicy: 'cache-only' });
    const subscription = watched.subscribe(({ data }) => listener(data));
    return () => subscription.unsubscribe();
  };
  followUp({ subscribe, ask }, query, options);
  return failed !== null;
}
