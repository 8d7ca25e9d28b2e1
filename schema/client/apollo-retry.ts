import type { ApolloClient, DocumentNode, OperationVariables } from '@apollo/client';
import { documentOfFailed } from './failed-lookups';
import { type FollowUpOptions, followUp } from './follow-up';
import { retryMemory } from './retry-memory';

/**
 * Call this when a component mounts, beside its query. Asks once more for the lookups that the cache has as failed for a reason that
 * passes, and resolves to whether there were any. Afterwards, and after the first response, lookups that are still running are asked
 * for until they have arrived. The components show each answer when it comes.
 */
export async function retryFailed(
  client: ApolloClient,
  query: DocumentNode,
  variables: OperationVariables,
  { now = Date.now(), ...limits }: FollowUpOptions & { readonly now?: number } = {},
): Promise<boolean> {
  // Failures that cannot be asked for now stay as they are until the next mount. The client's links have seen the error.
  const ask = (document: DocumentNode): Promise<boolean> =>
    client.query({ query: document, variables, fetchPolicy: 'network-only' }).then(
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
  followUp({ subscribe, ask }, query, limits);
  return failed !== null;
}
