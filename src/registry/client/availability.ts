import { LRUCache } from 'lru-cache';
import type { Answer } from '../answer/answer';
import { isRegistryFailure } from '../answer/problem';
import type { Caller } from '../caller';
import type { AnyEndpoint } from '../endpoint/endpoint';

export type AvailabilityState = 'OPERATIONAL' | 'DEGRADED' | 'PAUSED' | 'SESSION_NEEDED' | 'UNKNOWN';

/**
 * Whether an endpoint answers, as this process has seen it. `since` is null if the state is UNKNOWN. `lastAnswerAt` and `medianMs` are null if
 * too few recent calls ended, or none was answered.
 */
export interface Availability {
  readonly state: AvailabilityState;
  readonly since: Date | null;
  readonly lastAnswerAt: Date | null;
  readonly medianMs: number | null;
}

export const unknownAvailability: Availability = { state: 'UNKNOWN', since: null, lastAnswerAt: null, medianMs: null };

const windowMs = 15 * 60_000;
const minResults = 5;
const maxResults = 20;
/** Share of failed calls from which an endpoint is degraded. */
const degradedShare = 0.25;
/** Maximum number of accounts without a session to remember. The least recently used are dropped. */
const maxAccounts = 1_000;

/** A call that has ended. `ms` is null if it had no usable answer. */
interface EndedCall {
  readonly at: number;
  readonly ms: number | null;
}

interface MissingSession {
  readonly since: number;
  readonly lastSeen: number;
}

export class RecentCalls {
  private readonly byEndpoint = new Map<string, EndpointCalls>();
  private readonly missingSessions = new LRUCache<string, MissingSession>({ max: maxAccounts });

  constructor(private readonly now: () => Date) {}

  record(endpoint: AnyEndpoint, caller: Caller, answer: Answer<unknown>, ms: number): void {
    const now = this.now().getTime();
    const state = classify(answer);
    const account = toAccountKey(endpoint, caller);
    if (state === 'sessionMissing') {
      const since = this.missingSession(account)?.since ?? now;
      this.missingSessions.set(account, { since, lastSeen: now });
    } else if (state !== null) this.of(endpoint, caller).add({ at: now, ms: state === 'answered' ? ms : null });
    if (state === 'answered') this.missingSessions.delete(account);
  }

  /** Returns the median time in milliseconds of the last answers, or null before the first. */
  medianMs(endpoint: AnyEndpoint, caller: Caller): number | null {
    return this.of(endpoint, caller).medianMs;
  }

  /** `pausedMs` is how long the caller's calls have been refused. It is null if they are not. */
  availability(endpoint: AnyEndpoint, caller: Caller, pausedMs: number | null): Availability {
    const now = this.now().getTime();
    const seen = this.of(endpoint, caller).availability(now);
    if (pausedMs !== null) return { ...seen, state: 'PAUSED', since: new Date(now - pausedMs) };
    const session = this.missingSession(toAccountKey(endpoint, caller));
    return session === undefined ? seen : { ...seen, state: 'SESSION_NEEDED', since: new Date(session.since) };
  }

  private missingSession(account: string): MissingSession | undefined {
    const session = this.missingSessions.get(account);
    return session !== undefined && this.now().getTime() - session.lastSeen < windowMs ? session : undefined;
  }

  private of({ name }: AnyEndpoint, { sandbox }: Caller): EndpointCalls {
    const key = `${name} ${sandbox}`;
    const calls = this.byEndpoint.get(key) ?? new EndpointCalls();
    this.byEndpoint.set(key, calls);
    return calls;
  }
}

class EndpointCalls {
  private calls: readonly EndedCall[] = [];
  private state: AvailabilityState = 'UNKNOWN';
  private since = 0;

  get medianMs(): number | null {
    return median(this.calls);
  }

  add(call: EndedCall): void {
    this.calls = [...this.calls, call].slice(-maxResults);
    this.assess(call.at);
  }

  availability(now: number): Availability {
    const recent = this.assess(now);
    if (this.state === 'UNKNOWN') return unknownAvailability;
    const last = recent.findLast(({ ms }) => ms !== null);
    const lastAnswerAt = last === undefined ? null : new Date(last.at);
    return { state: this.state, since: new Date(this.since), lastAnswerAt, medianMs: median(recent) };
  }

  private assess(now: number): readonly EndedCall[] {
    const recent = this.calls.filter(({ at }) => now - at < windowMs);
    const state = assess(recent);
    if (state !== this.state) this.since = this.state === 'UNKNOWN' ? (recent[0]?.at ?? now) : now;
    this.state = state;
    return recent;
  }
}

function assess(calls: readonly EndedCall[]): AvailabilityState {
  if (calls.length < minResults) return 'UNKNOWN';
  const failed = calls.filter(({ ms }) => ms === null);
  return failed.length < calls.length * degradedShare ? 'OPERATIONAL' : 'DEGRADED';
}

function median(calls: readonly EndedCall[]): number | null {
  const sorted = calls.flatMap(({ ms }) => ms ?? []).sort((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return middle === undefined ? null : Math.round(middle);
}

function toAccountKey({ registry }: AnyEndpoint, { account, sandbox }: Caller): string {
  return `${registry} ${sandbox} ${account}`;
}

/** Returns null if the answer is about the account or its permission and says nothing about the registry. */
function classify({ outcome, problems }: Answer<unknown>): 'answered' | 'failed' | 'sessionMissing' | null {
  if (outcome === 'NOT_PERMITTED') return null;
  if (outcome !== 'UNAVAILABLE') return 'answered';
  const [problem] = problems;
  if (problem?.code === 'IMSS_SESSION_REQUIRED' || problem?.code === 'IMSS_SESSION_EXPIRED') return 'sessionMissing';
  return problem !== undefined && isRegistryFailure(problem) ? 'failed' : null;
}
