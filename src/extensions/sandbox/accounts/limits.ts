import type { Account } from './accounts';

interface RateLimitResult {
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

/** Units spent by each account. Units are reserved while a call runs, so that two calls cannot spend the same last unit. */
export class Balances {
  private readonly spentUnits = new Map<string, number>();
  private readonly reservedUnits = new Map<string, number>();

  spent(token: string): number {
    return this.spentUnits.get(token) ?? 0;
  }

  balance(account: Account): number {
    return account.units - this.spent(account.token);
  }

  /** Reserves units. Returns false if the balance is too low. */
  reserve(account: Account, units: number): boolean {
    const reserved = this.reservedUnits.get(account.token) ?? 0;
    if (units > 0 && this.balance(account) - reserved < units) return false;
    this.reservedUnits.set(account.token, reserved + units);
    return true;
  }

  /** Ends a reservation. The `charged` units are spent, and the rest is released. */
  settle(account: Account, units: number, charged: number): void {
    this.reservedUnits.set(account.token, (this.reservedUnits.get(account.token) ?? 0) - units);
    this.spentUnits.set(account.token, this.spent(account.token) + charged);
  }
}
