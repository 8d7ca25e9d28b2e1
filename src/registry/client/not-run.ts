import { type Answer, notAsked } from '../answer/answer';
import { type ProblemCode, problem } from '../answer/problem';
import type { Pause } from './registry-circuit';

/** A question that is not put. */
export const notRun = (address: string, code: ProblemCode): Answer<never> =>
  notAsked('NOT_RUN', address, [problem(code)]);

/** The same where its registry is left alone. */
export function paused(address: string, { scope, remainingMs }: Pause): Answer<never> {
  const retryAfter = Math.max(1, Math.ceil(remainingMs / 1_000));
  const own = {
    message: 'Not asked: this registry keeps failing for this account, and is left alone for a moment.',
    spanish: 'No se consultó: este registro falla una y otra vez para esta cuenta, y se le deja descansar un momento.',
  };
  return notAsked('NOT_RUN', address, [
    problem('REGISTRY_PAUSED', { retryAfter, ...(scope === 'account' ? own : null) }),
  ]);
}
