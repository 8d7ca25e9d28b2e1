import { hash } from 'node:crypto';
import { isObject } from '../../identifiers/json-value';
import type { Endpoint } from '../endpoint/endpoint';
import { type Chargeable, ownTerms, type Terms } from '../endpoint/price-list';
import type { HttpFailure, HttpResult, ResponseHeaders } from '../transport/transport';
import { explainTransfer } from '../transport/unusable-transfer';
import { type Answer, type Billing, type Evidence, type Outcome, UnauthenticatedError, unsentEvidence } from './answer';
import { type ParsedEnvelope, parseEnvelope, readBody, unusableAnswer } from './envelope';
import { type Problem, problem } from './problem';

/** An exchange with the service before its interpretation. Another instance or a newer release interprets it again. */
export interface Exchange {
  readonly result: HttpResult;
  readonly checkedAt: Date;
  /** Key of the spelling that was sent, if the answer may be for this spelling only. */
  readonly spelling?: string | undefined;
  /** The terms of its call, if a price list has others than this release. */
  readonly terms?: Terms | undefined;
}

/** Headers that the interpretation of an answer needs. The others are not kept. */
const keptHeaders = ['content-type', 'content-disposition', 'retry-after', 'x-ratelimit-remaining'] as const;

/** Encodes an exchange as bytes: the length of its head, the head as JSON, and the unchanged body. */
export function encodeExchange({ result, checkedAt, spelling, terms }: Exchange): Buffer {
  const body = result.kind === 'delivered' ? result.body : Buffer.alloc(0);
  const head = Buffer.from(JSON.stringify({ checkedAt: checkedAt.getTime(), spelling, terms, ...headOf(result) }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, body]);
}

/** Decodes an exchange. Throws if the bytes are not an exchange of this release. */
export function decodeExchange(bytes: Buffer): Exchange {
  const headEnd = 4 + bytes.readUInt32BE();
  const { checkedAt: at, spelling, terms, ...head } = JSON.parse(bytes.toString('utf8', 4, headEnd)) as StoredHead;
  const checkedAt = new Date(at);
  if (head.kind === 'failed') return { result: head, checkedAt, spelling, terms };
  if (head.kind !== 'delivered') throw new Error('The exchange is of another release.');
  return { result: { ...head, body: Buffer.from(bytes.subarray(headEnd)) }, checkedAt, spelling, terms };
}

type Head = Extract<HttpResult, { kind: 'failed' }> | Omit<Extract<HttpResult, { kind: 'delivered' }>, 'body'>;

type StoredHead = Head & { readonly checkedAt: number } & Pick<Exchange, 'spelling' | 'terms'>;

function headOf(result: HttpResult): Head {
  if (result.kind === 'failed') return result;
  return { kind: 'delivered', status: result.status, headers: pickHeaders(result.headers) };
}

