import { parseRetryAfter } from '../transport/retry-after';
import type { HttpResult } from '../transport/transport';
import { getHeader } from '../transport/transport';

/** Longer than this nobody is kept waiting on the word of one answer: after it one call finds out again, for nothing. */
const maxPauseMs = 60_000;
const maxAccounts = 1_000;

/** Accounts that the service has asked to wait: another call before then would only be turned away. */
export class AccountPauses {
  private readonly until = new Map<string, number>();

  /** Milliseconds for which the account must not be asked; 0 where it may. */
  remainingMs(account: string): number {
    const until = this.until.get(account);
    if (until === undefined) return 0;
    const remaining = until - performance.now();
    if (remaining > 0) return remaining;
    this.until.delete(account);
    return 0;
  }

  pause(account: string, ms: number): void {
    const [oldest] = this.until.keys();
    if (oldest !== undefined && this.until.size >= maxAccounts) this.until.delete(oldest);
    const until = performance.now() + Math.min(ms, maxPauseMs);
    this.until.set(account, Math.max(until, this.until.get(account) ?? 0));
  }
}

/** For how long an answer asks the whole account to wait; 0 where it speaks of its own question, or of nothing. */
export function pauseOf(result: HttpResult): number {
  if (result.kind !== 'delivered' || result.status !== 429) return 0;
  // Where calls are left, or nobody counts them, it was not the account that was turned away.
  if (getHeader(result.headers, 'x-ratelimit-remaining')?.trim() !== '0') return 0;
  const seconds = parseRetryAfter(result.headers);
  return seconds === null ? 0 : Math.min(maxPauseMs, seconds * 1_000);
}
