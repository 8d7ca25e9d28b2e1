import type { Answer } from '../../registry/answer/answer';
import { decodeExchange, type Exchange, encodeExchange } from '../../registry/answer/exchange';
import { problem } from '../../registry/answer/problem';
import type { KeyedQuestion, SharedAnswer } from '../../registry/answers/answer-store';
import type { RegistryClient } from '../../registry/client/client';
import type { BatchKey } from '../batch-key';
import type { ClaimVerdict } from './question-store';

/** Encrypts an exchange with the service, preceded by the ID of its ledger entry. `readAnswer` decrypts and interprets it. */
export function sealExchange(
  key: BatchKey,
  batch: string,
  name: string,
  exchange: Exchange,
  ledgerId: string | null,
): Buffer {
  const content = Buffer.concat([Buffer.from(`${ledgerId ?? ''}\n`), encodeExchange(exchange)]);
  return key.seal(sealContext(batch, name), content);
}

interface ReaderDependencies {
  readonly batch: string;
  readonly key: BatchKey;
  readonly client: RegistryClient;
}

/** Returns the answer to a question that is stored in the tables of a batch. */
export function readAnswer(
  { batch, key, client }: ReaderDependencies,
  { endpoint, question, caller }: KeyedQuestion,
  name: string,
  { verdict, rowNumber, exchange, askedAt }: ClaimVerdict,
): SharedAnswer {
  const shared = { payer: rowNumber, isUncertain: verdict === 'UNKNOWN' };
  if (exchange === null) return { answer: lostAnswer(client.address(endpoint), caller.sandbox, askedAt), ...shared };
  const content = key.open(sealContext(batch, name), exchange);
  const end = content.indexOf('\n');
  const decoded = decodeExchange(content.subarray(end + 1));
  if (decoded === null) throw new Error('The stored exchange of a question cannot be decoded.');
  const answer = client.interpret<unknown, unknown>(endpoint, question, decoded, caller);
  const ledgerId = content.toString('utf8', 0, end) || null;
  return { answer: { ...answer, evidence: { ...answer.evidence, ledgerId } }, ...shared };
}

const sealContext = (batch: string, name: string): string => `${batch} question ${name}`;

/** Returns the answer to a question whose worker died after it had claimed the question: it is unknown whether the call was charged. */
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
