import type { AnyVariables, Client, TypedDocumentNode } from '@urql/core';
import type { DocumentNode } from 'graphql';
import { documentOfFailed } from './failed-lookups';
import { type FollowUpOptions, followUp } from './follow-up';
import { retryMemory } from './retry-memory';

/**
 * Call this when a component mounts, beside its query. Asks once more for the lookups that the cache has as failed for a reason that
 * passes, and resolves to whether there were any. Afterwards, and after the first response, lookups that are still running are asked
 * for until they have arrived. The components show each answer when it comes.
 */
export async function retryFailed<Variables extends AnyVariables>(
  client: Client,
  document: TypedDocumentNode<unknown, Variables> | DocumentNode,
  variables: Variables,
  { now = Date.now(), ...limits }: FollowUpOptions & { readonly now?: number } = {},
): Promise<boolean> {
  const ask = async (pending: DocumentNode): Promise<boolean> => {
    const { error } = await client.query(pending, variables, { requestPolicy: 'network-only' }).toPromise();
    return error === undefined;
  };
  const { firstSeen, forget } = retryMemory(client, variables, now);
  const cached = client.readQuery(document, variables, { requestPolicy: 'cache-only' })?.data;
  const failed = documentOfFailed(document, cached, now, firstSeen);
  if (failed !== null) {
    forget();
    await ask(failed);
  }
  const subscribe = (listener: (data: unknown) => void): (() => void) => {
    const watched = client.query(document, variables, { requestPolicy: 'cache-only' });
    const subscription = watched.subscribe(({ data }) => listener(data));
    return () => subscription.unsubscribe();
  };
  followUp({ subscribe, ask }, document, limits);
  return failed !== null;
}
