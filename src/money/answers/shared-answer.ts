import type { Answer } from '../../registry/answer/answer';
import { decodeExchange, type Exchange, encodeExchange, isMismatch } from '../../registry/answer/interpret';
import type { Caller } from '../../registry/caller';
import type { RegistryClient } from '../../registry/client/client';
import type { AnyEndpoint } from '../../registry/endpoint/endpoint';

/** Which answers may be used again that the account has paid for before. */
export interface Reuse {
  readonly maxAgeMs: number;
  /** Purpose for which an answer must have been bought. */
  readonly purpose: string | null;
  /** Operation that the request is a part of, with its client. An answer is not too old if it was asked for since the operation began. */
  readonly operation: string | null;
  /** When the request began, by `performance.now()`. The age counts back from then. */
  readonly began: number;
  /** Names of the account, if its token is not known: a batch is priced without it. */
  readonly accounts?: readonly string[];
}

export interface KeyedQuestion {
  readonly key: string;
  readonly endpoint: AnyEndpoint;
  readonly question: unknown;
  /** Equal for two questions of the endpoint that have the same answer. */
  readonly cacheKey: string;
  readonly caller: Caller;
  readonly price: number;
  /** Purpose of the request. Its operation and its early response keep the answer for this purpose only. */
  readonly purpose: string | null;
  /** The operation that lasts which the question belongs to. Null without one. */
  readonly lasting: string | null;
  /** Kept answers that the question may use. If it is null, it uses none. */
  readonly reuse: Reuse | null;
  /** `reuse` of the questions that joined its call. The answer is kept for other requests if one of all these has its purpose. */
  readonly joined: Reuse[];
  /** When the call began that asks it, by `performance.now()`. */
  askedAt: number;
}

/** Units that an early response reported as uncertain, and how many of them were charged. */
export interface Settled {
  readonly spent: number;
  readonly uncertain: number;
}

export const nothingSettled: Settled = { spent: 0, uncertain: 0 };

/** A question whose answer may be looked up. */
export type AskedQuestion = Pick<KeyedQuestion, 'endpoint' | 'question' | 'cacheKey' | 'caller' | 'purpose'>;

export interface SharedAnswer {
  readonly answer: Answer<unknown>;
  /** The part of an operation that paid for it and shows its cost: a row of a batch. Null if a request paid. */
  readonly payer: string | null;
  /** The operation that keeps it, or `reused`. Only those get the answer who look it up themselves. Null if it is a replay. */
  readonly keptBy: string | null;
  readonly isUncertain: boolean;
  /** Units that the question settles, if it repeats one of an early response of its caller. The store reports them to one asker. */
  readonly settled?: Settled | null | undefined;
}

/** Stands for an operation in an answer that an earlier request of the account has kept. */
export const reused = 'reused';

export function questionKey({ account, sandbox }: Caller, endpoint: AnyEndpoint, inputKey: string): string {
  return `${account} ${sandbox ? 'sandbox' : 'live'} ${endpoint.name} ${inputKey}`;
}

export function toShared(answer: Answer<unknown>, payer: string | null, keptBy: string | null = null): SharedAnswer {
  return { answer, payer, keptBy, isUncertain: answer.evidence.billing === 'UNKNOWN' };
}

/** Encodes an answer for the store: its entry, and the exchange with the service, which another process or a newer release interprets again. */
export const encodeAnswer = (ledgerId: string | null, exchange: Exchange): Buffer =>
  Buffer.concat([Buffer.from(`${ledgerId ?? ''}\n`), encodeExchange(exchange)]);

/** Returns null if this release cannot read the answer. */
export function decodeAnswer(
  client: RegistryClient,
  { endpoint, question, caller }: AskedQuestion,
  content: Buffer,
): Answer<unknown> | null {
  try {
    const end = content.indexOf('\n');
    const exchange = decodeExchange(content.subarray(end + 1));
    const answer = client.interpret<unknown, unknown>(endpoint, question, exchange, caller);
    return { ...answer, evidence: { ...answer.evidence, ledgerId: content.toString('utf8', 0, end) || null } };
  } catch {
    return null;
  }
}

/** Whether an answer is still valid. Some answers end before they are too old, for example with their links. */
export function isFresh({ evidence, payload }: Answer<unknown>, endpoint: AnyEndpoint, now: Date): boolean {
  return evidence.checkedAt === null || endpoint.isFresh?.(evidence.checkedAt, now, payload) !== false;
}

/** Whether an answer that was asked for at a time, by `performance.now()`, is not too old for the question. */
export const isRecent = (asked: number, { reuse }: KeyedQuestion): boolean =>
  reuse === null || asked >= reuse.began - reuse.maxAgeMs;

/** Whether an answer may be replayed: it is not from sandbox mode, not a failure, and not about another person or employer. */
export function isCacheable({ caller }: AskedQuestion, answer: Answer<unknown>): boolean {
  return !caller.sandbox && (answer.outcome === 'FOUND' || answer.outcome === 'NOT_FOUND') && !isMismatch(answer);
}
