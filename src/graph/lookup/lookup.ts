import { type Answer, notAsked } from '../../registry/answer/answer';
import { isTrusted } from '../../registry/answer/interpret';
import { type Problem, problem } from '../../registry/answer/problem';
import type { AnyEndpoint, Endpoint } from '../../registry/endpoint/endpoint';
import type { Context } from '../context';
import { type Invalid, isInvalid, type Validated } from './input';
import type { RegistryLookup } from './types';

/** Asks a question, unless its input is invalid, and adds the fields that `toFields` makes of the payload (null where there is none). */
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
    const warnings = concat(question.warnings, review?.(answer));
    if (warnings.length > 0) dataSource.noteProblems?.(warnings);
    return toLookup(answer, warnings, toFields(answer.payload, answer));
  });
}

/** What is to be minded in an answer that only whoever asked can see; an answer itself is shared. */
export type Review<Payload> = (answer: Answer<Payload>) => readonly Problem[];

/** Adds problems that a field found in its answer to its lookup. */
export function withProblems<Lookup extends RegistryLookup>(
  { dataSource }: Context,
  lookup: Lookup,
  problems: readonly Problem[],
): Lookup {
  dataSource.noteProblems?.(problems);
  return { ...lookup, problems: [...lookup.problems, ...problems] };
}

/** A lookup whose registry holds records, none of which is of whom it was asked about. */
export function withoutMatch<Lookup extends RegistryLookup>(
  context: Context,
  lookup: Lookup,
  words: { readonly message: string; readonly spanish: string },
): Lookup {
  return withProblems(context, { ...lookup, outcome: 'NOT_FOUND' }, [problem('NO_RECORD_MATCHES', words)]);
}

/** An answer as a lookup. */
export function toLookup<Fields>(
  answer: Answer<unknown>,
  warnings: readonly Problem[],
  fields: Fields,
): RegistryLookup & Fields {
  const { outcome, evidence, problems } = answer;
  return { outcome, evidence, problems: warnings.length === 0 ? problems : [...warnings, ...problems], ...fields };
}

/** An answer that was never asked for, because its input was invalid. */
export function rejectedAnswer(context: Context, endpoint: AnyEndpoint, invalid: Invalid): Answer<never> {
  const { outcome, problems } = invalid;
  context.dataSource.recordRejection(outcome, problems);
  return notAsked(outcome, context.dataSource.address(endpoint), problems);
}

/** `records` of a lookup: null unless the registry answered. */
export function mapRecords<Wire, Record>(
  answer: Answer<unknown>,
  wire: readonly Wire[] | null,
  toRecord: (wire: Wire) => Record,
): readonly Record[] | null {
  if (answer.outcome !== 'FOUND' && answer.outcome !== 'NOT_FOUND') return null;
  return (wire ?? []).map(toRecord);
}

/** Asks on the way to another question: its payload where it can be trusted, else its problems. */
export function fetchPrerequisite<Question, Payload>(
  context: Context,
  endpoint: Endpoint<Question, Payload>,
  question: Question,
  review?: Review<Payload>,
): Promise<{ readonly payload: Payload | null; readonly problems: readonly Problem[] }> {
  return context.dataSource.fetch(endpoint, question, context.path).then((answer) => {
    const problems = concat(answer.problems, review?.(answer));
    const payload = isTrusted(answer) && problems === answer.problems ? answer.payload : null;
    return { payload, problems };
  });
}

/** As a rule there is nothing to add, and nothing to copy. */
function concat(problems: readonly Problem[], added: readonly Problem[] = []): readonly Problem[] {
  return added.length === 0 ? problems : [...problems, ...added];
}
