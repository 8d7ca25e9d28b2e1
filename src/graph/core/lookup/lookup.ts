import { maxInputLength } from '../../../identifiers/normalise';
import { isDamaged } from '../../../identifiers/text';
import { damagedText, type RuleViolation } from '../../../identifiers/violation';
import { type Answer, isAnswer, unsentAnswer } from '../../../registry/answer/answer';
import { isTrusted } from '../../../registry/answer/interpret';
import { isRemark, type NamedCode, type Problem, problem } from '../../../registry/answer/problem';
import { type AnyEndpoint, type Endpoint, isPlaceholder } from '../../../registry/endpoint/endpoint';
import type { LookupContext } from '../context';
import type { RegistryLookup } from './types';

export type Validated<Value> = Valid<Value> | Invalid;

export interface Valid<Value> {
  readonly value: Value;
  readonly warnings: readonly Problem[];
}

export interface Invalid {
  readonly outcome: 'INVALID_INPUT' | 'NOT_RUN';
  readonly problems: readonly Problem[];
}

const noWarnings: readonly Problem[] = [];

export function valid<Value>(value: Value, warnings: readonly Problem[] = noWarnings): Valid<Value> {
  return { value, warnings };
}

export function isInvalid(input: Validated<unknown>): input is Invalid {
  return 'outcome' in input;
}

/** Returns invalid input with a problem. Without texts the problem has the general message of its code. */
export function invalid(
  code: NamedCode,
  path: readonly string[],
  texts: { readonly message?: string; readonly spanish?: string } = {},
): Invalid {
  return { outcome: 'INVALID_INPUT', problems: [problem(code, { path, ...texts })] };
}

const spanishIdentifiers = {
  'the NSS': 'el NSS',
  'the CURP': 'la CURP',
  'the RFC': 'el RFC',
  'the name': 'el nombre',
  'the obligated subject': 'el sujeto obligado',
  'the receipt folio': 'el folio del comprobante',
} as const;

/** `causes` are the problems of the lookups that tried to find it, or null if there was no lookup. */
export function missingIdentifier(
  what: keyof typeof spanishIdentifiers,
  path: readonly string[],
  causes: readonly Problem[] | null = null,
): Invalid {
  // A call that is still running may return the identifier later.
  if (causes?.some(({ code }) => code === 'STILL_RUNNING')) return { outcome: 'NOT_RUN', problems: causes };
  const attempt = causes === null ? '' : ', which could not be found from the other identifiers';
  const message = `This field needs ${what}${attempt}. Provide it.`;
  const spanishAttempt = causes === null ? '' : ', y no se pudo encontrar con los otros datos';
  const spanish = `Este campo necesita ${spanishIdentifiers[what]}${spanishAttempt}. Agregue ese dato.`;
  return {
    outcome: 'NOT_RUN',
    problems: [...(causes ?? []), problem('MISSING_IDENTIFIER', { path, message, spanish })],
  };
}

/** Validates an identifier by its rule. A wrong check digit is a warning if the operator configured it so. */
export function validate(
  context: LookupContext,
  value: string,
  rule: (value: string) => RuleViolation | null,
  path: readonly string[],
): Validated<string> {
  if (context.dataSource.isDryRun && isPlaceholder(value)) return valid(value);
  // An entity key that is not text is empty here.
  if (value === '') return invalid('INVALID_FORMAT', path, emptyIdentifier);
  if (value.length > maxInputLength) return invalid('INVALID_FORMAT', path, longInput);
  const violation = rule(value);
  if (violation === null) return valid(value);
  const { code, message, spanish } = violation;
  if (code === 'WRONG_CHECK_DIGIT' && context.checkDigits === 'warn')
    return valid(value, [problem(code, { path, message, spanish })]);
  return invalid(code, path, { message, spanish });
}

/** Validates a text that the interface does not describe. */
export function validateText(value: string | null, maxLength: number, path: string): Validated<string | null> {
  if (value === null) return valid(value);
  if (isDamaged(value)) return invalid('INVALID_FORMAT', [path], damagedText);
  if (value.length <= maxLength) return valid(value);
  return invalid('OUT_OF_RANGE', [path], {
    message: `The text has ${value.length} characters. Send at most ${maxLength}.`,
    spanish: `El texto tiene ${value.length} caracteres; envíe ${maxLength} como máximo.`,
  });
}

const emptyIdentifier = {
  message: 'The identifier is empty or is not text. Send it as a string.',
  spanish: 'El identificador está vacío o no es texto. Envíelo como cadena.',
};

const longInput = {
  message: 'The input has more than 1,000 characters. No identifier or name is that long.',
  spanish: 'El dato tiene más de 1,000 caracteres. Ningún identificador ni nombre es tan largo.',
};

