import type { AnyVariables, Client, TypedDocumentNode } from '@urql/core';
import type { DocumentNode } from 'graphql';
import { documentOfFailed } from './failed-lookups';
import { retryMemory } from './retry-memory';

/**
 * For the mount of a component, beside its query: asks once more what the cache holds as failed by something that passes,
 * and that alone. Mounted components show the answer when it comes. Answers whether anything was asked.
 */
export async function retryFailed<Variables extends AnyVariables>(
  client: Client,
  document: TypedDocumentNode<unknown, Variables> | DocumentNode,
  variables: Variables,
  now = Date.now(),
): Promise<boolean> {
  const { firstSeen, forget } = retryMemory(client, variables, now);
  const cached = client.readQuery(document, variables, { requestPolicy: 'cache-only' })?.data;
  const failed = documentOfFailed(document, cached, now, firstSeen);
  if (failed === null) return false;
  forget();
  await client.query(failed, variables, { requestPolicy: 'network-only' }).toPromise();
  return true;
}
