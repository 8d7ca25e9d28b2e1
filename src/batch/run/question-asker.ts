import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, UnauthenticatedError } from '../../registry/answer/answer';
import type { Exchange } from '../../registry/answer/exchange';
import type { Problem } from '../../registry/answer/problem';
import type { CallLedger } from '../../registry/call-ledger';
import type { RegistryClient, RequestScope } from '../../registry/client/client';
import type { AnyEndpoint, RegistryName } from '../../registry/endpoint/endpoint';
import { enterCall } from '../../registry/ledgered-call';
import type { BatchKey } from '../batch-key';
import type { QuestionStore } from '../keep/question-store';
import { type AskResult, type NamedQuestion, readKept, sealExchange } from './kept-answer';
import type { Slots } from './slots';
import type { BatchObserver } from './worker-parts';

export interface AskerParts {
  readonly batch: string;
  readonly key: BatchKey;
  readonly questions: QuestionStore;
  readonly client: RegistryClient;
  readonly scope: RequestScope;
  readonly ledger: () => CallLedger | null;
  /** Calls of the batch under way here. */
  readonly calls: Slots;
  readonly observer: BatchObserver;
  /** Questions that are claimed or being claimed: some more than calls, so that none of these waits for the store. */
  readonly claims: Slots;
}

/** While another worker asks, or holds what is left of the ceiling. */
const waitMs = 150;

/** Asks the questions of a batch: each is claimed under its name before it leaves, and what came of it is kept. */
export class QuestionAsker {
  /** Questions that this process is asking or looking up, by name. */
  private readonly underWay = new Map<string, Promise<AskResult>>();
  /** Answers of each registry: a failure that may have been charged is kept, and is none. */
  private readonly answers = new Map<RegistryName, number>();
  private readonly unsettled = new Set<Promise<void>>();

  constructor(private readonly parts: AskerParts) {}

  ask(asked: NamedQuestion): Promise<AskResult> {
    const existing = this.underWay.get(asked.name);
    if (existing !== undefined) return existing;
    // Another row may be able to pay for what this one cannot.
    if (!asked.isAffordable) return this.claimAndAsk(asked);
    const result = this.claimAndAsk(asked).finally(() => this.underWay.delete(asked.name));
    this.underWay.set(asked.name, result);
    return result;
  }

  /** Resolves when all that was answered until now is written. */
  async settled(): Promise<void> {
    await Promise.all(this.unsettled);
  }

  /** Returns the number of answers of a registry, of any outcome. */
  answersOf(registry: RegistryName): number {
    return this.answers.get(registry) ?? 0;
  }

  priceOf({ units }: AnyEndpoint): number {
    return this.parts.scope.caller.sandbox ? 0 : units;
  }

  private async claimAndAsk(asked: NamedQuestion): Promise<AskResult> {
    const { claims, scope } = this.parts;
    // By this the store knows a claim again whose acknowledgement was lost.
    const claim = randomUUID();
    while (!scope.signal.aborted) {
      const result = await claims.use(() => this.tryClaim(asked, claim));
      if (result !== null) return result;
      await sleep(waitMs, undefined, { signal: scope.signal }).catch(() => undefined);
    }
    return { kind: 'stopped' };
  }

  /** Null where there is something to wait for. */
  private async tryClaim(asked: NamedQuestion, claim: string): Promise<AskResult | null> {
    const { questions, scope } = this.parts;
    if (scope.signal.aborted) return null;
    const { name, rowNumber, isAffordable } = asked;
    const found = await questions.claim({ name, claim, price: this.priceOf(asked.endpoint), rowNumber, isAffordable });
    switch (found.verdict) {
      case 'CLAIMED':
        return await this.put(asked, claim);
      case 'ANSWERED':
      case 'UNKNOWN':
        return readKept(this.parts, asked, found);
      case 'STOPPED':
        return { kind: 'stopped' };
      case 'UNAFFORDABLE':
        return { kind: 'unaffordable' };
      default:
        return null;
    }
  }

  /** Puts a question that nobody else will put. */
  private async put(asked: NamedQuestion, claim: string): Promise<AskResult> {
    const kept: { exchange: Exchange | null } = { exchange: null };
    const { client, scope, ledger, calls } = this.parts;
    const { endpoint, question, input } = asked;
    const { signal } = scope;
    const onExchange = (exchange: Exchange): void => {
      kept.exchange = exchange;
    };
    const call = { endpoint, address: client.address(endpoint), question, price: this.priceOf(endpoint) };
    try {
      const answer = await calls.use(() =>
        enterCall(ledger(), call, () => client.fetch(endpoint, question, scope, input, { signal, onExchange })),
      );
      return await this.keep(asked, claim, answer, kept.exchange);
    } catch (error) {
      if (error instanceof UnauthenticatedError) {
        await this.release(asked, claim);
        return { kind: 'released', answer: null };
      }
      // A bug of ours, after which nobody knows whether it left.
      const unknown = { state: 'UNKNOWN', units: 0, failed: true, exchange: null } as const;
      await this.parts.questions.settle({ name: asked.name, claim, ...unknown });
      throw error;
    }
  }

  private async keep(
    asked: NamedQuestion,
    claim: string,
    answer: Answer<unknown>,
    exchange: Exchange | null,
  ): Promise<AskResult> {
    const { billing, servedFrom, units } = answer.evidence;
    const failed = answer.outcome !== 'FOUND' && answer.outcome !== 'NOT_FOUND';
    const mayPass = failed && billing === 'NOT_CHARGED' && answer.problems.some(passes);
    if (exchange === null || servedFrom === 'NOT_SENT' || mayPass) {
      await this.release(asked, claim);
      return { kind: 'released', answer };
    }
    const { registry } = asked.endpoint;
    if (answer.outcome !== 'UNAVAILABLE') this.answers.set(registry, this.answersOf(registry) + 1);
    const { batch, key, questions, observer } = this.parts;
    const isUnknown = billing === 'UNKNOWN';
    observer.recordUnits(answer.evidence.endpoint, units, isUnknown ? this.priceOf(asked.endpoint) : 0);
    const sealed = sealExchange(key, batch, asked.name, exchange, answer.evidence.ledgerId);
    this.follow(
      questions.settle({
        name: asked.name,
        claim,
        state: isUnknown ? 'UNKNOWN' : 'ANSWERED',
        units,
        failed,
        exchange: sealed,
      }),
    );
    return { kind: 'kept', answer, rowNumber: asked.rowNumber, isUnknown };
  }

  /** Whoever asked goes on at once; the row is written only when this is. */
  private follow(settlement: Promise<void>): void {
    const settled = settlement.finally(() => this.unsettled.delete(settled));
    this.unsettled.add(settled);
    settled.catch(() => undefined);
  }

  private async release({ name }: NamedQuestion, claim: string): Promise<void> {
    await this.parts.questions.settle({ name, claim, state: 'RELEASED', units: 0, failed: false, exchange: null });
  }
}

const accountProblems: ReadonlySet<string> = new Set([
  'TOKEN_REFUSED',
  'INSUFFICIENT_UNITS',
  'IMSS_SESSION_REQUIRED',
  'IMSS_SESSION_EXPIRED',
  'BUDGET_EXHAUSTED',
]);

/** What may be otherwise a moment later, or when the account is in order again. */
function passes({ retryable, code }: Problem): boolean {
  return retryable || isAccountProblem(code);
}

/** What keeps the whole account from being answered, not this question. */
export function isAccountProblem(code: string): boolean {
  return accountProblems.has(code);
}
