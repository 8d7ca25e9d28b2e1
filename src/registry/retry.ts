import { parseRetryAfter } from './retry-after';
import type { Exchange } from './transport';

const maxAttempts = 3;
const backoffMs = 50;

/** Only what costs nothing is tried again: a request that never left, and one that the rate limit turned away. */
export function waitBeforeRetry(exchange: Exchange, attempt: number): number | null {
  if (attempt >= maxAttempts) return null;
  if (exchange.kind === 'failed') {
    if (exchange.sent || exchange.reason !== 'UNREACHABLE') return null;
    return backoffMs * 2 ** (attempt - 1) * (1 + Math.random());
  }
  if (exchange.status !== 429) return null;
  const seconds = parseRetryAfter(exchange.headers);
  return seconds === null ? null : seconds * 1000;
}
