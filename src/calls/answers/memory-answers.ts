import { LRUCache } from 'lru-cache';
import type { Answer } from '../../registry/answer/answer';
import { isCacheable, isFresh, type KeyedQuestion } from './shared-answer';

export interface MemoryOptions {
  /** Seconds that an answer is replayed. If 0, no answers are kept. */
  readonly seconds: number;
  readonly now: () => Date;
  /** Maximum entries. The least recently used answer is removed first. */
  readonly maxEntries?: number;
  readonly maxBytes?: number;
}

const overheadBytes = 1_000;

export class MemoryAnswers {
  private readonly answers: LRUCache<string, Answer<unknown>> | null;

  constructor(private readonly options: MemoryOptions) {
    const { seconds, maxEntries = 20_000, maxBytes = 64_000_000 } = options;
    this.answers =
      seconds === 0
        ? null
        : new LRUCache<string, Answer<unknown>>({
            max: maxEntries,
            maxSize: maxBytes,
            sizeCalculation: ({ bytes }) => bytes + overheadBytes,
            ttl: seconds * 1_000,
            // Entries expire after their window even if they are used: they are personal data.
            ttlAutopurge: true,
          });
  }

  get size(): number {
    return this.answers?.size ?? 0;
  }

  get({ key, endpoint }: KeyedQuestion): Answer<unknown> | undefined {
    const answer = this.answers?.get(key);
    return answer !== undefined && isFresh(answer, endpoint, this.options.now()) ? answer : undefined;
  }

  /** Keeps an answer unless it is a failure. `remainingMs` is the rest of the window of an answer that another process has paid for. */
  keep({ key }: KeyedQuestion, answer: Answer<unknown>, remainingMs?: number): void {
    if (isCacheable(answer)) this.answers?.set(key, answer, remainingMs === undefined ? {} : { ttl: remainingMs });
  }

  clear(): void {
    this.answers?.clear();
  }
}
