import { type Answer, isAnswer } from '../../registry/answer/answer';
import type { Caller } from '../../registry/caller';
import { times } from '../../times';
import { TenantCache } from '../calls/tenant-cache';
import { answerBytes, maxAnswerBytes } from './memory-answers';
import {
  isFresh,
  type KeyedQuestion,
  nothingSettled,
  type Settled,
  type SharedAnswer,
  spelledKey,
  toShared,
} from './shared-answer';

/** Milliseconds from their arrival that the answers of an early response are kept for its caller, whatever `REPLAY_SECONDS` is. */
export const keptMs = 60_000;

interface KeptAnswer {
  readonly shared: SharedAnswer;
  readonly arrived: number;
  /** Outcome of the price that the early response reported as uncertain. Undefined if a response has reported it, or if it is not known. */
  settled: Settled | undefined;
}

/**
 * Answers of requests that were answered early, also those that arrived later. A follow-up sends the same operation again, and gets each
 * of them free of charge, also failures and answers about somebody else, which no other caller gets.
 */
export class EarlyAnswers {
  private readonly answers: TenantCache<KeptAnswer>;
  private generation = 0;

  constructor(
    private readonly sources: EarlySources,
    maxSize = maxAnswerBytes,
  ) {
    const sizeOf = ({ shared }: KeptAnswer): number => answerBytes(shared.answer);
    this.answers = new TenantCache({ maxSize, sizeOf, ttl: keptMs });
  }

  of({ tenant }: Caller, owner: WindowOwner): CallerWindow {
    const { generation } = this;
    const isErased = (): boolean => this.generation !== generation;
    return new CallerWindow(this.answers, tenant, owner, this.sources, isErased);
  }

  /** Forgets all answers, because a person was erased. Requests that began before keep none. */
  forget(): void {
    this.generation += 1;
    this.answers.clear();
  }
}

/** The caller of an early response, and the purpose of its calls. */
export interface WindowOwner {
  readonly holder: string | null;
  readonly purpose: string | null;
}

/** Returns the name of a window within its account. */
export const windowOf = ({ holder, purpose }: WindowOwner): string => `${holder ?? ''}\n${purpose ?? ''}`;

export interface EarlySources {
  readonly now: () => Date;
  /** Returns an answer that any caller of the account has paid for since. */
  find(question: KeyedQuestion): Answer<unknown> | undefined | Promise<Answer<unknown> | undefined>;
  /** Keeps an answer for the same caller in other processes, for so many milliseconds. */
  publish(question: KeyedQuestion, owner: WindowOwner, shared: SharedAnswer, ms: number): void;
  /** Returns the units that no process has reported yet. `settled` are those that this process knows. */
  settle(question: KeyedQuestion, owner: WindowOwner, settled: Settled): Settled | Promise<Settled>;
}

export class CallerWindow {
  readonly name: string;

  constructor(
    private readonly answers: TenantCache<KeptAnswer>,
    private readonly tenant: string,
    private readonly owner: WindowOwner,
    private readonly sources: EarlySources,
    private readonly isErased: () => boolean,
  ) {
    this.name = windowOf(owner);
  }

  /** Keeps an answer until a minute after its arrival, however often it is kept again. The pause of a failure ends, too. */
  keep(question: KeyedQuestion, { settled, ...shared }: SharedAnswer, received: number): void {
    const key = this.keyOf(question);
    const { checkedAt, servedFrom } = shared.answer.evidence;
    // A question that was not sent cost nothing, and the next request may send it. An operation that lasts keeps its answers itself.
    if (servedFrom === 'NOT_SENT' || shared.keptBy !== null || this.isErased()) return;
    const kept = this.answers.get(key);
    const isSame = kept?.shared.answer.evidence.checkedAt === checkedAt;
    // A failure comes from its call. An answer may have been found, and has arrived earlier.
    const found = isAnswer(shared.answer) ? performance.now() - this.ageMs(shared) : received;
    const arrived = isSame ? kept.arrived : found;
    const leftMs = arrived + keptMs - performance.now();
    if (leftMs <= 0) return;
    this.answers.set(this.tenant, key, { shared, arrived, settled: settled ?? kept?.settled }, leftMs);
    const pauseMs = isAnswer(shared.answer) ? leftMs : arrived + retryMs(shared) - performance.now();
    this.sources.publish(question, this.owner, { ...shared, settled }, Math.min(leftMs, pauseMs));
  }

  /** Returns what a question settles, once. Undefined if it repeats none of an early response of this caller. */
  settle(question: KeyedQuestion): Settled | Promise<Settled> | undefined {
    const kept = this.answers.get(this.keyOf(question));
    if (kept === undefined) return undefined;
    const { settled } = kept;
    kept.settled = undefined;
    return settled === undefined ? nothingSettled : this.sources.settle(question, this.owner, settled);
  }

  /** Returns the kept answer to a question. A failure is no longer returned after its `retryAfter`. */
  find(question: KeyedQuestion): SharedAnswer | undefined {
    const kept = this.answers.get(this.keyOf(question));
    if (kept === undefined || this.ageMs(kept.shared) >= keptMs) return undefined;
    const { shared, arrived } = kept;
    const { answer } = shared;
    if (isAnswer(answer)) return isFresh(answer, question.endpoint, this.sources.now()) ? shared : undefined;
    const leftMs = arrived + retryMs(shared) - performance.now();
    return leftMs > 0 ? { ...shared, answer: withRetryAfter(answer, Math.ceil(leftMs / 1_000)) } : undefined;
  }

  private keyOf(question: KeyedQuestion): string {
    return `${this.name}\n${spelledKey(question)}`;
  }

  /** Returns the milliseconds since an answer arrived. The clocks of two processes may differ. */
  private ageMs({ answer: { evidence } }: SharedAnswer): number {
    return evidence.checkedAt === null ? 0 : Math.max(0, this.sources.now().getTime() - evidence.checkedAt.getTime());
  }

  async latest(question: KeyedQuestion, kept: SharedAnswer): Promise<SharedAnswer> {
    const newer = isAnswer(kept.answer) ? undefined : await this.sources.find(question);
    return newer === undefined ? kept : toShared(newer, null);
  }
}

function retryMs({ answer, isUncertain }: SharedAnswer): number {
  const seconds = Math.max(...answer.problems.map(({ retryAfter }) => retryAfter ?? 0));
  if (seconds > 0) return 1_000 * seconds;
  return isUncertain ? keptMs : times.freeFailure;
}

/** Returns a failure with the seconds after which it is asked again. Any other answer is returned as it is. */
export function withRetryAfter(answer: Answer<unknown>, retryAfter: number): Answer<unknown> {
  if (isAnswer(answer)) return answer;
  const problems = answer.problems.map((problem) => (problem.retryable ? { ...problem, retryAfter } : problem));
  return { ...answer, problems };
}
