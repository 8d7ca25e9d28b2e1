import type { AnyEndpoint, WireInput } from './endpoint';

/** What makes two questions the same: all that travels, unless the endpoint says otherwise. */
export function cacheKey(
  endpoint: AnyEndpoint,
  question: unknown,
  input: WireInput = endpoint.toWire(question),
): string {
  return JSON.stringify(endpoint.cacheKey?.(question) ?? input);
}
