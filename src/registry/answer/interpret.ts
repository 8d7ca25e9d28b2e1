import type { Endpoint } from '../endpoint/endpoint';
import type { HttpFailure, HttpResponse, HttpResult } from '../transport/transport';
import { type Answer, type Billing, type Evidence, notSent, type Outcome, UnauthenticatedError } from './answer';
import { type ParsedEnvelope, parseEnvelope, unusable } from './envelope';
import { type Problem, problem } from './problem';

export interface CallInfo {
  readonly address: string;
  readonly checkedAt: Date;
  readonly sandbox: boolean;
  readonly usesServerToken: boolean;
}

interface Classification {
  readonly outcome: Outcome;
  readonly billing: Billing;
  readonly problems: readonly Problem[];
}

/**
 * Interprets a result: its outcome, billing and proof (see the table of outcomes). Throws if the service rejects the
 * token.
 */
export function interpret<Question, Payload>(
  endpoint: Endpoint<Question, Payload>,
  question: Question,
  result: HttpResult,
  info: CallInfo,
): Answer<Payload> {
  if (result.kind === 'failed') {
    const classification = classifyFailure(result);
    return {
      ...classification,
      payload: null,
      bytes: 0,
      evidence: failureEvidence(result, endpoint.units, classification.billing, info),
    };
  }
  const envelope = judgePayload(endpoint, question, parseEnvelope(endpoint, result));
  if (envelope.kind === 'unauthenticated' && !info.usesServerToken)
    throw new UnauthenticatedError('The service refused the token.');
  const classification = classify(envelope);
  const payload = envelope.kind === 'found' || envelope.kind === 'empty' ? (envelope.payload as Payload | null) : null;
  const mismatched = payload !== null && endpoint.matches?.(payload, question) === false;
  return {
    outcome: classification.outcome,
    payload,
    bytes: result.body.length,
    problems: mismatched ? [...classification.problems, problem('ANSWER_MISMATCH')] : classification.problems,
    evidence: evidence(endpoint.units, classification.billing, info, result, envelope),
    ...(envelope.kind === 'rejected' && envelope.failsValidation ? { failsValidation: true } : null),
  };
}

/** Checks whether a payload answers the question. If that is unknown, it is neither an answer nor NOT_FOUND. */
function judgePayload<Question, Payload>(
  { explainUnusable }: Endpoint<Question, Payload>,
  question: Question,
  envelope: ParsedEnvelope,
): ParsedEnvelope {
  if (explainUnusable === undefined || envelope.kind !== 'found') return envelope;
  const reason = explainUnusable(envelope.payload as Payload, question);
  return reason === null ? envelope : unusable(reason.message, reason.spanish, envelope.meta);
}

/** Whether an answer is about the identifiers of its question, so that padron may take identifiers from it. */
export function isTrusted(answer: Answer<unknown>): boolean {
  return answer.outcome === 'FOUND' && !isMismatch(answer);
}

export function isMismatch({ problems }: Answer<unknown>): boolean {
  return problems.some(({ code }) => code === 'ANSWER_MISMATCH');
}

function classify(envelope: ParsedEnvelope): Classification {
  switch (envelope.kind) {
    case 'found':
      return { outcome: 'FOUND', billing: 'CHARGED', problems: [] };
    case 'empty':
      return { outcome: 'NOT_FOUND', billing: 'CHARGED', problems: [] };
    case 'rejected':
      return { outcome: 'INVALID_INPUT', billing: 'NOT_CHARGED', problems: envelope.problems };
    case 'forbidden':
      return { outcome: 'NOT_PERMITTED', billing: 'NOT_CHARGED', problems: envelope.problems };
    case 'unauthenticated':
      return { outcome: 'UNAVAILABLE', billing: 'NOT_CHARGED', problems: [problem('TOKEN_REFUSED')] };
    case 'rateLimited':
      return {
        outcome: 'UNAVAILABLE',
        billing: 'NOT_CHARGED',
        problems: [problem('RATE_LIMITED', { retryAfter: envelope.retryAfter })],
      };
    case 'sessionMissing':
    case 'declined':
      return { outcome: 'UNAVAILABLE', billing: 'NOT_CHARGED', problems: envelope.problems };
    case 'failed':
    case 'unusable':
      return { outcome: 'UNAVAILABLE', billing: 'UNKNOWN', problems: envelope.problems };
  }
}

export const failureCodes = {
  UNREACHABLE: 'REGISTRY_UNREACHABLE',
  TIMEOUT: 'REGISTRY_TIMEOUT',
  UNUSABLE: 'UNUSABLE_ANSWER',
} as const;

function classifyFailure(failure: HttpFailure): Classification {
  const billing = failure.sent ? 'UNKNOWN' : 'NOT_CHARGED';
  return { outcome: 'UNAVAILABLE', billing, problems: [problem(failureCodes[failure.reason])] };
}

/** Returns the evidence of a failed call. A call that was never sent has no time. */
function failureEvidence(failure: HttpFailure, price: number, billing: Billing, info: CallInfo): Evidence {
  if (!failure.sent) return notSent(info.address);
  return evidence(price, billing, info, null, null);
}

function evidence(
  price: number,
  billing: Billing,
  { address, checkedAt, sandbox }: CallInfo,
  response: HttpResponse | null,
  envelope: ParsedEnvelope | null,
): Evidence {
  return {
    validationCode: envelope?.meta.validationCode ?? null,
    endpoint: address,
    status: response?.status ?? null,
    message: envelope?.meta.message ?? null,
    checkedAt,
    servedFrom: sandbox ? 'SANDBOX' : 'LIVE',
    units: billing === 'CHARGED' && !sandbox ? price : 0,
    billing: sandbox ? 'NOT_CHARGED' : billing,
    ledgerId: null,
  };
}
