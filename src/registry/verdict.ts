import { type Answer, type Billing, type Evidence, notSent, type Outcome, Unauthenticated } from './answer';
import type { Endpoint } from './endpoint';
import { type Opened, open } from './envelope';
import { type Problem, problem } from './problem';
import type { Delivered, Exchange, Failed } from './transport';

/** The circumstances of one call that its evidence tells. */
export interface Circumstances {
  readonly address: string;
  readonly checkedAt: Date;
  readonly sandbox: boolean;
  readonly heldHere: boolean;
}

interface Judgement {
  readonly outcome: Outcome;
  readonly billing: Billing;
  readonly problems: readonly Problem[];
}

/** What an exchange means: outcome, money and proof (the table of outcomes). Throws where the account itself is unknown. */
export function verdict<Question, Payload>(
  endpoint: Endpoint<Question, Payload>,
  question: Question,
  exchange: Exchange,
  circumstances: Circumstances,
): Answer<Payload> {
  if (exchange.kind === 'failed') {
    const judgement = judgeFailure(exchange);
    return {
      ...judgement,
      payload: null,
      bytes: 0,
      evidence: failureEvidence(exchange, endpoint.units, judgement.billing, circumstances),
    };
  }
  const opened = open(endpoint, exchange);
  if (opened.kind === 'unauthenticated' && !circumstances.heldHere)
    throw new Unauthenticated('The service refused the token.');
  const judgement = judge(opened);
  const payload = opened.kind === 'found' || opened.kind === 'empty' ? (opened.payload as Payload | null) : null;
  const mismatched = payload !== null && endpoint.isAbout?.(payload, question) === false;
  return {
    outcome: judgement.outcome,
    payload,
    bytes: exchange.body.length,
    problems: mismatched ? [...judgement.problems, problem('ANSWER_MISMATCH')] : judgement.problems,
    evidence: evidence(endpoint.units, judgement.billing, circumstances, exchange, opened),
  };
}

/** Whether an answer names the identifier that was asked for: only then may an identifier be taken from it. */
export function isTrusted(answer: Answer<unknown>): boolean {
  return answer.outcome === 'FOUND' && !speaksOfAnother(answer);
}

export function speaksOfAnother({ problems }: Answer<unknown>): boolean {
  return problems.some(({ code }) => code === 'ANSWER_MISMATCH');
}

function judge(opened: Opened): Judgement {
  switch (opened.kind) {
    case 'found':
      return { outcome: 'FOUND', billing: 'CHARGED', problems: [] };
    case 'empty':
      return { outcome: 'NOT_FOUND', billing: 'CHARGED', problems: [] };
    case 'refused':
      return { outcome: 'INVALID_INPUT', billing: 'NOT_CHARGED', problems: opened.problems };
    case 'forbidden':
      return { outcome: 'NOT_PERMITTED', billing: 'NOT_CHARGED', problems: opened.problems };
    case 'unauthenticated':
      return { outcome: 'UNAVAILABLE', billing: 'NOT_CHARGED', problems: [problem('TOKEN_REFUSED')] };
    case 'rateLimited':
      return {
        outcome: 'UNAVAILABLE',
        billing: 'NOT_CHARGED',
        problems: [problem('RATE_LIMITED', { retryAfter: opened.retryAfter })],
      };
    case 'sessionMissing':
    case 'declined':
      return { outcome: 'UNAVAILABLE', billing: 'NOT_CHARGED', problems: opened.problems };
    case 'failed':
    case 'unusable':
      return { outcome: 'UNAVAILABLE', billing: 'UNKNOWN', problems: opened.problems };
  }
}

const failureCodes = {
  UNREACHABLE: 'REGISTRY_UNREACHABLE',
  TIMEOUT: 'REGISTRY_TIMEOUT',
  UNUSABLE: 'UNUSABLE_ANSWER',
} as const;

function judgeFailure(failure: Failed): Judgement {
  const billing = failure.sent ? 'UNKNOWN' : 'NOT_CHARGED';
  return { outcome: 'UNAVAILABLE', billing, problems: [problem(failureCodes[failure.reason])] };
}

/** What never left was not asked, however hard it was tried. */
function failureEvidence(failure: Failed, price: number, billing: Billing, circumstances: Circumstances): Evidence {
  if (!failure.sent) return notSent(circumstances.address);
  return evidence(price, billing, circumstances, null, null);
}

function evidence(
  price: number,
  billing: Billing,
  { address, checkedAt, sandbox }: Circumstances,
  exchange: Delivered | null,
  opened: Opened | null,
): Evidence {
  return {
    validationCode: opened?.said.validationCode ?? null,
    endpoint: address,
    status: exchange?.status ?? null,
    message: opened?.said.message ?? null,
    checkedAt,
    servedFrom: sandbox ? 'SANDBOX' : 'LIVE',
    units: billing === 'CHARGED' && !sandbox ? price : 0,
    billing: sandbox ? 'NOT_CHARGED' : billing,
  };
}
