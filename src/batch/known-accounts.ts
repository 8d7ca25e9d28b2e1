import { LRUCache } from 'lru-cache';
import { UnauthenticatedError } from '../registry/answer/answer';
import type { Problem } from '../registry/answer/problem';
import type { Caller } from '../registry/caller';

export type CheckAccount = (caller: Caller) => Promise<Problem | null>;

const maxAccounts = 10_000;
const acceptedMs = 3_600_000;
const rejectedMs = 30_000;

/** Accounts that the service accepted or rejected recently. They have separate caches, so that invented tokens cannot evict accepted accounts. */
export class KnownAccounts {
  private readonly accepted = new LRUCache<string, true>({ max: maxAccounts, ttl: acceptedMs });
  private readonly rejected = new LRUCache<string, UnauthenticatedError>({ max: maxAccounts, ttl: rejectedMs });
  private readonly running = new Map<string, Promise<Problem | null>>();

  constructor(private readonly check: CheckAccount) {}

  /**
   * Returns null if the service accepts the caller's token, or a problem if padron cannot find out now. Throws if the
   * service rejects the token.
   */
  async verify(caller: Caller): Promise<Problem | null> {
    const { account, usesServerToken } = caller;
    if (usesServerToken || this.accepted.has(account)) return null;
    const rejection = this.rejected.get(account);
    if (rejection !== undefined) throw rejection;
    const existing = this.running.get(account);
    if (existing !== undefined) return existing;
    const check = this.runCheck(caller).finally(() => this.running.delete(account));
    this.running.set(account, check);
    return check;
  }

  private async runCheck(caller: Caller): Promise<Problem | null> {
    try {
      const problem = await this.check(caller);
      if (problem === null) this.accepted.set(caller.account, true);
      return problem;
    } catch (error) {
      if (error instanceof UnauthenticatedError) this.rejected.set(caller.account, error);
      throw error;
    }
  }
}
