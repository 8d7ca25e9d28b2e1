import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AnswerStore,
  accountPartition,
  type Claim,
  type Claimant,
  type ClaimedCall,
  type KeyedQuestion,
  questionKey,
  type SharedAnswer,
  toShared,
} from '../../calls/answers/answer-store';
import { type Answer, UnauthenticatedError } from '../../registry/answer/answer';
import { decodeExchange, type Exchange, encodeExchange } from '../../registry/answer/exchange';
import { problem } from '../../registry/answer/problem';
import type { BatchKey } from '../open-batch';
import type { ClaimVerdict, QuestionSettlement } from '../storage/question-store';
import type { BatchAnswerDependencies } from './dependencies';
import type { RowUnits } from './row-units';
import { releasesClaim } from './temporary-failure';

/** Encrypts an exchange with the service, preceded by the ID of its ledger entry. `readAnswer` decrypts and interprets it. */
function sealExchange(key: BatchKey, batch: string, name: string, exchange: Exchange, ledgerId: string | null): Buffer {
  const content = Buffer.concat([Buffer.from(`${ledgerId ?? ''}\n`), encodeExchange(exchange)]);
  return key.seal(sealContext(batch, name), content);
}

function readAnswer(
  { batch, key, client }: BatchAnswerDependencies,
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

/** Time until the next try if another worker sends the question, or if the rest of the ceiling is reserved. */
const retryMs = 150;

/** The answers of a batch, in its tables, as one row claims and reads them. It shares its answers with the account's requests. */
export class BatchAnswerStore implements AnswerStore {
  constructor(
    private readonly dependencies: BatchAnswerDependencies,
    private readonly units: RowUnits,
  ) {}

  getLocal(): undefined {
    return undefined;
  }

  async claim(question: KeyedQuestion, { signal }: Claimant): Promise<Claim> {
    const { claims, key } = this.dependencies;
    const name = key.name(`${question.endpoint.name} ${question.cacheKey}`);
    // The store recognizes by this id a claim whose acknowledgement was lost.
    const id = randomUUID();
    while (!signal.aborted) {
      await claims.acquire();
      let isHeld = false;
      try {
        const claim = signal.aborted ? null : await this.tryClaim(question, name, id);
        isHeld = claim?.kind === 'owned';
        if (claim !== null) return claim;
      } finally {
        if (!isHeld) claims.release();
      }
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
    return { kind: 'abandoned', lostUnits: 0 };
  }

  private async tryClaim(question: KeyedQuestion, name: string, id: string): Promise<Claim | null> {
    const { dependencies, units } = this;
    const { price } = question;
    const replayed = await dependencies.shared.get(toRequestQuestion(question));
    // If a request has just paid for the answer, the question is not claimed. The tables may still have the row's own answer.
    const isAffordable = replayed === undefined && units.canAfford(price);
    const found = await dependencies.questions.claim({ name, claim: id, price, rowNumber: units.payer, isAffordable });
    switch (found.verdict) {
      case 'CLAIMED':
        await dependencies.calls.acquire();
        return { kind: 'owned', lostUnits: 0, call: new ClaimedQuestion(dependencies, question, name, id) };
      case 'ANSWERED':
      case 'UNKNOWN':
        return { kind: 'answered', lostUnits: 0, ...readAnswer(dependencies, question, name, found) };
      case 'STOPPED':
        return { kind: 'abandoned', lostUnits: 0 };
      case 'UNAFFORDABLE':
        if (replayed === undefined) return { kind: 'overBudget', lostUnits: 0 };
        return { kind: 'answered', lostUnits: 0, ...toShared(replayed, null) };
      default:
        return null;
    }
  }
}

class ClaimedQuestion implements ClaimedCall {
  /** Always 0: the time that a row waits for its turn does not shorten the call's timeout. */
  readonly waitedMs = 0;
  private exchange: Exchange | null = null;

  constructor(
    private readonly dependencies: BatchAnswerDependencies,
    private readonly question: KeyedQuestion,
    private readonly name: string,
    private readonly id: string,
  ) {}

  readonly onExchange = (exchange: Exchange): void => {
    this.exchange = exchange;
  };

  complete(answer: Answer<unknown>): void {
    const { exchange, name } = this;
    if (exchange === null || releasesClaim(answer)) {
      this.release();
      return;
    }
    const { outcome, evidence } = answer;
    const { batch, key, answerCounts, shared } = this.dependencies;
    const { registry } = this.question.endpoint;
    shared.share(toRequestQuestion(this.question), answer, exchange);
    const sealed = sealExchange(key, batch, name, exchange, evidence.ledgerId);
    if (outcome !== 'UNAVAILABLE') answerCounts.set(registry, (answerCounts.get(registry) ?? 0) + 1);
    const state = evidence.billing === 'UNKNOWN' ? 'UNKNOWN' : 'ANSWERED';
    const failed = outcome !== 'FOUND' && outcome !== 'NOT_FOUND';
    this.end({ state, units: evidence.units, failed, exchange: sealed });
  }

  /** A refused token costs nothing. After any other error it is unknown whether the question was sent. */
  fail(error: unknown): void {
    if (error instanceof UnauthenticatedError) this.release();
    else this.end({ state: 'UNKNOWN', units: 0, failed: true, exchange: null });
  }

  release(): void {
    this.end({ state: 'RELEASED', units: 0, failed: false, exchange: null });
  }

  private end(settlement: Omit<QuestionSettlement, 'name' | 'claim'>): void {
    const { questions, calls, claims } = this.dependencies;
    calls.release();
    claims.release();
    questions.settle({ name: this.name, claim: this.id, ...settlement });
  }
}

/** Returns a row's question with the key that it has in the requests of the account. */
function toRequestQuestion(question: KeyedQuestion): KeyedQuestion {
  const { endpoint, cacheKey, caller } = question;
  return { ...question, key: questionKey(accountPartition(caller), endpoint, cacheKey) };
}
