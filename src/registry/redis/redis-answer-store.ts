import { randomBytes } from 'node:crypto';
import {
  type Claim,
  type Claimant,
  isCacheable,
  isFresh,
  type KeyedQuestion,
  type RequestAnswerStore,
  toShared,
} from '../../calls/answers/answer-store';
import type { MemoryAnswerStore } from '../../calls/answers/memory-answer-store';
import type { OperationBudget } from '../../calls/operation-budgets';
import type { Answer } from '../answer/answer';
import type { Exchange } from '../answer/exchange';
import { type ClaimIntent, peerTimeout, poisonedQuestion } from './claim-reply';
import { openExchange, type RedisNames, type RedisNaming } from './redis-names';
import { SharedCall, type SharedResult } from './shared-call';
import type { SharedStore } from './shared-store';

export interface RedisAnswerStoreOptions extends InterpretationOptions {
  readonly waitMs: number;
  readonly address: (endpoint: KeyedQuestion['endpoint']) => string;
  readonly onPause: (account: string, ms: number) => void;
  readonly onClaim: (result: 'owned' | 'shared' | 'takeover' | 'alone') => void;
}

type KeyClaim =
  | { readonly kind: 'owned'; readonly lostUnits: number }
  | { readonly kind: 'shared'; readonly exchange: Exchange; readonly remainingMs: number; readonly lostUnits: 0 }
  | Exclude<Claim, { kind: 'owned' | 'answered' }>
  | typeof unavailable;
const unavailable = { kind: 'unavailable', lostUnits: 0 } as const;

/** Stores answers in memory, and in Redis for all instances. If Redis is unavailable, the instance continues alone. */
export class RedisAnswerStore implements RequestAnswerStore {
  private readonly sharing = new Set<Promise<void>>();

  constructor(
    private readonly memory: MemoryAnswerStore,
    private readonly naming: RedisNaming,
    private readonly shared: SharedStore,
    private readonly options: RedisAnswerStoreOptions,
  ) {}

  get size(): number {
    return this.memory.size;
  }

  getLocal(question: KeyedQuestion): Answer<unknown> | undefined {
    return this.memory.getLocal(question);
  }

  async get(question: KeyedQuestion): Promise<Answer<unknown> | undefined> {
    const local = this.memory.getLocal(question);
    if (local !== undefined) return local;
    for (const names of this.namesOf(question)) {
      const sealed = await this.shared.read(names);
      const exchange = sealed === null ? null : openExchange(names, sealed);
      const answer = exchange === null ? null : interpretIfUsable(this.options, question, exchange);
      if (answer !== null) return answer;
    }
    return undefined;
  }

  async claim(question: KeyedQuestion, claimant: Claimant): Promise<Claim> {
    const call = this.startCall(question);
    if (!this.shared.isUp) return this.own(call, 0, 'alone');
    let lostUnits = 0;
    for (const [index, names] of call.namesPerKey.entries()) {
      const claim = await this.claimUnderKey(names, call, claimant);
      // The same call may have died under several keys. Its price is reported once.
      lostUnits = Math.max(lostUnits, claim.lostUnits);
      if (claim.kind === 'owned') continue;
      if (claim.kind === 'unavailable') return this.own(call, lostUnits, 'alone');
      // Ends the claims already made under the earlier keys.
      const claimedBefore = new SharedCall(call.id, question, call.namesPerKey.slice(0, index), true, this.endCall);
      if (claim.kind !== 'shared') {
        if (index > 0) claimedBefore.release();
        return { ...claim, lostUnits };
      }
      if (index > 0) claimedBefore.relay(claim.exchange);
      const answer = this.acceptShared(question, claim.exchange, claim.remainingMs);
      return { kind: 'answered', ...toShared(answer, null), lostUnits };
    }
    return this.own(call, lostUnits, lostUnits > 0 ? 'takeover' : 'owned');
  }

  share(question: KeyedQuestion, answer: Answer<unknown>, exchange: Exchange): void {
    if (!isCacheable(answer)) return;
    this.memory.remember(question.key, answer);
    const shared = this.claimAndComplete(question, answer, exchange).finally(() => this.sharing.delete(shared));
    this.sharing.add(shared);
  }

  reserve(caller: KeyedQuestion['caller'], operation: OperationBudget, units: number): Promise<boolean> {
    return this.shared.reserve(this.naming.namesOf({ caller, operation, cacheKey: '' }, ''), units, operation.units);
  }

  sharePause(caller: KeyedQuestion['caller'], ms: number): void {
    this.shared.pause(this.naming.namesOf({ caller, cacheKey: '', operation: null }, ''), ms);
  }

  async close(): Promise<void> {
    await Promise.all(this.sharing);
    await Promise.all([this.memory.close(), this.shared.close()]);
  }

