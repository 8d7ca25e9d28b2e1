import { LRUCache } from 'lru-cache';
import { UnauthenticatedError } from '../registry/answer/answer';
import type { Problem } from '../registry/answer/problem';
import type { Caller } from '../registry/caller';

/** Asks the service about a token, free of charge. Returns null if it accepts the token, or why that cannot be known now; throws if it refuses. */
export type CheckAccount = (caller: Caller) => Promise<Problem | null>;

const maxAccounts = 10_000;
const acceptedMs = 3_600_000;
const refusedMs = 30_000;

/** Accounts that the service accepted or refused lately. Kept apart, so that invented tokens push out no accepted one. */
export class KnownAccounts {
  private readonly accepted = new LRUCache<string, true>({ max: maxAccounts, ttl: acceptedMs });
  private readonly refused = new LRUCache<string, UnauthenticatedError>({ max: maxAccounts, ttl: refusedMs });
  private readonly underWay = new Map<string, Promise<Problem | null>>();

  constructor(private readonly check: CheckAccount) {}

  /** Returns null if the account is real, or why that cannot be known now. Throws if the service refuses the token. */
  async verify(caller: Caller): Promise<Problem | null> {
    const { account, usesServerToken } = caller;
    if (usesServerToken || this.accepted.has(account)) return null;
    const refusal = this.refused.get(account);
    if (refusal !== undefined) throw refusal;
    const existing = this.underWay.get(account);
    if (existing !== undefined) return existing;
    const check = this.ask(caller).finally(() => this.underWay.delete(account));
    this.underWay.set(account, check);
    return check;
  }

  private async ask(caller: Caller): Promise<Problem | null> {
    try {
      const problem = await this.check(caller);
      if (problem === null) this.accepted.set(caller.account, true);
      return problem;
    } catch (error) {
      if (error instanceof UnauthenticatedError) this.refused.set(caller.account, error);
      throw error;
    }
  }
}
