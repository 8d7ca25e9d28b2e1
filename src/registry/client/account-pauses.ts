import { LRUCache } from 'lru-cache';
import { parseRetryAfter } from '../transport/retry-after';
import { getHeader, type HttpResult } from '../transport/transport';

/** Maximum pause after one answer. The next call then finds out, free of charge, whether the account still has to wait. */
const maxPauseMs = 60_000;

/** Accounts that the service has asked to wait. It would reject their calls until then. */
export class AccountPauses {
  private readonly paused = new LRUCache<string, true>({ max: 1_000, ttl: maxPauseMs });

  /** Returns the milliseconds that calls of the account have to wait, or 0. */
  remainingMs(account: string): number {
    return Math.max(0, this.paused.getRemainingTTL(account));
  }

  pause(account: string, ms: number): void {
    if (ms > this.remainingMs(account)) this.paused.set(account, true, { ttl: Math.min(ms, maxPauseMs) });
  }
}

/** Returns the milliseconds that the account has to wait according to an answer, or 0. */
export function pauseOf(result: HttpResult): number {
  if (result.kind !== 'delivered' || result.status !== 429) return 0;
  // If calls remain or are not counted, the service did not reject the account.
  if (getHeader(result.headers, 'x-ratelimit-remaining')?.trim() !== '0') return 0;
  const seconds = parseRetryAfter(result.headers);
  return seconds === null ? 0 : Math.min(maxPauseMs, seconds * 1_000);
}
