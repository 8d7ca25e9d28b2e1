import type { Answer } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';

const accountProblems: ReadonlySet<string> = new Set([
  'TOKEN_REFUSED',
  'INSUFFICIENT_UNITS',
  'IMSS_SESSION_REQUIRED',
  'IMSS_SESSION_EXPIRED',
  'BUDGET_EXHAUSTED',
]);

/** Whether the problem keeps the whole account from being answered, not only this question. */
export function isAccountProblem(code: string): boolean {
  return accountProblems.has(code);
}

/**
 * Whether the batch keeps no answer to the question: it was not sent, or it failed without a charge and may succeed later. Such a
 * question can be claimed again. A replayed answer is always kept.
 */
export function isReleased({ outcome, evidence, problems }: Answer<unknown>): boolean {
  if (evidence.servedFrom === 'NOT_SENT') return true;
  if (outcome === 'FOUND' || outcome === 'NOT_FOUND' || evidence.servedFrom === 'REPLAY') return false;
  return evidence.billing === 'NOT_CHARGED' && problems.some(mayPass);
}

/** Whether the problem may be gone a moment later, or when the account is in order again. */
const mayPass = ({ retryable, code }: Problem): boolean => retryable || isAccountProblem(code);
