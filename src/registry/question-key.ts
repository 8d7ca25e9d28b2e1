import type { AnyEndpoint } from './endpoint';

/** What makes two questions the same: all that travels, unless the endpoint says otherwise. */
export function keyOf(endpoint: AnyEndpoint, question: unknown): string {
  return JSON.stringify(endpoint.identity?.(question) ?? endpoint.wire(question));
}
