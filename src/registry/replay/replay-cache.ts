import { LRUCache } from 'lru-cache';
import type { Answer } from '../answer/answer';
import { isMismatch } from '../answer/interpret';
import type { AnyEndpoint } from '../endpoint/endpoint';
import { InFlightCall, type WaitingRequest } from './in-flight-call';

export interface ReplayCacheOptions {
  /** How long an answer serves again; 0 shares only calls under way. */
  readonly seconds: number;
  readonly now: () => Date;
  /** What is remembered at most; beyond it, the answer that was used longest ago goes first. */
  readonly maxEntries?: number;
  readonly maxBytes?: number;
}

/** What an answer takes beside its own bytes, roughly. */
const overhead = 1_000;

interface CacheEntry {
  readonly answer: Answer<unknown>;
  readonly endpoint: AnyEndpoint;
}

/**
 * What this process has just been answered, by account and question. Gateways split one operation into several requests and
 * repeat what they think has failed: each would be paid again. In memory only, bounded, and only for its window.
 */
export class ReplayCache {
  private readonly inFlight = new Map<string, InFlightCall>();
  private readonly answers: LRUCache<string, CacheEntry> | null;

  constructor(private readonly options: ReplayCacheOptions) {
    const { seconds, maxEntries = 20_000, maxBytes = 64_000_000 } = options;
    this.answers =
      seconds === 0
        ? null
        : new LRUCache<string, CacheEntry>({
            max: maxEntries,
            maxSize: maxBytes,
            sizeCalculation: ({ answer }) => answer.bytes + overhead,
            ttl: seconds * 1_000,
            // Nothing personal outlives its window, asked for again or not.
            ttlAutopurge: true,
          });
  }

  /** How many questions are held, answered or under way. */
  get size(): number {
    return this.inFlight.size + (this.answers?.size ?? 0);
  }

  /** An answer that is there, or on its way; undefined when the question must be put, null when that turns out later. */
  get(key: string, request: WaitingRequest): Promise<Answer<unknown> | null> | Answer<unknown> | undefined {
    const call = this.inFlight.get(key);
    if (call !== undefined) return this.join(call, request);
    const entry = this.answers?.get(key);
    return entry !== undefined && this.isFresh(entry) ? entry.answer : undefined;
  }

  /** Puts a question that others may share. It goes on while anyone waits; what was sent is remembered even if nobody does. */
  async run(
    key: string,
    endpoint: AnyEndpoint,
    request: WaitingRequest,
    fetch: (call: InFlightCall) => Promise<Answer<unknown>>,
  ): Promise<Answer<unknown>> {
    const call = new InFlightCall(endpoint);
    // Before the question is put: the rest of a chain is not bought for a caller who has left meanwhile.
    request.join(call);
    call.answer = fetch(call);
    this.inFlight.set(key, call);
    try {
      const answer = await call.answer;
      if (isCacheable(answer)) this.answers?.set(key, { answer, endpoint });
      return answer;
    } finally {
      this.inFlight.delete(key);
      request.forget(call);
      // A Map leaves dead tables behind in which the call stands for long: let it hold on to nothing.
      call.answer = null;
    }
  }

  clear(): void {
    this.answers?.clear();
  }

  private async join(call: InFlightCall, request: WaitingRequest): Promise<Answer<unknown> | null> {
    request.join(call);
    try {
      const answer = await call.answer;
      // Aborted in the moment before this one came: nobody was waiting then.
      if (answer === null || (wasForAnother(answer) && !request.signal.aborted)) return null;
      return this.isFresh({ answer, endpoint: call.endpoint }) ? answer : null;
    } finally {
      request.forget(call);
    }
  }

  /** Some answers are good for less than the window. */
  private isFresh({ answer, endpoint }: CacheEntry): boolean {
    const { checkedAt } = answer.evidence;
    return checkedAt === null || endpoint.isFresh?.(checkedAt, this.options.now()) !== false;
  }
}

/** Answers only, never failures; and none that speaks of somebody else. */
function isCacheable(answer: Answer<unknown>): boolean {
  return (answer.outcome === 'FOUND' || answer.outcome === 'NOT_FOUND') && !isMismatch(answer);
}

/** Why it was not asked has to do with who asked first, and whose budget that one is bound by. */
function wasForAnother({ problems }: Answer<unknown>): boolean {
  return problems.some(({ code }) => code === 'CALLER_GONE' || code === 'BUDGET_EXHAUSTED');
}

/** An answer as those see it who did not pay for it. */
export function asReplay<Payload>(answer: Answer<Payload>): Answer<Payload> {
  const { evidence } = answer;
  if (evidence.servedFrom !== 'LIVE') return answer;
  return { ...answer, evidence: { ...evidence, servedFrom: 'REPLAY', units: 0, billing: 'NOT_CHARGED' } };
}