export function combine<Parts extends object>(
  parts: {
    readonly [Name in keyof Parts]: Validated<Parts[Name]>;
  },
): Validated<Parts> {
  const value: Partial<Parts> = {};
  let warnings = noWarnings;
  let invalidParts: readonly Invalid[] = [];
  for (const name in parts) {
    const input = parts[name];
    if (isInvalid(input)) {
      invalidParts = [...invalidParts, input];
      continue;
    }
    value[name] = input.value;
    if (input.warnings.length > 0) warnings = [...warnings, ...input.warnings];
  }
  return invalidParts.length > 0 ? combineInvalid(invalidParts) : valid(value as Parts, warnings);
}

function combineInvalid(invalidParts: readonly Invalid[]): Invalid {
  const isWrong = invalidParts.some(({ outcome }) => outcome === 'INVALID_INPUT');
  return { outcome: isWrong ? 'INVALID_INPUT' : 'NOT_RUN', problems: invalidParts.flatMap(({ problems }) => problems) };
}

/**
 * Calls the endpoint if the input is valid. Returns a lookup with the fields that `toFields` makes of the payload, which is null if
 * there is none.
 */
export function lookUp<Question, Payload, Fields>(
  context: LookupContext,
  endpoint: Endpoint<Question, Payload>,
  question: Validated<Question>,
  toFields: (payload: Payload | null, answer: Answer<Payload>) => Fields,
  review?: Review<Question, Payload>,
): Promise<RegistryLookup & Fields> {
  if (isInvalid(question)) {
    const answer = rejectedAnswer(context, endpoint, question);
    return Promise.resolve(toLookup(answer, [], toFields(null, answer)));
  }
  const { dataSource } = context;
  return dataSource.fetch(endpoint, question.value, context.path).then((shared) => {
    const answer = dataSource.attributeCost(endpoint, shared);
    const found = review?.(answer, question.value) ?? [];
    recordProblem(context, endpoint, question.value, answer, found);
    const warnings = concat(question.warnings, found);
    if (warnings.length > 0) dataSource.noteProblems?.(warnings);
    return toLookup(answer, warnings, toFields(answer.payload, answer));
  });
}

/**
 * Compares an answer with what the caller provided and returns the problems. They are not part of the answer, because several
 * requests may share it.
 */
export type Review<Question, Payload> = (answer: Answer<Payload>, question: Question) => readonly Problem[];

export function withProblems<Lookup extends RegistryLookup>(
  { dataSource }: LookupContext,
  lookup: Lookup,
  problems: readonly Problem[],
): Lookup {
  dataSource.noteProblems?.(problems);
  return { ...lookup, problems: [...lookup.problems, ...problems] };
}

/** Returns a lookup as NOT_FOUND, because none of its records belongs to the subject of the question. */
export function withoutMatch<Lookup extends RegistryLookup>(
  context: LookupContext,
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

export function rejectedAnswer(context: LookupContext, endpoint: AnyEndpoint, invalid: Invalid): Answer<never> {
  const { outcome, problems } = invalid;
  context.dataSource.recordRejection(outcome, problems);
  return unsentAnswer(outcome, context.dataSource.address(endpoint), problems);
}

/** Returns the `records` of a lookup. Returns null unless the registry answered with a list that can be read. */
export function mapRecords<Wire, Record>(
  answer: Answer<unknown>,
  wire: readonly Wire[] | null | undefined,
  toRecord: (wire: Wire) => Record,
): readonly Record[] | null {
  if (!isAnswer(answer) || wire === undefined) return null;
  return (wire ?? []).map(toRecord);
}

/** Makes a call whose answer another call needs. Returns the payload only if the answer has no problem that makes it unreliable. */
export function fetchPrerequisite<Question, Payload>(
  context: LookupContext,
  endpoint: Endpoint<Question, Payload>,
  question: Question,
  review?: Review<Question, Payload>,
): Promise<{ readonly payload: Payload | null; readonly problems: readonly Problem[] }> {
  return context.dataSource.fetch(endpoint, question, context.path).then((answer) => {
    const found = review?.(answer, question) ?? [];
    recordProblem(context, endpoint, question, answer, found);
    const payload = isTrusted(answer) && found.every(isRemark) ? answer.payload : null;
    return { payload, problems: concat(answer.problems, found) };
  });
}

/** Records in the ledger the first problem that is more than a remark. */
export function recordProblem(
  { dataSource }: LookupContext,
  endpoint: AnyEndpoint,
  question: unknown,
  answer: Answer<unknown>,
  problems: readonly Problem[],
): void {
  const first = problems.find((each) => !isRemark(each));
  if (first !== undefined) dataSource.recordProblem?.(endpoint, question, answer, first);
}

function concat(problems: readonly Problem[], added: readonly Problem[] = []): readonly Problem[] {
  return added.length === 0 ? problems : [...problems, ...added];
}
