import type { Answer } from '../../registry/answer/answer';
import type { Exchange } from '../../registry/answer/exchange';
import { isMismatch } from '../../registry/answer/interpret';
import type { Problem } from '../../registry/answer/problem';
import type { Caller } from '../../registry/caller';
import type { AnyEndpoint } from '../../registry/endpoint/endpoint';
import type { OperationBudget } from '../operation-budgets';

export interface KeyedQuestion {
  readonly key: string;
  readonly endpoint: AnyEndpoint;
  readonly question: unknown;
  /** Equal for two questions of the endpoint that have the same answer. */
  readonly cacheKey: string;
  readonly caller: Caller;
  readonly price: number;
  /** The budget of the operation that the request is part of. Null without one. */
  readonly operation: OperationBudget | null;
}

export interface SharedAnswer {
  readonly answer: Answer<unknown>;
  /** The row of a batch that paid for it. Null if a request paid. */
  readonly payer: number | null;
  readonly isUncertain: boolean;
}

/**
 * The reply of a store to a claim. `owned`: the claimer sends the question. `answered`: another instance or row already has the
 * answer, or a failure. `refused`: the question must not be sent now. `overBudget`: the budget of the whole operation, or of the row, does not
 * cover the price. `abandoned`: no asker waits for the question any more.
 */
export type Claim = {
  /** Price of a call whose instance died. The service may have charged it. 0 without such a call. */
  readonly lostUnits: number;
} & (
  | { readonly kind: 'owned'; readonly call: ClaimedCall }
  | ({ readonly kind: 'answered' } & SharedAnswer)
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'overBudget' }
  | { readonly kind: 'abandoned' }
);

/** A question that only its claimer may send. `complete`, `fail` or `release` ends the claim. */
export interface ClaimedCall {
  /** Milliseconds of the call's timeout that the claim has used up. */
  readonly waitedMs: number;
  /** Receives the exchange with the service. Null if the store does not keep it. */
  readonly onExchange: ((exchange: Exchange) => void) | null;
  complete(answer: Answer<unknown>): void;
  fail(error: unknown): void;
  release(): void;
}

export interface Claimant {
  readonly signal: AbortSignal;
  /** Called if another instance is already making this call, with the milliseconds since it began. */
  onElsewhere?(elapsedMs: number): void;
  /** Called before the call of an instance that died is repeated. Returns false if the claimer must not pay for it. */
  tryTakeOver?(): boolean;
}

/** Answers that were paid for, and claims of questions: in memory, in Redis, or in the tables of a batch. */
export interface AnswerStore {
  getLocal(question: KeyedQuestion): Answer<unknown> | undefined;
  /** Claims a question before it is sent. Within a process, only one asker at a time claims a question. */
  claim(question: KeyedQuestion, claimant: Claimant): Claim | Promise<Claim>;
}

export interface RequestAnswerStore extends AnswerStore {
  readonly size: number;
  /** Returns an answer of this process or of another one, without a claim. */
  get(question: KeyedQuestion): Answer<unknown> | undefined | Promise<Answer<unknown> | undefined>;
  /** Shares an answer that was paid for without a claim of this store, for example by a batch. */
  share(question: KeyedQuestion, answer: Answer<unknown>, exchange: Exchange): void;
  /**
   * Reserves units of an operation for a call that is not shared, or releases them if `units` is negative. Returns false if the
   * operation's budget does not cover them.
   */
  reserve(caller: Caller, operation: OperationBudget, units: number): boolean | Promise<boolean>;
  close(): Promise<void>;
}

export function accountPartition({ account, sandbox }: Caller): string {
  return `${account} ${sandbox ? 'sandbox' : 'live'}`;
}

export function questionKey(partition: string, endpoint: AnyEndpoint, inputKey: string): string {
  return `${partition} ${endpoint.name} ${inputKey}`;
}

export function toShared(answer: Answer<unknown>, payer: number | null): SharedAnswer {
  return { answer, payer, isUncertain: answer.evidence.billing === 'UNKNOWN' };
}

/** Whether an answer is still valid. Some answers are valid for less than the replay window. */
export function isFresh({ evidence }: Answer<unknown>, endpoint: AnyEndpoint, now: Date): boolean {
  return evidence.checkedAt === null || endpoint.isFresh?.(evidence.checkedAt, now) !== false;
}

/** Whether an answer may be replayed: it is not a failure, and is about the person or employer of the question. */
export function isCacheable(answer: Answer<unknown>): boolean {
  return (answer.outcome === 'FOUND' || answer.outcome === 'NOT_FOUND') && !isMismatch(answer);
}
