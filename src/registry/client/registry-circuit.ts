import { LRUCache } from 'lru-cache';
import { portalCode, readBody } from '../answer/body';
import type { RegistryName } from '../endpoint/endpoint';
import type { HttpResult } from '../transport/transport';
import { type Admission, CircuitBreaker } from './circuit-breaker';

/** Accounts of a registry whose failures are counted: those that failed last. */
const maxAccounts = 1_000;

/** By which breakers a call was let through. */
export interface Permit {
  readonly shared: Admission;
  readonly account: Admission;
}

/** Why a call is not let through: the registry is left alone by everybody, or by this account. */
export interface Pause {
  readonly scope: 'all' | 'account';
  readonly remainingMs: number;
}

/** A registry that is left alone now; `accounts` is null where everybody leaves it alone. */
export interface PausedRegistry {
  readonly registry: string;
  readonly accounts: number | null;
}

export class RegistryCircuits {
  private readonly byName = new Map<string, RegistryCircuit>();

  constructor(private readonly resetTimeoutMs: number) {}

  /** Sandbox calls have breakers of their own: they tell nothing of the live side. */
  of(registry: RegistryName, sandbox: boolean): RegistryCircuit {
    const name = sandbox ? `${registry} sandbox` : registry;
    const existing = this.byName.get(name);
    if (existing !== undefined) return existing;
    const circuit = new RegistryCircuit(this.resetTimeoutMs);
    this.byName.set(name, circuit);
    return circuit;
  }

  paused(): readonly PausedRegistry[] {
    return [...this.byName].flatMap(([registry, circuit]) => {
      const accounts = circuit.isOpen ? null : circuit.pausedAccounts;
      return accounts === 0 ? [] : [{ registry, accounts }];
    });
  }
}

/**
 * The breakers of one registry: one for all callers, and one for each account that fails. What may be an account's own doing
 * (a session, a record that nobody can read, a question that takes too long) opens the shared one only when a second account
 * has met it too.
 */
export class RegistryCircuit {
  private readonly shared: CircuitBreaker;
  private readonly byAccount = new LRUCache<string, CircuitBreaker>({ max: maxAccounts });
  /** The account that failed first in this row of failures. */
  private firstFailing: string | null = null;
  /** Whether the row of failures is no single account's doing. */
  private isSharedFault = false;

  constructor(private readonly resetTimeoutMs: number) {
    this.shared = new CircuitBreaker(resetTimeoutMs);
  }

  get isOpen(): boolean {
    return this.shared.isOpen;
  }

  get pausedAccounts(): number {
    return [...this.byAccount.values()].filter(({ isOpen }) => isOpen).length;
  }

  /** How many accounts' failures are held. */
  get size(): number {
    return this.byAccount.size;
  }

  tryAcquire(account: string): Permit | Pause {
    const own = this.byAccount.get(account);
    const ownAdmission = own === undefined ? 'call' : own.tryAcquire();
    if (own !== undefined && ownAdmission === null) return { scope: 'account', remainingMs: own.remainingMs };
    // Where one account alone has prolonged the pause, another one need not wait to see for itself.
    const early = !this.isSharedFault && this.firstFailing !== account;
    const shared = this.shared.tryAcquire(early);
    if (shared !== null) return { shared, account: ownAdmission ?? 'call' };
    if (ownAdmission !== null) own?.record(ownAdmission, null);
    return { scope: 'all', remainingMs: this.shared.remainingMs };
  }

  /** What became of a call that was let through; null where nothing was sent. */
  record(account: string, permit: Permit, result: HttpResult | null): void {
    const verdict = result === null ? null : judge(result);
    this.recordShared(account, permit.shared, verdict);
    const own = this.byAccount.get(account) ?? (isFailure(verdict) ? this.addAccount(account) : undefined);
    if (own === undefined) return;
    own.record(permit.account, verdict === null ? null : isFailure(verdict));
    if (verdict === 'answered' && !own.isOpen) this.byAccount.delete(account);
  }

  private recordShared(account: string, admission: Admission, verdict: Verdict | null): void {
    const failed = verdict === null ? null : verdict === 'failed' || verdict === 'unreachable';
    if (failed === true) this.addWitness(account, admission, verdict === 'unreachable');
    else if (failed === false && (admission === 'probe' || !this.shared.isOpen)) this.forgetWitnesses();
    this.shared.record(admission, failed, this.isSharedFault);
  }

  private addWitness(account: string, admission: Admission, isUnreachable: boolean): void {
    // What comes back during a pause tells nothing; and who tries after it begins the row anew, unless it is the second to try.
    if (this.shared.isOpen && admission !== 'probe') return;
    if (admission === 'probe' && this.isSharedFault) this.forgetWitnesses();
    const isSecond = this.firstFailing !== null && this.firstFailing !== account;
    this.firstFailing ??= account;
    this.isSharedFault ||= isUnreachable || isSecond;
  }

  private forgetWitnesses(): void {
    this.firstFailing = null;
    this.isSharedFault = false;
  }

  private addAccount(account: string): CircuitBreaker {
    const breaker = new CircuitBreaker(this.resetTimeoutMs);
    this.byAccount.set(account, breaker);
    return breaker;
  }
}

/**
 * What a result says of the registry. `unreachable`: nobody reaches it. `failed`: it broke off, took too long or answered 5xx.
 * `portalFailed`: the service is there, and tells what the portal behind it did with this account's question.
 */
type Verdict = 'answered' | 'portalFailed' | 'failed' | 'unreachable';

const isFailure = (verdict: Verdict | null): boolean => verdict !== null && verdict !== 'answered';

/** Null where the result says nothing of the registry: it ran out of time before it left. */
function judge(result: HttpResult): Verdict | null {
  if (result.kind === 'delivered') {
    if (result.status < 500) return 'answered';
    return result.body.length < maxErrorBytes && portalCode(readBody(result.body)) !== null ? 'portalFailed' : 'failed';
  }
  if (result.reason === 'TIMEOUT' && !result.sent) return null;
  if (result.reason === 'UNUSABLE') return 'answered';
  return result.sent ? 'failed' : 'unreachable';
}

/** A documented error is a few hundred bytes. */
const maxErrorBytes = 10_000;
