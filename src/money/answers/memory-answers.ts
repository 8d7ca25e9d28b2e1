import { type Answer, isAnswer } from '../../registry/answer/answer';
import { isMismatch } from '../../registry/answer/interpret';
import { times } from '../../times';
import { byRule } from './rules';
import {
  isCacheable,
  isForOneSpelling,
  isFresh,
  isRecent,
  type KeyedQuestion,
  type Settled,
  type SharedAnswer,
  spelledKey,
  toShared,
} from './shared-answer';
import { TenantCache } from './tenant-cache';

export interface MemoryOptions {
  /** Milliseconds that an answer is replayed. If 0, none is. */
  readonly windowMs: number;
  readonly now: () => Date;
  readonly maxBytes?: number;
}

/** Milliseconds from their arrival that the answers of an early response are kept for its caller, whatever `REPLAY_SECONDS` is. */
export const earlyMs = 60_000;
const maxAnswerBytes = 64_000_000;
const overheadBytes = 2_000;

/** An answer as a rule keeps it. Times are by `performance.now()`. */
interface Row {
  readonly rule: 'HOLDER' | 'ACCOUNT';
  readonly shared: SharedAnswer;
  readonly asked: number;
  readonly until: number;
  /** Outcome of the price that the early response reported as uncertain. Undefined if a response has reported it, or if it is not known. */
  settled: Settled | undefined;
}

/** The answers that this process keeps by the rules HOLDER and ACCOUNT. A window is named by those whose early responses it serves. */
export class MemoryAnswers {
  private readonly rows: TenantCache<Row>;
  /** Number of times that all answers were forgotten. The answer to a call that began before the last time is not kept. */
  generation = 0;

  constructor(private readonly options: MemoryOptions) {
    const { maxBytes = maxAnswerBytes } = options;
    const sizeOf = ({ shared }: Row): number => shared.answer.bytes + overheadBytes;
    this.rows = new TenantCache({ maxSize: maxBytes, sizeOf, ttl: earlyMs });
  }

  get size(): number {
    return this.rows.count;
  }

  /** Returns the answer that a question may have. An operation that lasts has its own replays: for its questions, `isReplayed` is false. */
  find(question: KeyedQuestion, window: string | null, isReplayed = true): SharedAnswer | undefined {
    const rows = [this.ofHolder(question, window), isReplayed ? this.ofAccount(question) : undefined];
    const found = rows.filter((row) => row !== undefined);
    if (found.length === 0) return undefined;
    const now = this.options.now();
    const isUsable = ({ shared: { answer } }: Row): boolean =>
      !isAnswer(answer) || isFresh(answer, question.endpoint, now);
    const usable = byRule(found.filter(isUsable));
    const row = usable.find(({ shared }) => !isFailed(shared.answer)) ?? usable[0];
    return row && { ...row.shared, answer: withRetryAfter(row.shared.answer, row.until - performance.now()) };
  }

  /**
   * Keeps an answer for its account if it may be replayed (`isCacheable`). `asked` is when it was asked for, and `remainingMs` the rest of the replay
   * window if another process paid for it.
   */
  keep(question: KeyedQuestion, answer: Answer<unknown>, asked: number, remainingMs = this.options.windowMs): void {
    if (this.options.windowMs === 0 || !isCacheable(question, answer)) return;
    const key = isForOneSpelling(question, answer) ? spelledKey(question) : question.key;
    const until = performance.now() + remainingMs;
    const row = { rule: 'ACCOUNT', shared: toShared(answer, null), asked, until, settled: undefined } as const;
    this.rows.set(question.caller.tenant, key, row, remainingMs);
  }

  /**
   * Keeps an answer for a window until a minute after its arrival, however often it is kept again, and a failure until its pause ends. Returns when it
   * arrived and when it ends.
   */
  keepFor(
    { name, tenant }: { readonly name: string; readonly tenant: string },
    question: KeyedQuestion,
    { settled, ...shared }: SharedAnswer,
    received: number,
  ): Pick<Row, 'asked' | 'until'> {
    const { answer } = shared;
    const key = holderKey(name, question);
    const kept = this.rows.get(key);
    const isSame = kept?.shared.answer.evidence.checkedAt?.getTime() === answer.evidence.checkedAt?.getTime();
    // A failure comes from its call. An answer may have been found, and has arrived earlier.
    const asked = isAnswer(answer) ? performance.now() - this.ageMs(shared) : received;
    const ms = isAnswer(answer) ? earlyMs : Math.min(earlyMs, retryMs(shared));
    const { asked: arrived, until } = kept !== undefined && isSame ? kept : { asked, until: asked + ms };
    const row: Row = { rule: 'HOLDER', shared, asked: arrived, until, settled: settled ?? kept?.settled };
    // What the response settles is known for the whole minute.
    const leftMs = arrived + earlyMs - performance.now();
    if (leftMs > 0) this.rows.set(tenant, key, row, leftMs);
    return row;
  }

  /** Returns the outcome of an early response's uncertain price, and forgets it. Null if it is not known, undefined if the window does not have the question. */
  settle(window: string, question: KeyedQuestion): Settled | null | undefined {
    const row = this.rows.get(holderKey(window, question));
    if (row === undefined) return undefined;
    const { settled = null } = row;
    row.settled = undefined;
    return settled;
  }

  /** Forgets all answers, because a person was erased. Any of them may be about that person. */
  forget(): void {
    this.generation += 1;
    this.rows.clear();
  }

  private ofHolder(question: KeyedQuestion, window: string | null): Row | undefined {
    const row = window === null ? undefined : this.rows.get(holderKey(window, question));
    return row && row.until > performance.now() && this.ageMs(row.shared) < earlyMs ? row : undefined;
  }

  private ofAccount(question: KeyedQuestion): Row | undefined {
    const shared = this.rows.get(question.key);
    const spelled = question.endpoint.isSpellingExact ? this.rows.get(spelledKey(question)) : undefined;
    const found = spelled && (shared === undefined || shared.asked < spelled.asked) ? spelled : shared;
    return found && isRecent(found.asked, question) ? found : undefined;
  }

  /** Returns the milliseconds since an answer arrived. The clocks of two processes may differ. */
  private ageMs({ answer: { evidence } }: SharedAnswer): number {
    const { checkedAt } = evidence;
    return checkedAt === null ? 0 : Math.max(0, this.options.now().getTime() - checkedAt.getTime());
  }
}

/** Whether it is a failure, or an answer about somebody else, so that any other answer is better. */
export const isFailed = (answer: Answer<unknown>): boolean => !isAnswer(answer) || isMismatch(answer);

/** No key of a question begins with a new line. */
const holderKey = (window: string, question: KeyedQuestion): string => `\n${window}\n${spelledKey(question)}`;

function retryMs({ answer, isUncertain }: SharedAnswer): number {
  // A failure that was charged is not paid for again within the minute.
  if (answer.evidence.billing === 'CHARGED') return earlyMs;
  const seconds = Math.max(...answer.problems.map(({ retryAfter }) => retryAfter ?? 0));
  if (seconds > 0) return 1_000 * seconds;
  return isUncertain ? earlyMs : times.freeFailure;
}

/** Returns a failure with the seconds after which it is asked again. Any other answer is returned as it is. */
export function withRetryAfter(answer: Answer<unknown>, leftMs: number): Answer<unknown> {
  if (isAnswer(answer)) return answer;
  const retryAfter = Math.ceil(leftMs / 1_000);
  const problems = answer.problems.map((problem) => (problem.retryable ? { ...problem, retryAfter } : problem));
  return { ...answer, problems };
}
