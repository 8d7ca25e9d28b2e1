import type { Problem } from './problem';

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
}

/** Answer to a question. `payload` has a value if the registry answered, even if it has no record. */
export interface Answer<Payload> {
  readonly outcome: Outcome;
  readonly payload: Payload | null;
  readonly evidence: Evidence;
  readonly problems: readonly Problem[];
  /** With INVALID_INPUT: the service validated the data and found it invalid, according to its documented message. */
  readonly failsValidation?: true;
  /** Size of the received body in bytes, which a cache counts. */
  readonly bytes: number;
}

/** The request has no token, or one that the service rejects. */
export class UnauthenticatedError extends Error {
  override readonly name = 'Unauthenticated';
}

export function notSent(endpoint: string): Evidence {
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
  };
}

export function unsentAnswer(outcome: Outcome, endpoint: string, problems: readonly Problem[]): Answer<never> {
  return { outcome, payload: null, evidence: notSent(endpoint), problems, bytes: 0 };
}

export function asReplay<Payload>(answer: Answer<Payload>): Answer<Payload> {
  const { evidence } = answer;
  if (evidence.servedFrom !== 'LIVE') return answer;
  return { ...answer, evidence: { ...evidence, servedFrom: 'REPLAY', units: 0, billing: 'NOT_CHARGED' } };
}
