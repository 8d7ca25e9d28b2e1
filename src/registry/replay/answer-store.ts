import { LRUCache } from 'lru-cache';
import type { Answer } from '../answer/answer';
import type { Exchange } from '../answer/exchange';
import { isMismatch } from '../answer/interpret';
import type { Problem } from '../answer/problem';
import type { Caller } from '../caller';
import type { AnyEndpoint } from '../endpoint/endpoint';
import type { OperationBudget } from '../operation-budgets';

/** A question that is about to be put. */
export interface StoredQuestion {
  /** Names account, mode, endpoint and question within this process. */
  readonly key: string;
  readonly endpoint: AnyEndpoint;
  readonly question: unknown;
  /** What makes two questions of the endpoint the same. */
  readonly cacheKey: string;
  readonly caller: Caller;
  readonly price: number;
  /** The budget of the operation that the request is part of; null where it has none. */
  readonly operation: OperationBudget | null;
}

/** What a store says to whoever is about to put a question. `owned`: nobody else asks, it is this caller's to put. */
export type Claim = { readonly kind: 'owned'; readonly flight: Flight } | UnownedClaim;

/**
 * `answered`: somebody was, or failed, while this one waited. `refused`: it must not be put now. `overBudget`: the budget that the
 * operation has with all its requests does not suffice. `abandoned`: nobody waits for it any more.
 */
export type UnownedClaim = {
  /** Price of a call that died with its instance: the service may have charged it. */
  readonly lostUnits: number;
} & (
  | { readonly kind: 'answered'; readonly answer: Answer<unknown> }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'overBudget' | 'abandoned' }
);

/** A question that is this caller's to put. It must be ended in one of the two ways. */
export interface Flight {
  /** Price of a call that an instance took with it when it died: the service may have charged it. */
  readonly lostUnits: number;
  /** Receives what came over the wire; null where nobody else can use it. */
  readonly onExchange: ((exchange: Exchange) => void) | null;
  /** The call is over; its answer is null where it threw. */
  land(answer: Answer<unknown> | null): void;
  /** The question was not put. */
  abandon(): void;
}

/** Answers that were paid for, and who is about to pay for one. */
export interface AnswerStore {
  /** How many answers are held here. */
  readonly size: number;
  /** What is remembered in this process: no way to go. */
  recall(question: StoredQuestion): Answer<unknown> | undefined;
  /** An answer that was paid for, here or elsewhere, without claiming the question. */
  find(question: StoredQuestion): Answer<unknown> | undefined | Promise<Answer<unknown> | undefined>;
  /** Asked by one caller of this process at a time for a question; `call` tells when nobody waits for it any more. */
  claim(question: StoredQuestion, call: { readonly signal: AbortSignal }): Claim | Promise<Claim>;
  /**
   * Sets units of an operation aside for a call that nobody shares, or gives them back (below 0); false where its budget does not
   * suffice.
   */
  reserve(caller: Caller, operation: OperationBudget, units: number): boolean | Promise<boolean>;
  /** Forgets what is held here, and lets go of what is held elsewhere. */
  close(): Promise<void>;
}

export interface MemoryOptions {
  /** How long an answer serves again; 0 remembers none. */
  readonly seconds: number;
  readonly now: () => Date;
  /** What is remembered at most; beyond it, the answer that was used longest ago goes first. */
  readonly maxEntries?: number;
  readonly maxBytes?: number;
}

/** What an answer takes beside its own bytes, roughly. */
const overhead = 1_000;

/** The answers of this process: in memory only, bounded, and only for their window. */
export class MemoryAnswerStore implements AnswerStore {
  private readonly answers: LRUCache<string, Answer<unknown>> | null;

  constructor(private readonly options: MemoryOptions) {
    const { seconds, maxEntries = 20_000, maxBytes = 64_000_000 } = options;
    this.answers =
      seconds === 0
        ? null
        : new LRUCache<string, Answer<unknown>>({
            max: maxEntries,
            maxSize: maxBytes,
            sizeCalculation: ({ bytes }) => bytes + overhead,
            ttl: seconds * 1_000,
            // Nothing personal outlives its window, asked for again or not.
            ttlAutopurge: true,
          });
  }

  get size(): number {
    return this.answers?.size ?? 0;
  }

  recall({ key, endpoint }: StoredQuestion): Answer<unknown> | undefined {
    const answer = this.answers?.get(key);
    return answer !== undefined && isFresh(answer, endpoint, this.options.now()) ? answer : undefined;
  }

  find(question: StoredQuestion): Answer<unknown> | undefined {
    return this.recall(question);
  }

  claim({ key }: StoredQuestion): Claim {
    return {
      kind: 'owned',
      flight: {
        lostUnits: 0,
        onExchange: null,
        land: (answer) => {
          if (answer !== null && isCacheable(answer)) this.remember(key, answer);
        },
        abandon: () => undefined,
      },
    };
  }

  reserve(): boolean {
    return true;
  }

  /** Keeps an answer for the window, or for what is left of it. */
  remember(key: string, answer: Answer<unknown>, remainingMs?: number): void {
    this.answers?.set(key, answer, remainingMs === undefined ? {} : { ttl: remainingMs });
  }

  async close(): Promise<void> {
    this.answers?.clear();
  }
}

/** Some answers are good for less than the window. */
export function isFresh({ evidence }: Answer<unknown>, endpoint: AnyEndpoint, now: Date): boolean {
  return evidence.checkedAt === null || endpoint.isFresh?.(evidence.checkedAt, now) !== false;
}

/** Answers only, never failures; and none that speaks of somebody else. */
export function isCacheable(answer: Answer<unknown>): boolean {
  return (answer.outcome === 'FOUND' || answer.outcome === 'NOT_FOUND') && !isMismatch(answer);
}
