import { type AnyVariables, type Client, createRequest, type TypedDocumentNode } from '@urql/core';
import type { DocumentNode } from 'graphql';
import { followUp, type RetryOptions, type RetryResult } from './follow-up';

/**
 * Call this when a component mounts, beside its query. Waits for the first response, and sends the query again while one of its lookups
 * is still running, or once if the cache had a lookup that failed for a reason that passes. The components show each answer when it
 * arrives. Resolves to what happened, and never rejects.
 */
export function retryFailed<Variables extends AnyVariables>(
  client: Client,
  document: TypedDocumentNode<unknown, Variables> | DocumentNode,
  variables: Variables,
  options: RetryOptions = {},
): Promise<RetryResult> {
  const cacheOnly = { requestPolicy: 'cache-only' } as const;
  return followUp(
    {
      read: () => client.readQuery(document, variables, cacheOnly)?.data ?? null,
      watch: (listener) =>
        client.query(document, variables, cacheOnly).subscribe(({ data }) => listener(data)).unsubscribe,
      send: async () => {
        const { fetchOptions } = client.createRequestOperation('query', createRequest(document, variables)).context;
        const { maxAge } = options;
        const aged = maxAge === undefined ? {} : { fetchOptions: () => withMaxAge(fetchOptions, maxAge) };
        const sent = { requestPolicy: 'network-only', ...aged } as const;
        const { error } = await client.query(document, variables, sent).toPromise();
        if (error === undefined) return 'answered';
        return error.networkError === undefined ? 'rejected' : 'lost';
      },
    },
    options,
  );
}

/** Adds the age to the headers of the client. */
function withMaxAge(options: RequestInit | (() => RequestInit) | undefined, maxAge: string): RequestInit {
  const given = typeof options === 'function' ? options() : options;
  const headers = new Headers(given?.headers);
  headers.set('x-max-age', maxAge);
  return { ...given, headers };
}
