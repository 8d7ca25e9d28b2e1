import { type Answer, isAnswer, unsentAnswer } from '../../registry/answer/answer';
import { decodeExchange, type Exchange, encodeExchange, isMismatch } from '../../registry/answer/interpret';
import type { Caller } from '../../registry/caller';
import type { RegistryClient } from '../../registry/client/client';
import { type AnyEndpoint, type CacheKeys, exactKey } from '../../registry/endpoint/endpoint';

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
  /** Equal for all spellings of a question. */
  readonly key: string;
  readonly endpoint: AnyEndpoint;
  readonly question: unknown;
  readonly cacheKeys: CacheKeys;
  readonly caller: Caller;
  readonly price: number;
  /** Purpose of the request. Its operation and its early response keep the answer for this purpose only. */
  readonly purpose: string | null;
  /** The operation that lasts which the question belongs to. Null without one. */
  readonly lasting: string | null;
  /** Kept answers that the question may use. If it is null, it uses none. */
  readonly reuse: Reuse | null;
}

/** The running call of a question. */
export interface RunningQuestion {
  /** When the call began, by `performance.now()`. */
  readonly started: number;
  /** `reuse` of the questions that joined it. The answer is kept for other requests if one of all these has its purpose. */
  readonly joined: readonly Reuse[];
}

/** Units that an early response reported as uncertain, and how many of them were charged. */
export interface Settled {
  readonly spent: number;
  readonly uncertain: number;
}

export const nothingSettled: Settled = { spent: 0, uncertain: 0 };

/** A question whose answer may be looked up. */
export type AskedQuestion = Pick<KeyedQuestion, 'endpoint' | 'question' | 'cacheKeys' | 'caller' | 'purpose'>;

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

/** Returns an answer that was paid for without its content, for a price. */
export function unreadAnswer(endpoint: string, ledgerId: string): SharedAnswer {
  const unread = unsentAnswer('NOT_RUN', endpoint, []);
  return toShared({ ...unread, evidence: { ...unread.evidence, ledgerId } }, null, reused);
}

type Spelled = Pick<AskedQuestion, 'endpoint' | 'cacheKeys'>;

/** Whether an answer is only for the spelling of its question: the registry has no record under it, or refused it. */
export const isForOneSpelling = ({ endpoint }: Spelled, { outcome }: Answer<unknown>): boolean =>
  endpoint.isSpellingExact === true && (outcome === 'NOT_FOUND' || outcome === 'INVALID_INPUT');

export const spellingOf = ({ endpoint, cacheKeys }: Spelled): string => exactKey(endpoint, cacheKeys);

/** Whether the answer to the spelling `asked` is that of the question, too. */
export const isForSpelling = (answer: Answer<unknown>, asked: Spelled, question: Spelled): boolean =>
  !isForOneSpelling(question, answer) || spellingOf(asked) === spellingOf(question);

/** Returns the question as its answer is kept: for all spellings, or only for its own. */
export const keptAs = <Question extends Spelled>(question: Question, answer: Answer<unknown>): Question =>
  isForOneSpelling(question, answer) ? { ...question, cacheKeys: [spellingOf(question)] } : question;

/** Returns the key of a question with its spelling, if another spelling may have another answer. */
export const spelledKey = (question: Pick<KeyedQuestion, 'key' | keyof Spelled>): string =>
  question.endpoint.isSpellingExact ? `${question.key}\n${spellingOf(question)}` : question.key;

/** Encodes an answer for the store: its entry, and the exchange with the service, which another process or a newer release interprets again. */
export function encodeAnswer(ledgerId: string | null, exchange: Exchange, question: Spelled): Buffer {
  const spelling = question.endpoint.isSpellingExact ? spellingOf(question) : undefined;
  return Buffer.concat([Buffer.from(`${ledgerId ?? ''}\n`), encodeExchange({ ...exchange, spelling })]);
}

/** Returns null if this release cannot read the answer, or if it is for another spelling of the question only. */
export function decodeAnswer(client: RegistryClient, asked: AskedQuestion, content: Buffer): Answer<unknown> | null {
  try {
    const end = content.indexOf('\n');
    const exchange = decodeExchange(content.subarray(end + 1));
    const answer = client.interpret<unknown, unknown>(asked.endpoint, asked.question, exchange, asked.caller);
    const { spelling = spellingOf(asked) } = exchange;
    if (isForOneSpelling(asked, answer) && spelling !== spellingOf(asked)) return null;
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

/**
 * Whether an answer may be replayed: it is not from sandbox mode, not a failure, and not about another person or employer. A rejection of the
 * input that was charged may be: the same input would be charged again.
 */
export function isCacheable({ caller }: AskedQuestion, answer: Answer<unknown>): boolean {
  const isPaidRejection = answer.outcome === 'INVALID_INPUT' && answer.evidence.billing === 'CHARGED';
  return !caller.sandbox && (isAnswer(answer) || isPaidRejection) && !isMismatch(answer);
}
