import { type Problem, type ProblemCode, problem } from '../../registry/answer/problem';
import { isPlaceholder } from '../../registry/endpoint/endpoint';
import type { Context } from '../context';
import { maxInputLength } from '../validation/normalise';

/** Input that may be asked with (and what to warn of), or the reason why no question can be put. */
export type Validated<Value> = Valid<Value> | Invalid;

export interface Valid<Value> {
  readonly value: Value;
  readonly warnings: readonly Problem[];
}

export interface Invalid {
  readonly outcome: 'INVALID_INPUT' | 'NOT_RUN';
  readonly problems: readonly Problem[];
}

/** A broken rule of an identifier, as the rules of `validation/` name it. */
interface RuleViolation {
  readonly code: ProblemCode;
  readonly message: string;
  readonly spanish: string;
}

const noWarnings: readonly Problem[] = [];

export function valid<Value>(value: Value, warnings: readonly Problem[] = noWarnings): Valid<Value> {
  return { value, warnings };
}

export function isInvalid(input: Validated<unknown>): input is Invalid {
  return 'outcome' in input;
}

/** The input breaks a rule: reported at no cost. Without words of its own it says what the code says. */
export function invalid(
  code: ProblemCode,
  path: readonly string[],
  words: { readonly message?: string; readonly spanish?: string } = {},
): Invalid {
  return { outcome: 'INVALID_INPUT', problems: [problem(code, { path, ...words })] };
}

const spanishNames = {
  'the NSS': 'el NSS',
  'the CURP': 'la CURP',
  'the RFC': 'el RFC',
  'the name': 'el nombre',
  'the obligated subject': 'el sujeto obligado',
} as const;

/** No registry knew an identifier; `causes` are the problems of those that were asked for it, null when none was. */
export function missingIdentifier(
  what: keyof typeof spanishNames,
  path: readonly string[],
  causes: readonly Problem[] | null = null,
): Invalid {
  const attempt = causes === null ? '' : ' and could not be found through what was';
  const message = `This field needs ${what}, which was not given${attempt}.`;
  const spanishAttempt = causes === null ? '' : ' ni se pudo encontrar a partir de lo dado';
  const spanish = `Este campo necesita ${spanishNames[what]}: no se dio${spanishAttempt}.`;
  return {
    outcome: 'NOT_RUN',
    problems: [...(causes ?? []), problem('MISSING_IDENTIFIER', { path, message, spanish })],
  };
}

/** Checks an identifier against its rule. A wrong check digit is a warning where the operator says so. */
export function validate(
  context: Context,
  value: string,
  rule: (value: string) => RuleViolation | null,
  path: readonly string[],
): Validated<string> {
  if (context.dataSource.isDryRun && isPlaceholder(value)) return valid(value);
  // A router's key of another kind than text arrives here as nothing.
  if (value === '') return invalid('INVALID_FORMAT', path, emptyIdentifier);
  // Here and not in each rule: the same input is judged again for every field that asks with it.
  if (value.length > maxInputLength) return invalid('INVALID_FORMAT', path, longInput);
  const violation = rule(value);
  if (violation === null) return valid(value);
  const { code, message, spanish } = violation;
  if (code === 'WRONG_CHECK_DIGIT' && context.checkDigits === 'warn')
    return valid(value, [problem(code, { path, message, spanish })]);
  return invalid(code, path, { message, spanish });
}

const emptyIdentifier = {
  message: 'The identifier is empty, or came as something other than text.',
  spanish: 'El identificador está vacío, o llegó como algo distinto de texto.',
};

const longInput = {
  message: 'The input has more than 1,000 characters: no identifier or name has.',
  spanish: 'El dato tiene más de 1,000 caracteres: ningún identificador ni nombre los tiene.',
};

/** Several inputs of one question: all valid, or every problem at once. */
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
