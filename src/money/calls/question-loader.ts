import DataLoader from 'dataloader';
import type { Answer } from '../../registry/answer/answer';
import { isForSpelling, spelledKey } from '../answers/shared-answer';
import type { SharedQuestion } from './life/call';

/** Asks each question of a request once, whatever its spelling. */
export class QuestionLoader {
  private readonly answers;
  /** The first spelling of each question. */
  private readonly first = new Map<string, SharedQuestion>();

  constructor(ask: (question: SharedQuestion) => Promise<Answer<unknown>>) {
    // Loads a promise of the answer, because DataLoader forgets keys whose load fails, and a failure must be shared, too.
    this.answers = new DataLoader<SharedQuestion, Promise<Answer<unknown>>, string>(
      async (questions) => questions.map(ask),
      // Each question is sent as soon as its resolver has ended. The default waits for other work of the process first.
      { batch: false, cacheKeyFn: spelledKey, batchScheduleFn: queueMicrotask },
    );
  }

  async load(question: SharedQuestion): Promise<Answer<unknown>> {
    if (!question.endpoint.isSpellingExact) return this.answers.load(question);
    const first = this.first.get(question.key) ?? question;
    this.first.set(question.key, first);
    const answer = await this.answers.load(first);
    return isForSpelling(answer, first, question) ? answer : this.answers.load(question);
  }
}
