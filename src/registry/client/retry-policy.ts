import { parseRetryAfter } from '../transport/retry-after';
import type { HttpResult } from '../transport/transport';

const maxAttempts = 3;
const backoffMs = 50;

/** Only what costs nothing is tried again: a request that never left, and one that the rate limit turned away. */
export function retryDelay(result: HttpResult, attempt: number): number | null {
  if (attempt >= maxAttempts) return null;
  if (result.kind === 'failed') {
    if (result.sent || result.reason !== 'UNREACHABLE') return null;
    return backoffMs * 2 ** (attempt - 1) * (1 + Math.random());
  }
  if (result.status !== 429) return null;
  const seconds = parseRetryAfter(result.headers);
  return seconds === null ? null : seconds * 1000;
}
