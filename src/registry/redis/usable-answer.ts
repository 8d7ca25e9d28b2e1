import type { Answer } from '../answer/answer';
import type { Exchange } from '../answer/exchange';
import { isCacheable, isFresh, type KeyedQuestion } from '../answers/answer-store';

/** Options for the interpretation of stored exchanges. */
export interface InterpretationOptions {
  readonly windowMs: number;
  readonly now: () => Date;
  /** Interprets an exchange by the rules of this release. */
  readonly interpret: (question: KeyedQuestion, exchange: Exchange) => Answer<unknown>;
}

/** Maximum difference between the clocks of two instances. */
const clockToleranceMs = 120_000;

/** Returns the answer of a stored exchange. Null if it may not be replayed. */
export function interpretIfUsable(
  { windowMs, now, interpret }: InterpretationOptions,
  question: KeyedQuestion,
  exchange: Exchange,
): Answer<unknown> | null {
  const age = Math.abs(now().getTime() - exchange.checkedAt.getTime());
  if (age > windowMs + clockToleranceMs) return null;
  try {
    const answer = interpret(question, exchange);
    return isCacheable(answer) && isFresh(answer, question.endpoint, now()) ? answer : null;
  } catch {
    return null;
  }
}
