import type { Account } from './accounts';

/** What the rate limit says to one call. */
export interface Passage {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds to the next minute. */
  readonly retryAfter: number;
}

const GENEROUS_LIMIT = 1_000_000;
const MINUTE = 60_000;

/** Counts the calls of each account in the current minute of the clock. */
export class Throttle {
  private readonly counts = new Map<string, { readonly minute: number; readonly calls: number }>();

  take(account: Account, now: Date): Passage {
    const minute = Math.floor(now.getTime() / MINUTE);
    const known = this.counts.get(account.token);
    const calls = (known?.minute === minute ? known.calls : 0) + 1;
    this.counts.set(account.token, { minute, calls });
    const limit = account.callsPerMinute ?? GENEROUS_LIMIT;
    return {
      allowed: calls <= limit,
      limit,
      remaining: Math.max(0, limit - calls),
      retryAfter: Math.max(1, Math.ceil(((minute + 1) * MINUTE - now.getTime()) / 1000)),
    };
  }
}
