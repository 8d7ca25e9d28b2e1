import { LRUCache } from 'lru-cache';
import type { Answer } from '../answer/answer';
import { isCacheable, type KeyedQuestion } from './answer-store';

const maxEntries = 1_000;
const keptMs = 60_000;

/**
 * Answers that missed the response for which they were paid, and that stores do not keep: failures, and answers about somebody else.
 * Each is delivered once, so that the follow-up of that response does not pay for another call. Other late answers are in the store.
 */
export class LateAnswers {
  private readonly answers = new LRUCache<string, Answer<unknown>>({
    max: maxEntries,
    ttl: keptMs,
    // Entries expire even if nobody asks for them: they are personal data.
    ttlAutopurge: true,
  });

  keep({ key }: Pick<KeyedQuestion, 'key'>, answer: Answer<unknown>): void {
    if (!isCacheable(answer) && answer.evidence.servedFrom !== 'NOT_SENT') this.answers.set(key, answer);
  }

  /** Returns the answer to a question, and forgets it. */
  take({ key }: Pick<KeyedQuestion, 'key'>): Answer<unknown> | undefined {
    const answer = this.answers.get(key);
    this.answers.delete(key);
    return answer;
  }
}
