import {
  type AnyVariables,
  type Client,
  createRequest,
  type OperationContext,
  type TypedDocumentNode,
} from '@urql/core';
import type { DocumentNode } from 'graphql';
import { documentOfFailed } from './failed-lookups';
import { type FollowUpOptions, followUp } from './follow-up';
import { retryMemory } from './retry-memory';

/**
 * Call this when a component mounts, beside its query. Asks once more for the lookups that have failed in the cache for a reason that
 * passes, and resolves to whether there were any. Afterwards it asks for the lookups that are still running, also if the first response
 * has not arrived yet. The components show each answer when it arrives.
 */
export async function retryFailed<Variables extends AnyVariables>(
  client: Client,
  document: TypedDocumentNode<unknown, Variables> | DocumentNode,
  variables: Variables,
  { now = Date.now(), ...options }: FollowUpOptions & { readonly now?: number } = {},
): Promise<boolean> {
  const ask = async (part: DocumentNode, headers: Readonly<Record<string, string>> = {}): Promise<boolean> => {
    const request = createRequest(part, variables);
    const { context } = client.createRequestOperation('query', request, { requestPolicy: 'network-only' });
    const fetchOptions = addHeaders(context.fetchOptions, headers);
    const { error } = await client.executeQuery(request, { requestPolicy: 'network-only', fetchOptions });
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
  followUp({ subscribe, ask }, document, options);
  return failed !== null;
}

/** Returns the fetch options of a client with more headers. */
function addHeaders(
  options: OperationContext['fetchOptions'],
  added: Readonly<Record<string, string>>,
): () => RequestInit {
  return () => {
    const base = typeof options === 'function' ? options() : options;
    // A plain object, because exchanges add their headers to it.
    const headers: Record<string, string> = {};
    new Headers(base?.headers).forEach((value, name) => {
      headers[name] = value;
    });
    return { ...base, headers: { ...headers, ...added } };
  };
}
