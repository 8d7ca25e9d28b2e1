import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, UnauthenticatedError } from '../../registry/answer/answer';
import type { Exchange } from '../../registry/answer/exchange';
import {
  type AnswerStore,
  accountPartition,
  type Claim,
  type Claimant,
  type ClaimedCall,
  type KeyedQuestion,
  questionKey,
  type RequestAnswerStore,
  toShared,
} from '../../registry/answers/answer-store';
import type { RegistryClient } from '../../registry/client/client';
import type { RegistryName } from '../../registry/endpoint/endpoint';
import type { BatchKey } from '../batch-key';
import type { QuestionSettlement, QuestionStore } from '../storage/question-store';
import { readAnswer, sealExchange } from '../storage/sealed-answer';
import type { RowUnits } from './row-units';
import type { Semaphore } from './semaphore';
import { releasesClaim } from './temporary-failure';

/** Dependencies of the answer stores of a batch, which its rows share in a run. */
export interface BatchAnswerDependencies {
  readonly batch: string;
  readonly key: BatchKey;
  readonly questions: QuestionStore;
  readonly client: RegistryClient;
  /** The answers that the requests of the account share. */
  readonly shared: RequestAnswerStore;
  /** Limits the claims that are held or being made. It allows a few more than `calls`, so that calls do not wait for the store. */
  readonly claims: Semaphore;
  readonly calls: Semaphore;
  /** Number of answers from each registry. A failure that may have been charged is not an answer. */
  readonly answerCounts: Map<RegistryName, number>;
}

/** Time until the next try if another worker sends the question, or if the rest of the ceiling is reserved. */
const retryMs = 150;

/** The answers of a batch, in its tables, as one row claims and reads them. It shares its answers with the account's requests. */
export class BatchAnswerStore implements AnswerStore {
  constructor(
    private readonly dependencies: BatchAnswerDependencies,
    private readonly units: RowUnits,
  ) {}

  /** Returns undefined: the answers of a batch are read from its tables. */
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

  /** Returns null if the claim must be tried again. */
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

/** A question of the batch that one row is about to send. */
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