function pickHeaders(headers: ResponseHeaders): ResponseHeaders {
  const kept: Record<string, string | readonly string[]> = {};
  for (const name of keptHeaders) {
    const value = headers[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

export interface CallInfo {
  readonly address: string;
  readonly checkedAt: Date;
  readonly terms?: Terms | undefined;
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
  const { units: price, charged } = info.terms ?? ownTerms(endpoint);
  if (result.kind === 'failed') {
    const classification = classifyFailure(result);
    return {
      ...classification,
      payload: null,
      bytes: 0,
      evidence: failureEvidence(result, price, classification.billing, info),
    };
  }
  const envelope = parseEnvelope(endpoint, result);
  if (envelope.kind === 'unauthenticated' && !info.usesServerToken)
    throw new UnauthenticatedError('The service refused the token.');
  const classification = classify(envelope, charged);
  const answered = envelope.kind === 'found' || envelope.kind === 'empty' ? envelope : null;
  const payload = (answered?.payload ?? null) as Payload | null;
  const { matches } = endpoint;
  const mismatched = payload !== null && typeof matches === 'function' && !matches(payload, question);
  const proof = evidence(price, classification.billing, info, result.status, envelope);
  return {
    outcome: classification.outcome,
    payload,
    bytes: result.body.length,
    sha256: hash('sha256', result.body),
    problems: [
      ...classification.problems,
      ...(mismatched ? [problem('ANSWER_MISMATCH')] : []),
      ...(answered?.remarks ?? []),
      ...remarkOnPrice(namedUnits(result, info.terms), proof),
    ],
    evidence: proof,
    ...(envelope.kind === 'rejected' && envelope.failsValidation ? { failsValidation: true } : null),
  };
}

/** Returns the units that an answer says it cost. Null if the price list does not say where, or if it is not there. */
export function namedUnits(result: HttpResult, terms: Terms | undefined): number | null {
  if (terms?.namedIn === undefined || result.kind === 'failed') return null;
  let value: unknown = readBody(result.body);
  for (const name of terms.namedIn.split('.')) value = isObject(value) ? value[name] : undefined;
  const units = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof units === 'number' && Number.isFinite(units) ? units : null;
}

/** Compares what an answer says it cost with the price list. An answer whose billing is unknown has no price to compare. */
function remarkOnPrice(named: number | null, { units, billing, servedFrom }: Evidence): readonly Problem[] {
  if (named === null || named === units || billing === 'UNKNOWN' || servedFrom === 'SANDBOX') return [];
  return [
    problem('PRICE_DIFFERS', {
      message: `The answer says that it cost ${named} units, but by the price list it cost ${units}.`,
      spanish: `La respuesta dice que costó ${named} unidades, pero según la lista de precios costó ${units}.`,
    }),
  ];
}

/** Whether an answer is about the identifiers of its question, so that padron may take identifiers from it. */
export function isTrusted(answer: Answer<unknown>): boolean {
  return answer.outcome === 'FOUND' && !isMismatch(answer);
}

export function isMismatch({ problems }: Answer<unknown>): boolean {
  return problems.some(({ code }) => code === 'ANSWER_MISMATCH');
}

function classify(envelope: ParsedEnvelope, charged: readonly Chargeable[]): Classification {
  const billingOf = (end: Chargeable): Billing => (charged.includes(end) ? 'CHARGED' : 'NOT_CHARGED');
  switch (envelope.kind) {
    case 'found':
      return { outcome: 'FOUND', billing: billingOf('FOUND'), problems: [] };
    case 'empty':
      return { outcome: 'NOT_FOUND', billing: billingOf('NOT_FOUND'), problems: [] };
    case 'rejected':
      return { outcome: 'INVALID_INPUT', billing: billingOf('INVALID_INPUT'), problems: envelope.problems };
    case 'forbidden':
      return { outcome: 'NOT_PERMITTED', billing: billingOf('NOT_PERMITTED'), problems: envelope.problems };
    case 'unauthenticated':
      return { outcome: 'UNAVAILABLE', billing: 'NOT_CHARGED', problems: [problem('TOKEN_REFUSED')] };
    case 'rateLimited': {
      const billing = billingOf('RATE_LIMITED');
      const limited = problem('RATE_LIMITED', { retryAfter: envelope.retryAfter });
      // Nothing repeats by itself what may be charged again.
      return { outcome: 'UNAVAILABLE', billing, problems: [{ ...limited, retryable: billing === 'NOT_CHARGED' }] };
    }
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
  if (failure.reason !== 'UNUSABLE')
    return { outcome: 'UNAVAILABLE', billing, problems: [problem(failureCodes[failure.reason])] };
  const { message, spanish } = explainTransfer(failure);
  return { outcome: 'UNAVAILABLE', billing, problems: [unusableAnswer(message, spanish)] };
}

/** Returns the evidence of a failed call. A call that was never sent has no time. */
function failureEvidence(failure: HttpFailure, price: number, billing: Billing, info: CallInfo): Evidence {
  if (!failure.sent) return unsentEvidence(info.address);
  return evidence(price, billing, info, failure.status ?? null, null);
}

function evidence(
  price: number,
  billing: Billing,
  { address, checkedAt, sandbox }: CallInfo,
  status: number | null,
  envelope: ParsedEnvelope | null,
): Evidence {
  return {
    validationCode: envelope?.meta.validationCode ?? null,
    endpoint: address,
    status,
    message: envelope?.meta.message ?? null,
    checkedAt,
    servedFrom: sandbox ? 'SANDBOX' : 'LIVE',
    units: billing === 'CHARGED' && !sandbox ? price : 0,
    billing: sandbox ? 'NOT_CHARGED' : billing,
    ledgerId: null,
    age: null,
  };
}
