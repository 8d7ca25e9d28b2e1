import { LRUCache } from 'lru-cache';
import { isCacheable, type KeyedQuestion, type SharedAnswer } from './answer-store';

const maxEntries = 1_000;

/**
 * Answers that missed the response for which they were paid, and that stores do not keep: failures, and answers about somebody else.
 * Each is delivered once, so that the follow-up of that response does not pay for another call. Other late answers are in the store.
 */
export class LateAnswers {
  /** Milliseconds that an answer is kept. */
  readonly keptMs = 60_000;
  private readonly answers = new LRUCache<string, SharedAnswer>({
    max: maxEntries,
    ttl: this.keptMs,
    // Entries are personal data, so they expire without being read.
    ttlAutopurge: true,
  });

  keep({ key }: Pick<KeyedQuestion, 'key'>, shared: SharedAnswer): void {
    const { answer } = shared;
    if (!isCacheable(answer) && answer.evidence.servedFrom !== 'NOT_SENT') this.answers.set(key, shared);
  }

  /** Returns the answer to a question, and forgets it. */
  take({ key }: Pick<KeyedQuestion, 'key'>): SharedAnswer | undefined {
    const shared = this.answers.get(key);
    this.answers.delete(key);
    return shared;
  }
}
