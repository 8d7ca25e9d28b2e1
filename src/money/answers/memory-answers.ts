import type { Answer } from '../../registry/answer/answer';
import { TenantCache } from '../calls/tenant-cache';
import { isCacheable, isForOneSpelling, isFresh, isRecent, type KeyedQuestion, spelledKey } from './shared-answer';

export interface MemoryOptions {
  /** Milliseconds that an answer is replayed. If 0, no answers are kept. */
  readonly windowMs: number;
  readonly now: () => Date;
  readonly maxBytes?: number;
}

export const maxAnswerBytes = 64_000_000;
const overheadBytes = 2_000;

/** Returns the bytes that an answer counts in memory. */
export const answerBytes = ({ bytes }: Answer<unknown>): number => bytes + overheadBytes;

interface MemoryAnswer {
  readonly answer: Answer<unknown>;
  readonly asked: number;
}

export class MemoryAnswers {
  private readonly answers: TenantCache<MemoryAnswer> | null;
  /** Number of times that all answers were forgotten. The answer to a call that began before the last time is not kept. */
  generation = 0;

  constructor(private readonly options: MemoryOptions) {
    const { windowMs: ttl, maxBytes = maxAnswerBytes } = options;
    this.answers =
      ttl === 0 ? null : new TenantCache({ maxSize: maxBytes, sizeOf: ({ answer }) => answerBytes(answer), ttl });
  }

  get size(): number {
    return this.answers?.count ?? 0;
  }

  get(question: KeyedQuestion): Answer<unknown> | undefined {
    const shared = this.answers?.get(question.key);
    const spelled = question.endpoint.isSpellingExact ? this.answers?.get(spelledKey(question)) : undefined;
    const found = spelled && (shared === undefined || shared.asked < spelled.asked) ? spelled : shared;
    if (found === undefined || !isRecent(found.asked, question)) return undefined;
    return isFresh(found.answer, question.endpoint, this.options.now()) ? found.answer : undefined;
  }

  /**
   * Stores an answer if it may be replayed (`isCacheable`). `asked` is when it was asked for, by `performance.now()`, and `remainingMs` the rest
   * of the replay window if another process paid for it.
   */
  keep(question: KeyedQuestion, answer: Answer<unknown>, asked: number, remainingMs?: number): void {
    const key = isForOneSpelling(question, answer) ? spelledKey(question) : question.key;
    if (isCacheable(question, answer)) this.answers?.set(question.caller.tenant, key, { answer, asked }, remainingMs);
  }

  /** Forgets all answers, because a person was erased. Any of them may be about that person. */
  forget(): void {
    this.generation += 1;
    this.clear();
  }

  clear(): void {
    this.answers?.clear();
  }
}
