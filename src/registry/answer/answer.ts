import type { AnyEndpoint } from '../endpoint/endpoint';
import { type NamedCode, type Problem, problem } from './problem';

export type Outcome = 'FOUND' | 'NOT_FOUND' | 'INVALID_INPUT' | 'NOT_PERMITTED' | 'UNAVAILABLE' | 'NOT_RUN';
export type ServedFrom = 'LIVE' | 'REPLAY' | 'KEPT' | 'SANDBOX' | 'NOT_SENT';
export type Billing = 'CHARGED' | 'NOT_CHARGED' | 'UNKNOWN';

export interface Evidence {
  readonly validationCode: string | null;
  readonly endpoint: string;
  readonly status: number | null;
  readonly message: string | null;
  readonly checkedAt: Date | null;
  readonly servedFrom: ServedFrom;
  readonly units: number;
  readonly billing: Billing;
  readonly ledgerId: string | null;
  /** Seconds between the call and the response that shows an answer which was paid for before. Null if it was just asked. */
  readonly age: number | null;
}

/** Answer to a question. `payload` is null if the registry returned no data. With NOT_FOUND it is null or has no records. */
export interface Answer<Payload> {
  readonly outcome: Outcome;
  readonly payload: Payload | null;
  readonly evidence: Evidence;
  readonly problems: readonly Problem[];
  /** With INVALID_INPUT: the service validated the data and found it invalid, according to its documented message. */
  readonly failsValidation?: true;
  /** Size of the received body in bytes, which a cache counts. */
  readonly bytes: number;
  /** SHA-256 of the received body, as hexadecimal. Absent if none was received. */
  readonly sha256?: string;
}

/** The request has no token, or one that the service rejects. */
export class UnauthenticatedError extends Error {
  override readonly name = 'Unauthenticated';
}

export function unsentEvidence(endpoint: string): Evidence {
  return {
    validationCode: null,
    endpoint,
    status: null,
    message: null,
    checkedAt: null,
    servedFrom: 'NOT_SENT',
    units: 0,
    billing: 'NOT_CHARGED',
    ledgerId: null,
    age: null,
  };
}

export function unsentAnswer(outcome: Outcome, endpoint: string, problems: readonly Problem[]): Answer<never> {
  return { outcome, payload: null, evidence: unsentEvidence(endpoint), problems, bytes: 0 };
}

export interface AskedQuestion {
  readonly endpoint: AnyEndpoint;
  readonly question: unknown;
  readonly answer: Answer<unknown>;
}

export const isAnswer = ({ outcome }: Pick<Answer<unknown>, 'outcome'>): boolean =>
  outcome === 'FOUND' || outcome === 'NOT_FOUND';

/** Returns the age of an answer in seconds. The clocks of two processes may differ. */
export const ageOf = (checkedAt: Date | null, now: Date): number | null =>
  checkedAt === null ? null : Math.max(0, Math.floor((now.getTime() - checkedAt.getTime()) / 1_000));

export function asReplay<Payload>(
  answer: Answer<Payload>,
  servedFrom: ServedFrom = 'REPLAY',
  age: number | null = null,
): Answer<Payload> {
  const { evidence } = answer;
  if (evidence.servedFrom !== 'LIVE') return answer;
  return { ...answer, evidence: { ...evidence, servedFrom, units: 0, billing: 'NOT_CHARGED', age } };
}

export const skippedAnswer = (address: string, code: NamedCode): Answer<never> =>
  unsentAnswer('NOT_RUN', address, [problem(code)]);

export function notPermitted(address: string, { scope }: AnyEndpoint): Answer<never> {
  const message = `The caller lacks the permission \`${scope}\`.`;
  const spanish = `A quien pregunta le falta el permiso \`${scope}\`.`;
  return unsentAnswer('NOT_PERMITTED', address, [problem('MISSING_PERMISSION', { message, spanish })]);
}

export function circuitOpenAnswer(
  address: string,
  { scope, remainingMs }: { readonly scope: 'all' | 'account'; readonly remainingMs: number },
): Answer<never> {
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
