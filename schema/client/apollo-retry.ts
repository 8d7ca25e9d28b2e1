import type { ApolloClient, DocumentNode, OperationVariables } from '@apollo/client';
import { documentOfFailed } from './failed-lookups';
import { retryMemory } from './retry-memory';

/**
 * For the mount of a component, beside its query: asks once more what the cache holds as failed by something that passes,
 * and that alone. Mounted components show the answer when it comes. Answers whether anything was asked.
 */
export async function retryFailed(
  client: ApolloClient,
  query: DocumentNode,
  variables: OperationVariables,
  now = Date.now(),
): Promise<boolean> {
  const { firstSeen, forget } = retryMemory(client, variables, now);
  const failed = documentOfFailed(query, client.readQuery({ query, variables }), now, firstSeen);
  if (failed === null) return false;
  forget();
  // What cannot be asked now stays as it is, for the next mount; links have seen the error.
  await client.query({ query: failed, variables, fetchPolicy: 'network-only' }).catch(() => undefined);
  return true;
}
