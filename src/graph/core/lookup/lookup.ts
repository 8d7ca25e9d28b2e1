import { type Answer, unsentAnswer } from '../../../registry/answer/answer';
import { isTrusted } from '../../../registry/answer/interpret';
import { type Problem, problem } from '../../../registry/answer/problem';
import type { AnyEndpoint, Endpoint } from '../../../registry/endpoint/endpoint';
import type { Context } from '../context';
import { type Invalid, isInvalid, type Validated } from './input';
import type { RegistryLookup } from './types';

/**
 * Calls the endpoint if the input is valid. Returns a lookup with the fields that `toFields` makes of the payload, which is null if
 * there is none.
 */
export function lookUp<Question, Payload, Fields>(
  context: Context,
  endpoint: Endpoint<Question, Payload>,
  question: Validated<Question>,
  toFields: (payload: Payload | null, answer: Answer<Payload>) => Fields,
  review?: Review<Payload>,
): Promise<RegistryLookup & Fields> {
  if (isInvalid(question)) {
    const answer = rejectedAnswer(context, endpoint, question);
    return Promise.resolve(toLookup(answer, [], toFields(null, answer)));
  }
  const { dataSource } = context;
  return dataSource.fetch(endpoint, question.value, context.path).then((shared) => {
    const answer = dataSource.attributeCost(endpoint, shared);
    const warnings = concat(question.warnings, reviewed(context, endpoint, question.value, answer, review));
    if (warnings.length > 0) dataSource.noteProblems?.(warnings);
    return toLookup(answer, warnings, toFields(answer.payload, answer));
  });
}

/**
 * Compares an answer with what the caller provided and returns the problems. They are not part of the answer, because several
 * requests may share it.
 */
export type Review<Payload> = (answer: Answer<Payload>) => readonly Problem[];

export function withProblems<Lookup extends RegistryLookup>(
  { dataSource }: Context,
  lookup: Lookup,
  problems: readonly Problem[],
): Lookup {
  dataSource.noteProblems?.(problems);
  return { ...lookup, problems: [...lookup.problems, ...problems] };
}

/** Returns a lookup as NOT_FOUND, because none of its records belongs to the subject of the question. */
export function withoutMatch<Lookup extends RegistryLookup>(
  context: Context,
  lookup: Lookup,
  texts: { readonly message: string; readonly spanish: string },
): Lookup {
  return withProblems(context, { ...lookup, outcome: 'NOT_FOUND' }, [problem('NO_RECORD_MATCHES', texts)]);
}

export function toLookup<Fields>(
  answer: Answer<unknown>,
  warnings: readonly Problem[],
  fields: Fields,
): RegistryLookup & Fields {
  const { outcome, evidence, problems } = answer;
  return { outcome, evidence, problems: warnings.length === 0 ? problems : [...warnings, ...problems], ...fields };
}

export function rejectedAnswer(context: Context, endpoint: AnyEndpoint, invalid: Invalid): Answer<never> {
  const { outcome, problems } = invalid;
  context.dataSource.recordRejection(outcome, problems);
  return unsentAnswer(outcome, context.dataSource.address(endpoint), problems);
}

/** Returns the `records` of a lookup. Returns null unless the registry answered. */
export function mapRecords<Wire, Record>(
  answer: Answer<unknown>,
  wire: readonly Wire[] | null,
  toRecord: (wire: Wire) => Record,
): readonly Record[] | null {
  if (answer.outcome !== 'FOUND' && answer.outcome !== 'NOT_FOUND') return null;
  return (wire ?? []).map(toRecord);
}

/** Makes a call whose answer another call needs. Returns the payload only if the answer has no problem that makes it unreliable. */
export function fetchPrerequisite<Question, Payload>(
  context: Context,
  endpoint: Endpoint<Question, Payload>,
  question: Question,
  review?: Review<Payload>,
): Promise<{ readonly payload: Payload | null; readonly problems: readonly Problem[] }> {
  return context.dataSource.fetch(endpoint, question, context.path).then((answer) => {
    const problems = concat(answer.problems, reviewed(context, endpoint, question, answer, review));
    const payload = isTrusted(answer) && problems === answer.problems ? answer.payload : null;
    return { payload, problems };
  });
}

/** Returns the problems of an answer that a review finds, and records the first one in the ledger. */
function reviewed<Question, Payload>(
  { dataSource }: Context,
  endpoint: Endpoint<Question, Payload>,
  question: Question,
  answer: Answer<Payload>,
  review?: Review<Payload>,
): readonly Problem[] {
  const problems = review?.(answer) ?? [];
  const [first] = problems;
  if (first !== undefined) dataSource.recordProblem?.(endpoint, question, answer, first);
  return problems;
}

function concat(problems: readonly Problem[], added: readonly Problem[] = []): readonly Problem[] {
  return added.length === 0 ? problems : [...problems, ...added];
}