  private async claimAndComplete(question: KeyedQuestion, answer: Answer<unknown>, exchange: Exchange): Promise<void> {
    const claim = await this.claim(question, { signal: AbortSignal.abort() });
    if (claim.kind !== 'owned') return;
    claim.call.onExchange?.(exchange);
    claim.call.complete(answer);
  }

  private startCall(question: KeyedQuestion): SharedCall {
    const id = `${this.shared.instance}.${randomBytes(9).toString('base64url')}`;
    return new SharedCall(id, question, this.namesOf(question), this.options.windowMs > 0, this.endCall);
  }

  private namesOf(question: KeyedQuestion): readonly RedisNames[] {
    return this.naming.namesOf(question, this.options.address(question.endpoint));
  }

  /** Registers the call until it ends. If Redis is unavailable now, the answer is written to it later. */
  private own(call: SharedCall, lostUnits: number, result: 'owned' | 'takeover' | 'alone'): Claim {
    this.options.onClaim(result);
    this.shared.addCall(call);
    call.waitedMs = performance.now() - call.started;
    return { kind: 'owned', call, lostUnits };
  }

  private readonly endCall = (call: SharedCall, result: SharedResult, answer: Answer<unknown> | null): void => {
    if (answer !== null && isCacheable(answer)) this.memory.remember(call.question.key, answer);
    this.shared.endCall(call, result);
  };

  /** Claims the question under one key. While another instance sends the question, waits. */
  private async claimUnderKey(
    names: RedisNames,
    { id, question, started }: SharedCall,
    claimant: Claimant,
  ): Promise<KeyClaim> {
    let awaited = '';
    let intent: ClaimIntent = 'join';
    for (;;) {
      const reply = await this.shared.claim(names, id, question, awaited, intent);
      switch (reply.kind) {
        case 'unavailable':
          return unavailable;
        case 'overBudget':
          return reply;
        case 'changed':
          break;
        case 'owned':
          if (reply.pauseMs > 0) this.options.onPause(question.caller.account, reply.pauseMs);
          return reply;
        case 'poisoned':
          return { kind: 'refused', problem: poisonedQuestion(reply.remainingMs), lostUnits: reply.lostUnits };
        case 'answered': {
          const exchange = openExchange(names, reply.sealed);
          const isUsable =
            exchange !== null && (reply.isFailure || interpretIfUsable(this.options, question, exchange) !== null);
          if (isUsable) return { kind: 'shared', exchange, remainingMs: reply.remainingMs, lostUnits: 0 };
          // If the answer is unreadable, or this release may not replay it, it is replaced.
          intent = 'replace';
          awaited = '';
          break;
        }
        case 'underWay': {
          // A waiting question has the same deadline as a call.
          const leftMs = this.options.waitMs - (performance.now() - started);
          if (leftMs <= 0) return { kind: 'refused', problem: peerTimeout(), lostUnits: 0 };
          awaited = reply.callId;
          claimant.onElsewhere?.(reply.elapsedMs);
          const next = await this.shared.wait(names, awaited, claimant.signal, leftMs);
          const mayPay = next !== 'takeover' || claimant.tryTakeOver?.() !== false;
          if (next === 'aborted' || !mayPay) return { kind: 'abandoned', lostUnits: 0 };
          if (next === 'unavailable') return unavailable;
          intent = next;
        }
      }
    }
  }

  /** Interprets an answer of another instance, and keeps it in memory for its remaining time. */
  private acceptShared(question: KeyedQuestion, exchange: Exchange, remainingMs: number): Answer<unknown> {
    const answer = this.options.interpret(question, exchange);
    this.options.onClaim('shared');
    const ttl = Math.min(remainingMs, this.options.windowMs);
    if (ttl > 0 && isCacheable(answer)) this.memory.remember(question.key, answer, ttl);
    return answer;
  }
}

interface InterpretationOptions {
  readonly windowMs: number;
  readonly now: () => Date;
  readonly interpret: (question: KeyedQuestion, exchange: Exchange) => Answer<unknown>;
}

/** Maximum difference between the clocks of two instances. */
const clockToleranceMs = 120_000;

/** Returns the answer of a stored exchange. Null if it may not be replayed. */
function interpretIfUsable(
  { windowMs, now, interpret }: InterpretationOptions,
  question: KeyedQuestion,
  exchange: Exchange,
): Answer<unknown> | null {
  const age = Math.abs(now().getTime() - exchange.checkedAt.getTime());
  if (age > windowMs + clockToleranceMs) return null;
  try {
    const answer = interpret(question, exchange);
    return isCacheable(answer) && isFresh(answer, question.endpoint, now()) ? answer : null;
  } catch {
    return null;
  }
}
