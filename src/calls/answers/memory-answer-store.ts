import { LRUCache } from 'lru-cache';
import type { Answer } from '../../registry/answer/answer';
import { type Claim, isCacheable, isFresh, type KeyedQuestion, type RequestAnswerStore } from './answer-store';

export interface MemoryOptions {
  /** Seconds that an answer is replayed. If 0, no answers are kept. */
  readonly seconds: number;
  readonly now: () => Date;
  /** Maximum entries. The least recently used answer is removed first. */
  readonly maxEntries?: number;
  readonly maxBytes?: number;
}

const overheadBytes = 1_000;

/** The answers of this process, in memory. Their number and size are limited, and they expire after the replay window. */
export class MemoryAnswerStore implements RequestAnswerStore {
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

  getLocal({ key, endpoint }: KeyedQuestion): Answer<unknown> | undefined {
    const answer = this.answers?.get(key);
    return answer !== undefined && isFresh(answer, endpoint, this.options.now()) ? answer : undefined;
  }

  get(question: KeyedQuestion): Answer<unknown> | undefined {
    return this.getLocal(question);
  }

  claim(question: KeyedQuestion): Claim {
    const call = {
      waitedMs: 0,
      onExchange: null,
      complete: (answer: Answer<unknown>) => this.share(question, answer),
      fail: () => undefined,
      release: () => undefined,
    };
    return { kind: 'owned', lostUnits: 0, call };
  }

  share({ key }: KeyedQuestion, answer: Answer<unknown>): void {
    if (isCacheable(answer)) this.remember(key, answer);
  }

  reserve(): boolean {
    return true;
  }

  remember(key: string, answer: Answer<unknown>, remainingMs?: number): void {
    this.answers?.set(key, answer, remainingMs === undefined ? {} : { ttl: remainingMs });
  }

  async close(): Promise<void> {
    this.answers?.clear();
  }
}
