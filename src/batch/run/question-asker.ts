import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, UnauthenticatedError } from '../../registry/answer/answer';
import { decodeExchange, type Exchange, encodeExchange } from '../../registry/answer/exchange';
import { interpret } from '../../registry/answer/interpret';
import { type Problem, problem } from '../../registry/answer/problem';
import type { CallLedger } from '../../registry/call-ledger';
import type { RegistryClient, RequestScope } from '../../registry/client/client';
import type { AnyEndpoint, WireInput } from '../../registry/endpoint/endpoint';
import type { BatchKey } from '../batch-key';
import type { ClaimVerdict, QuestionStore } from '../keep/question-store';
import type { Slots } from './slots';

/** A question of a row, under the name by which the whole batch knows it. */
export interface NamedQuestion {
  readonly endpoint: AnyEndpoint;
  readonly question: unknown;
  readonly input: WireInput;
  readonly name: string;
  readonly rowNumber: number;
}

/**
 * What became of a question. `kept`: its answer stands for the whole batch, under the row that asked first. `released`: it cost
 * nothing and left no trace; null where the service turned the token away. `stopped`: the batch does not run any more.
 */
export type AskResult =
  | { readonly kind: 'kept'; readonly answer: Answer<unknown>; readonly rowNumber: number; readonly isUnknown: boolean }
  | { readonly kind: 'released'; readonly answer: Answer<unknown> | null }
  | { readonly kind: 'stopped' };

export interface AskerParts {
  readonly batch: string;
  readonly key: BatchKey;
  readonly questions: QuestionStore;
  readonly client: RegistryClient;
  readonly scope: RequestScope;
  readonly ledger: CallLedger | null;
  readonly slots: Slots;
}

/** While another worker asks, or holds what is left of the ceiling. */
const waitMs = 150;

/** Asks the questions of a batch: each is claimed under its name before it leaves, and what came of it is kept. */
export class QuestionAsker {
  /** Questions that this process is asking or looking up, by name. */
  private readonly underWay = new Map<string, Promise<AskResult>>();
  /** Answers that were kept. */
  keptCount = 0;
  private readonly unsettled = new Set<Promise<void>>();

  constructor(private readonly parts: AskerParts) {}

  ask(asked: NamedQuestion): Promise<AskResult> {
    const existing = this.underWay.get(asked.name);
    if (existing !== undefined) return existing;
    const result = this.claimAndAsk(asked).finally(() => this.underWay.delete(asked.name));
    this.underWay.set(asked.name, result);
    return result;
  }

  /** Resolves when all that was answered until now is written. */
  async settled(): Promise<void> {
    await Promise.all(this.unsettled);
  }

  priceOf({ units }: AnyEndpoint): number {
    return this.parts.scope.caller.sandbox ? 0 : units;
  }

  private async claimAndAsk(asked: NamedQuestion): Promise<AskResult> {
    const { slots, scope } = this.parts;
    // By this the store knows a claim again whose acknowledgement was lost.
    const claim = randomUUID();
    while (!scope.signal.aborted) {
      const result = await slots.use(() => this.tryClaim(asked, claim));
      if (result !== null) return result;
      await sleep(waitMs, undefined, { signal: scope.signal }).catch(() => undefined);
    }
    return { kind: 'stopped' };
  }

  /** Null where there is something to wait for. */
  private async tryClaim(asked: NamedQuestion, claim: string): Promise<AskResult | null> {
    const { questions, scope } = this.parts;
    if (scope.signal.aborted) return null;
    const { name, rowNumber } = asked;
    const found = await questions.claim({ name, claim, price: this.priceOf(asked.endpoint), rowNumber });
    switch (found.verdict) {
      case 'CLAIMED':
        return await this.put(asked, claim);
      case 'ANSWERED':
      case 'UNKNOWN':
        return this.readKept(asked, found);
      case 'STOPPED':
        return { kind: 'stopped' };
      default:
        return null;
    }
  }

  /** Puts a question that nobody else will put. */
  private async put(asked: NamedQuestion, claim: string): Promise<AskResult> {
    const entry = await this.openEntry(asked);
    if (entry !== null && 'code' in entry) {
      await this.release(asked, claim);
      const answer: Answer<never> = { ...this.lost(asked, null), outcome: 'NOT_RUN', problems: [entry] };
      return { kind: 'released', answer };
    }
    const kept: { exchange: Exchange | null } = { exchange: null };
    const { client, scope } = this.parts;
    const { signal } = scope;
    const onExchange = (exchange: Exchange): void => {
      kept.exchange = exchange;
    };
    try {
      const answer = await client.fetch(asked.endpoint, asked.question, scope, asked.input, { signal, onExchange });
      entry?.close(answer);
      return await this.keep(asked, claim, answer, kept.exchange);
    } catch (error) {
      entry?.close(null);
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

  private openEntry({ endpoint, question }: NamedQuestion): ReturnType<CallLedger['open']> | null {
    const { ledger, client } = this.parts;
    if (ledger === null) return null;
    return ledger.open({ endpoint, address: client.address(endpoint), question, price: this.priceOf(endpoint) });
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
    this.keptCount += 1;
    const { batch, key, questions } = this.parts;
    const isUnknown = billing === 'UNKNOWN';
    const sealed = key.seal(`${batch} question ${asked.name}`, encodeExchange(exchange));
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

  private readKept(asked: NamedQuestion, { verdict, rowNumber, exchange, askedAt }: ClaimVerdict): AskResult {
    const isUnknown = verdict === 'UNKNOWN';
    if (exchange === null) return { kind: 'kept', answer: this.lost(asked, askedAt), rowNumber, isUnknown };
    const { batch, key, client, scope } = this.parts;
    const { result, checkedAt } = decodeExchange(key.open(`${batch} question ${asked.name}`, exchange));
    const { sandbox, usesServerToken } = scope.caller;
    const info = { address: client.address(asked.endpoint), checkedAt, sandbox, usesServerToken };
    return { kind: 'kept', answer: interpret(asked.endpoint, asked.question, result, info), rowNumber, isUnknown };
  }

  /** Asked, and nobody knows what came of it. */
  private lost({ endpoint }: NamedQuestion, checkedAt: Date | null): Answer<never> {
    const { client, scope } = this.parts;
    return {
      outcome: 'UNAVAILABLE',
      payload: null,
      problems: [problem('ANSWER_LOST')],
      bytes: 0,
      evidence: {
        validationCode: null,
        endpoint: client.address(endpoint),
        status: null,
        message: null,
        checkedAt,
        servedFrom: checkedAt === null ? 'NOT_SENT' : scope.caller.sandbox ? 'SANDBOX' : 'LIVE',
        units: 0,
        billing: checkedAt === null || scope.caller.sandbox ? 'NOT_CHARGED' : 'UNKNOWN',
      },
    };
  }
}

const accountProblems: ReadonlySet<string> = new Set([
  'TOKEN_REFUSED',
  'INSUFFICIENT_UNITS',
  'IMSS_SESSION_REQUIRED',
  'IMSS_SESSION_EXPIRED',
  'UNIT_BUDGET_EXCEEDED',
]);

/** What may be otherwise a moment later, or when the account is in order again. */
function passes({ retryable, code }: Problem): boolean {
  return retryable || isAccountProblem(code);
}

/** What keeps the whole account from being answered, not this question. */
export function isAccountProblem(code: string): boolean {
  return accountProblems.has(code);
}
