import type { Account } from './accounts';

/** The rate limiter's decision about one call. */
export interface RateLimitResult {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the next minute of the clock. */
  readonly retryAfter: number;
}

const DEFAULT_LIMIT = 1_000_000;
const MINUTE_MS = 60_000;

/** Counts the calls of each account in the current minute of the clock. */
export class RateLimiter {
  private readonly counts = new Map<string, { readonly minute: number; readonly calls: number }>();

  consume(account: Account, now: Date): RateLimitResult {
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    const existing = this.counts.get(account.token);
    const calls = (existing?.minute === minute ? existing.calls : 0) + 1;
    this.counts.set(account.token, { minute, calls });
    const limit = account.callsPerMinute ?? DEFAULT_LIMIT;
    return {
      allowed: calls <= limit,
      limit,
      remaining: Math.max(0, limit - calls),
      retryAfter: Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - now.getTime()) / 1000)),
    };
  }
}
