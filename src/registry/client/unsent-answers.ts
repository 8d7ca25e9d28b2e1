import { type Answer, unsentAnswer } from '../answer/answer';
import { type NamedCode, problem } from '../answer/problem';
import type { AnyEndpoint } from '../endpoint/endpoint';
import type { Pause } from './registry-circuit';

export const skippedAnswer = (address: string, code: NamedCode): Answer<never> =>
  unsentAnswer('NOT_RUN', address, [problem(code)]);

export function notPermitted(address: string, { scope }: AnyEndpoint): Answer<never> {
  const message = `The caller lacks the permission \`${scope}\`.`;
  const spanish = `A quien pregunta le falta el permiso \`${scope}\`.`;
  return unsentAnswer('NOT_PERMITTED', address, [problem('MISSING_PERMISSION', { message, spanish })]);
}

export function circuitOpenAnswer(address: string, { scope, remainingMs }: Pause): Answer<never> {
  const retryAfter = Math.max(1, Math.ceil(remainingMs / 1_000));
  const own = {
    message: 'No call was made: this registry keeps failing for this account, and is paused for a moment.',
    spanish: 'No se consultó: este registro falla una y otra vez para esta cuenta y está en pausa por un momento.',
  };
  return unsentAnswer('NOT_RUN', address, [
    problem('REGISTRY_PAUSED', { retryAfter, ...(scope === 'account' ? own : null) }),
  ]);
}

export function rateLimited(address: string, remainingMs: number): Answer<never> {
  const retryAfter = Math.ceil(remainingMs / 1_000);
  return unsentAnswer('NOT_RUN', address, [
    problem('RATE_LIMITED', {
      retryAfter,
      message: 'No call was made: the service limits how often this account may call it, and asks it to wait.',
      spanish: 'No se consultó: el servicio limita cuántas veces puede preguntar esta cuenta, y pide esperar.',
    }),
  ]);
}
