import { type Answer, notAsked } from '../../registry/answer';
import type { AnyEndpoint, Endpoint } from '../../registry/endpoint';
import type { Problem } from '../../registry/problem';
import { isTrusted } from '../../registry/verdict';
import type { Context } from '../context';
import { type Given, isRefusal, type Refusal } from './input';
import type { RegistryLookup } from './types';

/** Puts a question, unless its input is refused, and shows the answer as `show` says (null where there is no payload). */
export function lookUp<Question, Payload, Shown>(
  context: Context,
  endpoint: Endpoint<Question, Payload>,
  question: Given<Question>,
  show: (payload: Payload | null, answer: Answer<Payload>) => Shown,
): Promise<RegistryLookup & Shown> {
  if (isRefusal(question)) {
    const answer = refusedAnswer(context, endpoint, question);
    return Promise.resolve(shown(answer, [], show(null, answer)));
  }
  const { dataSource } = context;
  return dataSource.fetch(endpoint, question.value).then((shared) => {
    const answer = dataSource.attributeCost(endpoint, shared);
    return shown(answer, question.warnings, show(answer.payload, answer));
  });
}

/** An answer as a lookup. */
export function shown<Shown>(
  answer: Answer<unknown>,
  warnings: readonly Problem[],
  parts: Shown,
): RegistryLookup & Shown {
  const { outcome, evidence, problems } = answer;
  return { outcome, evidence, problems: warnings.length === 0 ? problems : [...warnings, ...problems], ...parts };
}

/** An answer that was never asked for, because its input was refused. */
export function refusedAnswer(context: Context, endpoint: AnyEndpoint, refusal: Refusal): Answer<never> {
  const { refused, problems } = refusal;
  context.dataSource.recordRejection(refused, problems);
  return notAsked(refused, context.dataSource.address(endpoint), problems);
}

/** `records` of a lookup: null unless the registry answered. */
export function recordsOf<Wire, Record>(
  answer: Answer<unknown>,
  wire: readonly Wire[] | null,
  toRecord: (wire: Wire) => Record,
): readonly Record[] | null {
  if (answer.outcome !== 'FOUND' && answer.outcome !== 'NOT_FOUND') return null;
  return (wire ?? []).map(toRecord);
}

/** Asks on the way to another question: its payload where it can be trusted, else its problems. */
export function askOnTheWay<Question, Payload>(
  context: Context,
  endpoint: Endpoint<Question, Payload>,
  question: Question,
): Promise<{ readonly payload: Payload | null; readonly problems: readonly Problem[] }> {
  return context.dataSource
    .fetch(endpoint, question)
    .then((answer) => ({ payload: isTrusted(answer) ? answer.payload : null, problems: answer.problems }));
}
