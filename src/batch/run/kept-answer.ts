import type { Answer } from '../../registry/answer/answer';
import { decodeExchange, type Exchange, encodeExchange } from '../../registry/answer/exchange';
import { interpret } from '../../registry/answer/interpret';
import { problem } from '../../registry/answer/problem';
import type { RegistryClient, RequestScope } from '../../registry/client/client';
import type { AnyEndpoint, WireInput } from '../../registry/endpoint/endpoint';
import type { BatchKey } from '../batch-key';
import type { ClaimVerdict } from '../keep/question-store';

/** A question of a row, under the name by which the whole batch knows it. */
export interface NamedQuestion {
  readonly endpoint: AnyEndpoint;
  readonly question: unknown;
  readonly input: WireInput;
  readonly name: string;
  readonly rowNumber: number;
  /** Whether the row may pay for it; else only an answer that is there is taken. */
  readonly isAffordable: boolean;
}

/**
 * What became of a question. `kept`: its answer stands for the whole batch, under the row that asked first. `released`: it cost
 * nothing and left no trace; null where the service turned the token away. `stopped`: the batch does not run any more. `unaffordable`: it would cost more than the row may.
 */
export type AskResult =
  | { readonly kind: 'kept'; readonly answer: Answer<unknown>; readonly rowNumber: number; readonly isUnknown: boolean }
  | { readonly kind: 'released'; readonly answer: Answer<unknown> | null }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'unaffordable' };

interface KeptParts {
  readonly batch: string;
  readonly key: BatchKey;
  readonly client: RegistryClient;
  readonly scope: RequestScope;
}

/** What came of a question, as it came: it is judged anew whenever it is read. The entry of the ledger stands before it. */
export function sealExchange(
  key: BatchKey,
  batch: string,
  name: string,
  exchange: Exchange,
  ledgerId: string | null,
): Buffer {
  const content = Buffer.concat([Buffer.from(`${ledgerId ?? ''}\n`), encodeExchange(exchange)]);
  return key.seal(placeOf(batch, name), content);
}

/** The answer that stands under a question's name. */
export function readKept(
  { batch, key, client, scope }: KeptParts,
  { endpoint, question, name }: NamedQuestion,
  { verdict, rowNumber, exchange, askedAt }: ClaimVerdict,
): AskResult {
  const isUnknown = verdict === 'UNKNOWN';
  const { sandbox, usesServerToken } = scope.caller;
  const address = client.address(endpoint);
  if (exchange === null) return { kind: 'kept', answer: lostAnswer(address, sandbox, askedAt), rowNumber, isUnknown };
  const content = key.open(placeOf(batch, name), exchange);
  const end = content.indexOf('\n');
  const kept = decodeExchange(content.subarray(end + 1));
  if (kept === null) throw new Error('What is kept of a question cannot be read.');
  const { result, checkedAt } = kept;
  const answer = interpret(endpoint, question, result, { address, checkedAt, sandbox, usesServerToken });
  const ledgerId = content.toString('utf8', 0, end) || null;
  return { kind: 'kept', answer: { ...answer, evidence: { ...answer.evidence, ledgerId } }, rowNumber, isUnknown };
}

const placeOf = (batch: string, name: string): string => `${batch} question ${name}`;

/** Asked, and nobody knows what came of it. */
function lostAnswer(endpoint: string, sandbox: boolean, checkedAt: Date | null): Answer<never> {
  return {
    outcome: 'UNAVAILABLE',
    payload: null,
    problems: [problem('ANSWER_LOST')],
    bytes: 0,
    evidence: {
      validationCode: null,
      endpoint,
      status: null,
      message: null,
      checkedAt,
      servedFrom: sandbox ? 'SANDBOX' : 'LIVE',
      units: 0,
      billing: sandbox ? 'NOT_CHARGED' : 'UNKNOWN',
      ledgerId: null,
    },
  };
}
