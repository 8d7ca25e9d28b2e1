import { type Answer, notAsked } from '../answer/answer';
import { type ProblemCode, problem } from '../answer/problem';
import type { AnyEndpoint } from '../endpoint/endpoint';
import type { Pause } from './registry-circuit';

/** The answer to a question that this client did not put. */
export const notRun = (address: string, code: ProblemCode): Answer<never> =>
  notAsked('NOT_RUN', address, [problem(code)]);

/** The answer to a question that this server's own rules forbid its caller. */
export function notPermitted(address: string, { scope }: AnyEndpoint): Answer<never> {
  const message = `The caller lacks the permission \`${scope}\`.`;
  const spanish = `A quien pregunta le falta el permiso \`${scope}\`.`;
  return notAsked('NOT_PERMITTED', address, [problem('MISSING_PERMISSION', { message, spanish })]);
}

/** A registry that is left alone. */
export function paused(address: string, { scope, remainingMs }: Pause): Answer<never> {
  const retryAfter = Math.max(1, Math.ceil(remainingMs / 1_000));
  const own = {
    message: 'No call was made: this registry keeps failing for this account, so padron pauses its calls for a moment.',
    spanish: 'No se consultó: este registro falla una y otra vez para esta cuenta, y se pausa por un momento.',
  };
  return notAsked('NOT_RUN', address, [
    problem('REGISTRY_PAUSED', { retryAfter, ...(scope === 'account' ? own : null) }),
  ]);
}

/** An account that the service has asked to wait for longer than the call may take. */
export function rateLimited(address: string, remainingMs: number): Answer<never> {
  const retryAfter = Math.ceil(remainingMs / 1_000);
  return notAsked('NOT_RUN', address, [
    problem('RATE_LIMITED', {
      retryAfter,
      message: 'No call was made: the service limits how often this account may call it, and wants it to wait.',
      spanish: 'No se consultó: el servicio limita cuántas veces puede preguntar esta cuenta, y pide esperar.',
    }),
  ]);
}
