import type { Answer, Outcome } from '../../../registry/answer/answer';
import type { Problem, ProblemCode } from '../../../registry/answer/problem';

const accountProblems: ReadonlySet<string> = new Set([
  'TOKEN_REFUSED',
  'INSUFFICIENT_UNITS',
  'IMSS_SESSION_REQUIRED',
  'IMSS_SESSION_EXPIRED',
  'BUDGET_EXHAUSTED',
  'KEEP_QUOTA_EXCEEDED',
]);

/** Whether the problem affects every call of the account until its owner fixes it. */
export function isAccountProblem(code: string): boolean {
  return accountProblems.has(code);
}

/** Whether the problem affects all rows for a while. */
export function isSystemic(code: ProblemCode): boolean {
  return systemicProblems.has(code);
}

const systemicProblems: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'RATE_LIMITED',
  'REGISTRY_PAUSED',
  'REGISTRY_UNREACHABLE',
  'TOO_MANY_CALLS',
  'LEDGER_UNAVAILABLE',
]);

/** True if the question was not answered and cost nothing, so that it may be asked again. A replayed answer releases no claim. */
export function releasesClaim({ outcome, evidence, problems }: Answer<unknown>): boolean {
  if (evidence.servedFrom === 'NOT_SENT') return true;
  if (outcome === 'FOUND' || outcome === 'NOT_FOUND' || evidence.servedFrom === 'REPLAY') return false;
  return evidence.billing === 'NOT_CHARGED' && problems.some(isTemporary);
}

const isTemporary = ({ retryable, code }: Problem): boolean => retryable || isAccountProblem(code);

/**
 * Problems that the same data would have again. If an identifier is missing because another lookup failed, that lookup decides
 * whether the row may succeed.
 */
const lastingProblems: ReadonlySet<string> = new Set(['MISSING_IDENTIFIER', 'NOT_IN_BATCH', 'SANDBOX_UNSUPPORTED']);

/**
 * Whether a failed lookup may succeed if its row is retried with the same data. It may unless the data was rejected: the
 * registry may recover, the account may get units or a permission, and the operator may raise a limit.
 */
export function maySucceedLater(outcome: Outcome, problems: readonly Problem[]): boolean {
  return outcome !== 'INVALID_INPUT' && !problems.some(({ code }) => lastingProblems.has(code));
}
