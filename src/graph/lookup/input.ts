import { isSupposed } from '../../registry/endpoint';
import { type Problem, type ProblemCode, problem } from '../../registry/problem';
import type { Context } from '../context';

/** Input that may be asked with (and what to warn of), or the reason why no question can be put. */
export type Given<Value> = Known<Value> | Refusal;

export interface Known<Value> {
  readonly value: Value;
  readonly warnings: readonly Problem[];
}

export interface Refusal {
  readonly refused: 'INVALID_INPUT' | 'NOT_RUN';
  readonly problems: readonly Problem[];
}

/** A broken rule of an identifier, as the rules of `scalars/` tell it. */
interface RuleFault {
  readonly code: ProblemCode;
  readonly message: string;
}

const noWarnings: readonly Problem[] = [];

export function known<Value>(value: Value, warnings: readonly Problem[] = noWarnings): Known<Value> {
  return { value, warnings };
}

export function isRefusal(given: Given<unknown>): given is Refusal {
  return 'refused' in given;
}

/** The input breaks a rule: told at no cost. */
export function invalid(code: ProblemCode, path: readonly string[], message?: string): Refusal {
  return {
    refused: 'INVALID_INPUT',
    problems: [problem(code, { path, ...(message === undefined ? {} : { message }) })],
  };
}

/** No registry could tell an identifier; `because` are the problems of those that were asked for it, null when none was. */
export function missing(what: string, path: readonly string[], because: readonly Problem[] | null = null): Refusal {
  const searched = because === null ? '' : ' and could not be found through what was';
  const message = `This field needs ${what}, which was not given${searched}.`;
  return { refused: 'NOT_RUN', problems: [...(because ?? []), problem('MISSING_IDENTIFIER', { path, message })] };
}

/** Holds a given identifier against its rule. A wrong check digit is a warning where the operator says so. */
export function checked(
  context: Context,
  value: string,
  rule: (value: string) => RuleFault | null,
  path: readonly string[],
): Given<string> {
  if (context.dataSource.isDryRun && isSupposed(value)) return known(value);
  // A router's key of another kind than text arrives here as nothing.
  if (value === '')
    return invalid('INVALID_FORMAT', path, 'The identifier is empty, or came as something other than text.');
  const fault = rule(value);
  if (fault === null) return known(value);
  if (fault.code === 'WRONG_CHECK_DIGIT' && context.checkDigits === 'warn') {
    return known(value, [problem(fault.code, { path, message: fault.message })]);
  }
  return invalid(fault.code, path, fault.message);
}

/** Several inputs of one question: all known, or every problem at once. */
export function together<Parts extends object>(
  parts: {
    readonly [Name in keyof Parts]: Given<Parts[Name]>;
  },
): Given<Parts> {
  const value: Partial<Parts> = {};
  let warnings = noWarnings;
  let refusals: readonly Refusal[] = [];
  for (const name in parts) {
    const given = parts[name];
    if (isRefusal(given)) {
      refusals = [...refusals, given];
      continue;
    }
    value[name] = given.value;
    if (given.warnings.length > 0) warnings = [...warnings, ...given.warnings];
  }
  return refusals.length > 0 ? allOf(refusals) : known(value as Parts, warnings);
}

function allOf(refusals: readonly Refusal[]): Refusal {
  const refused = refusals.some((refusal) => refusal.refused === 'INVALID_INPUT') ? 'INVALID_INPUT' : 'NOT_RUN';
  return { refused, problems: refusals.flatMap((refusal) => refusal.problems) };
}
