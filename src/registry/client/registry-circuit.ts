import { LRUCache } from 'lru-cache';
import { portalCode, readBody } from '../answer/envelope';
import { failureCodes } from '../answer/interpret';
import type { ProblemCode } from '../answer/problem';
import type { RegistryName } from '../endpoint/endpoint';
import type { HttpResult } from '../transport/transport';

/** Accounts of a registry whose failures are counted: those that failed last. */
const maxAccounts = 1_000;

export interface Permit {
  readonly shared: Admission;
  readonly account: Admission;
}

export interface Pause {
  readonly scope: 'all' | 'account';
  readonly remainingMs: number;
}

/** A registry to which no calls are sent now. `accounts` is the number of affected accounts. Null: all accounts. */
export interface PausedRegistry {
  readonly registry: string;
  readonly accounts: number | null;
}

export class RegistryCircuits {
  private readonly byName = new Map<string, RegistryCircuit>();

  /**
   * `onHealth` receives the reason for a pause for all accounts, again after each failed probe, and null after each answer while the registry
   * is not paused.
   */
  constructor(
    private readonly resetTimeoutMs: number,
    private readonly onHealth: (registry: string, reason: ProblemCode | null) => void = () => undefined,
  ) {}

  /**
   * Returns the circuit of a registry. Sandbox calls have separate circuits, because they say nothing about the live
   * side.
   */
  of(registry: RegistryName, sandbox: boolean): RegistryCircuit {
    const name = sandbox ? `${registry} sandbox` : registry;
    const existing = this.byName.get(name);
    if (existing !== undefined) return existing;
    const circuit = new RegistryCircuit(this.resetTimeoutMs, (reason) => this.onHealth(name, reason));
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
 * Circuit breakers of a registry: one for all accounts, and one for each account that fails. Failures that an account
 * may cause itself (a session, an unreadable record, a slow question) only open the shared breaker if a second account
 * fails too. A server with one account, and a batch of one account, are only protected by the breaker of the account: their failed
 * calls may be charged.
 */
export class RegistryCircuit {
  private readonly shared: CircuitBreaker;
  private readonly byAccount = new LRUCache<string, CircuitBreaker>({ max: maxAccounts });
  private firstFailingAccount: string | null = null;
  private isSharedFault = false;

  constructor(
    private readonly resetTimeoutMs: number,
    private readonly onHealth: (reason: ProblemCode | null) => void = () => undefined,
  ) {
    this.shared = new CircuitBreaker(resetTimeoutMs);
  }

  get isOpen(): boolean {
    return this.shared.isOpen;
  }

  get pausedAccounts(): number {
    return [...this.byAccount.values()].filter(({ isOpen }) => isOpen).length;
  }

  get size(): number {
    return this.byAccount.size;
  }

  tryAcquire(account: string): Permit | Pause {
    const own = this.byAccount.get(account);
    const ownAdmission = own === undefined ? 'call' : own.tryAcquire();
    if (own !== undefined && ownAdmission === null) return { scope: 'account', remainingMs: own.remainingMs };
    const shared = this.shared.tryAcquire(this.mayProbeEarly(account));
    if (shared !== null) return { shared, account: ownAdmission ?? 'call' };
    if (ownAdmission !== null) own?.record(ownAdmission, null);
    return { scope: 'all', remainingMs: this.shared.remainingMs };
  }

  /** Returns for how many milliseconds the account's calls have been refused. Returns null if its next call is sent, also as a probe. */
  pausedMs(account: string): number | null {
    return this.byAccount.peek(account)?.pausedMs() ?? this.shared.pausedMs(this.mayProbeEarly(account));
  }

  /** If only one account failed, another account may probe before the end of the pause. */
  private mayProbeEarly(account: string): boolean {
    return !this.isSharedFault && this.firstFailingAccount !== account;
  }

  /** Records the result of an admitted call. Null means that no call was sent. An answer that padron could not use is a failure. */
  record(account: string, permit: Permit, result: HttpResult | null, isUnusable = false): void {
    const signal = result === null ? null : classifyHealth(result, isUnusable);
    const wasOpen = this.shared.isOpen;
    this.recordShared(account, permit.shared, signal);
    const { isOpen } = this.shared;
    const maySayPaused = !wasOpen || permit.shared === 'probe';
    if (isOpen && maySayPaused && result !== null && signal !== null)
      this.onHealth(isUnusable ? 'UNUSABLE_ANSWER' : reasonOf(result));
    else if (!isOpen && (signal === 'answered' || signal === 'portalFailed')) this.onHealth(null);
    const own = this.byAccount.get(account) ?? (isFailure(signal) ? this.addAccount(account) : undefined);
    if (own === undefined) return;
    own.record(permit.account, signal === null ? null : isFailure(signal));
    if (signal === 'answered' && !own.isOpen) this.byAccount.delete(account);
  }

  private recordShared(account: string, admission: Admission, signal: HealthSignal | null): void {
    const failed = signal === null ? null : signal === 'failed' || signal === 'unreachable';
    if (failed === true) this.recordFailure(account, admission, signal === 'unreachable');
    else if (failed === false && (admission === 'probe' || !this.shared.isOpen)) this.resetEvidence();
    this.shared.record(admission, failed, this.isSharedFault);
  }

  private recordFailure(account: string, admission: Admission, isUnreachable: boolean): void {
    // Ignore results during a pause. The first call after the pause starts a new series, unless it is the second probe.
    if (this.shared.isOpen && admission !== 'probe') return;
    if (admission === 'probe' && this.isSharedFault) this.resetEvidence();
    const isSecond = this.firstFailingAccount !== null && this.firstFailingAccount !== account;
    this.firstFailingAccount ??= account;
    this.isSharedFault ||= isUnreachable || isSecond;
  }

  private resetEvidence(): void {
    this.firstFailingAccount = null;
    this.isSharedFault = false;
  }

  private addAccount(account: string): CircuitBreaker {
    const breaker = new CircuitBreaker(this.resetTimeoutMs);
    this.byAccount.set(account, breaker);
    return breaker;
  }
}

/**
 * Health of a registry according to a result. `unreachable`: no account reaches the registry. `failed`: the connection broke, timed out, or
 * answered 5xx or something that padron cannot use. `portalFailed`: the service answered that the portal behind it failed.
 */
type HealthSignal = 'answered' | 'portalFailed' | 'failed' | 'unreachable';

const isFailure = (signal: HealthSignal | null): boolean => signal !== null && signal !== 'answered';

/** Returns null if the result says nothing about the registry. */
export function classifyHealth(result: HttpResult, isUnusable: boolean): HealthSignal | null {
  if (result.kind === 'delivered') {
    if (result.status < 500) return isUnusable ? 'failed' : 'answered';
    return result.body.length < maxErrorBytes && portalCode(readBody(result.body)) !== null ? 'portalFailed' : 'failed';
  }
  if (result.reason === 'TIMEOUT' && !result.sent) return null;
  return result.sent ? 'failed' : 'unreachable';
}

const reasonOf = (result: HttpResult): ProblemCode =>
  result.kind === 'delivered' ? 'REGISTRY_ERROR' : failureCodes[result.reason];

/** A documented error is a few hundred bytes. */
const maxErrorBytes = 10_000;

const maxConsecutiveFailures = 10;

type Admission = 'call' | 'probe';

class CircuitBreaker {
  private failures = 0;
  private openUntil: number | null = null;
  private openedAt = 0;
  private isProbing = false;

  constructor(private readonly resetTimeoutMs: number) {}

  get isOpen(): boolean {
    return this.openUntil !== null;
  }

  /** Milliseconds until the next call may probe the registry. 0 while a probe after the pause runs. */
  get remainingMs(): number {
    return this.openUntil === null ? 0 : Math.max(0, this.openUntil - performance.now());
  }

  /**
   * Admits a call, or returns null during the pause. After the pause one call probes the registry, with `early` also
   * before its end. The others do not wait for the probe.
   */
  tryAcquire(early = false): Admission | null {
    if (this.openUntil === null) return 'call';
    if (this.isProbing || (!early && this.remainingMs > 0)) return null;
    this.isProbing = true;
    return 'probe';
  }

  /** Returns for how many milliseconds the breaker has been open. Returns null if it admits the next call. */
  pausedMs(early = false): number | null {
    const admits = this.openUntil === null || (!this.isProbing && (early || this.remainingMs === 0));
    return admits ? null : performance.now() - this.openedAt;
  }

  /** `failed` is null if the call says nothing about the registry. With `mayOpen` false the breaker does not open. */
  record(admission: Admission, failed: boolean | null, mayOpen = true): void {
    if (admission === 'probe') this.isProbing = false;
    // Ignore calls that started before the breaker opened.
    else if (this.openUntil !== null) return;
    if (failed === null) return;
    this.failures = failed ? this.failures + 1 : 0;
    const opens = failed && (admission === 'probe' || (mayOpen && this.failures >= maxConsecutiveFailures));
    if (this.openUntil === null) this.openedAt = performance.now();
    this.openUntil = opens ? performance.now() + this.resetTimeoutMs : null;
  }
}
