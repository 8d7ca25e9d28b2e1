import type { Answer } from '../../registry/answer/answer';
import { isMismatch } from '../../registry/answer/interpret';
import type { Caller } from '../../registry/caller';
import type { AnyEndpoint } from '../../registry/endpoint/endpoint';

export interface KeyedQuestion {
  readonly key: string;
  readonly endpoint: AnyEndpoint;
  readonly question: unknown;
  /** Equal for two questions of the endpoint that have the same answer. */
  readonly cacheKey: string;
  readonly caller: Caller;
  readonly price: number;
  /** The operation that lasts which the question belongs to. Null without one. */
  readonly lasting: string | null;
}

export interface SharedAnswer {
  readonly answer: Answer<unknown>;
  /** The part of an operation that paid for it and shows its cost: a row of a batch. Null if a request paid. */
  readonly payer: string | null;
  /** The operation that keeps it. Only its own requests get the answer. Null if it is a replay. */
  readonly keptBy?: string | null;
  readonly isUncertain: boolean;
}

export function questionKey({ account, sandbox }: Caller, endpoint: AnyEndpoint, inputKey: string): string {
  return `${account} ${sandbox ? 'sandbox' : 'live'} ${endpoint.name} ${inputKey}`;
}

export function toShared(answer: Answer<unknown>, payer: string | null): SharedAnswer {
  return { answer, payer, isUncertain: answer.evidence.billing === 'UNKNOWN' };
}

/** Whether an answer is still valid. Some answers are valid for less than the replay window. */
export function isFresh({ evidence }: Answer<unknown>, endpoint: AnyEndpoint, now: Date): boolean {
  return evidence.checkedAt === null || endpoint.isFresh?.(evidence.checkedAt, now) !== false;
}

/** Whether an answer may be replayed: it is not from sandbox mode, not a failure, and not about another person or employer. */
export function isCacheable({ caller }: KeyedQuestion, answer: Answer<unknown>): boolean {
  return !caller.sandbox && (answer.outcome === 'FOUND' || answer.outcome === 'NOT_FOUND') && !isMismatch(answer);
}
