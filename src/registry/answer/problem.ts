import type { CodeEntry, ProblemEntry, ProblemsIn } from '../../identifiers/code-entry';
import type { Language } from '../../identifiers/text';
import { registryCodes } from './codes';

/** The codes of problems. A room above adds the codes of its own table, beside that table. */
export interface ProblemCodes extends ProblemsIn<typeof registryCodes> {}

export type ProblemCode = keyof ProblemCodes;

/** Whether problems have the code, so that it is a value of the enum `ProblemCode`. */
export const isProblem = (entry: CodeEntry): entry is ProblemEntry<ProblemCode> => entry.spanish !== null;

/** A code of a problem: the name of a code that every room may use, or the entry of a code that belongs to a room above. */
export type NamedCode = keyof typeof registryCodes | ProblemEntry<ProblemCode>;

export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  /** The message in Spanish. Omitted if the message is the service's own. */
  readonly spanish?: string;
  readonly path: readonly string[] | null;
  readonly retryable: boolean;
  readonly retryAfter: number | null;
  /** ID of the budget that refused the call. */
  readonly budget?: string;
  /** A warning that changes no outcome, and no question that depends on the answer. */
  readonly isRemark?: true;
  /** The value of the caller and that of the registry, if a remark is about the difference. No message has them. */
  readonly given?: string | null;
  readonly recorded?: string | null;
}

interface ProblemDetails {
  readonly message?: string;
  /** The message in Spanish. Omitted if the message is the service's own. */
  readonly spanish?: string;
  readonly path?: readonly string[];
  readonly retryAfter?: number | null;
  readonly budget?: string;
  readonly given?: string;
  readonly recorded?: string;
}

export function problem(named: NamedCode, details: ProblemDetails = {}): Problem {
  const entry = typeof named === 'string' ? registryCodes[named] : named;
  const spanish = details.message === undefined ? entry.spanish : details.spanish;
  return {
    code: entry.code,
    message: details.message ?? entry.message,
    ...(spanish === undefined ? {} : { spanish }),
    path: details.path ?? null,
    retryable: entry.retryable,
    retryAfter: details.retryAfter ?? null,
    ...(details.budget === undefined ? {} : { budget: details.budget }),
    ...(entry.isRemark ? { isRemark: true } : {}),
    ...(details.given === undefined ? {} : { given: details.given }),
    ...(details.recorded === undefined ? {} : { recorded: details.recorded }),
  };
}

export const isRemark = (found: Problem): boolean => found.isRemark === true;

/** Whether a call failed with this code because the registry did not answer. Other codes are about the account. */
export const isRegistryFailure = ({ code, retryable }: Pick<Problem, 'code' | 'retryable'>): boolean =>
  retryable && code !== 'RATE_LIMITED';

export function inLanguage<Reported extends Pick<Problem, 'message' | 'spanish'>>(
  { spanish, ...reported }: Reported,
  language: Language,
): Omit<Reported, 'spanish'> {
  return spanish === undefined || language === 'en' ? reported : { ...reported, message: spanish };
}

/** Whether a text is a code of the portal, which padron passes on unchanged. */
export function isPortalCode(code: string): code is keyof typeof registryCodes & `IMSS_${string}` {
  return code.startsWith('IMSS_') && Object.hasOwn(registryCodes, code);
}
