import { randomBytes } from 'node:crypto';
import type { Answer } from '../answer/answer';
import type { Exchange } from '../answer/exchange';
import {
  type Claim,
  isCacheable,
  isFresh,
  type KeyedQuestion,
  type RequestAnswerStore,
  toShared,
} from '../answers/answer-store';
import type { MemoryAnswerStore } from '../answers/memory-answer-store';
import type { OperationBudget } from '../operation-budgets';
import type { ClaimIntent } from './claim-reply';
import { openExchange, type Place, type Places } from './places';
import { deadlyQuestion, lateCall } from './refused-claims';
import { type Landing, SharedFlight } from './shared-flight';
import type { SharedStore } from './shared-store';

export interface RedisAnswerStoreOptions {
  readonly windowMs: number;
  /** Milliseconds that a question waits for the call of another instance. */
  readonly waitMs: number;
  readonly now: () => Date;
  readonly address: (endpoint: KeyedQuestion['endpoint']) => string;
  /** Interprets an exchange with this release. */
  readonly interpret: (question: KeyedQuestion, exchange: Exchange) => Answer<unknown>;
  /** The account must not be asked for so long. */
  readonly onPause: (account: string, ms: number) => void;
  /** Listener for metrics. */
  readonly onClaim: (result: 'owned' | 'shared' | 'takeover' | 'alone') => void;
}

/** Maximum difference of the clocks of two instances. */
const clockToleranceMs = 120_000;

/** Result of a claim under one key. */
type PlaceClaim =
  | { readonly kind: 'owned'; readonly lostUnits: number }
  | { readonly kind: 'shared'; readonly exchange: Exchange; readonly remainingMs: number; readonly lostUnits: 0 }
  | Exclude<Claim, { kind: 'owned' | 'answered' }>
  | typeof away;
const away = { kind: 'away', lostUnits: 0 } as const;

/** Answers in Redis, shared by all instances, behind those in memory. If Redis is unavailable, the instance continues alone. */
export class RedisAnswerStore implements RequestAnswerStore {
  /** Answers that are being shared. */
  private readonly sharing = new Set<Promise<void>>();

  constructor(
    private readonly memory: MemoryAnswerStore,
    private readonly places: Places,
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
    const here = this.memory.getLocal(question);
    if (here !== undefined) return here;
    for (const place of this.placesOf(question)) {
      const found = await this.shared.read(place);
      const exchange = found === null ? null : openExchange(place, found);
      const answer = exchange === null ? null : this.judge(question, exchange);
      if (answer !== null) return answer;
    }
    return undefined;
  }

  async claim(question: KeyedQuestion, call: { readonly signal: AbortSignal }): Promise<Claim> {
    const flight = this.flightOf(question);
    if (!this.shared.isUp) return this.own(flight, 0, 'alone');
    const { started } = flight;
    let lostUnits = 0;
    for (const [index, place] of flight.places.entries()) {
      const claim = await this.claimPlace(place, flight, call, started);
      // The same call may have died under several keys. Its price is reported once.
      lostUnits = Math.max(lostUnits, claim.lostUnits);
      if (claim.kind === 'owned') continue;
      if (claim.kind === 'away') return this.own(flight, lostUnits, 'alone');
      // The claim under the first key is released, or gets the same answer.
      const claimed = new SharedFlight(flight.id, question, flight.places.slice(0, index), true, this.end);
      if (claim.kind !== 'shared') {
        if (index > 0) claimed.release();
        return { ...claim, lostUnits };
      }
      if (index > 0) claimed.relay(claim.exchange);
      const answer = this.takeShared(question, claim.exchange, claim.remainingMs);
      return { kind: 'answered', ...toShared(answer, null), lostUnits };
    }
    return this.own(flight, lostUnits, lostUnits > 0 ? 'takeover' : 'owned');
  }

  share(question: KeyedQuestion, answer: Answer<unknown>, exchange: Exchange): void {
    if (!isCacheable(answer)) return;
    this.memory.remember(question.key, answer);
    const shared = this.claimAndComplete(question, answer, exchange).finally(() => this.sharing.delete(shared));
    this.sharing.add(shared);
  }

  reserve(caller: KeyedQuestion['caller'], operation: OperationBudget, units: number): Promise<boolean> {
    return this.shared.reserve(this.places.of({ caller, operation, cacheKey: '' }, ''), units, operation.units);
  }

  /** Tells all instances that the account must not be asked for so long. */
  sharePause(caller: KeyedQuestion['caller'], ms: number): void {
    this.shared.pause(this.places.of({ caller, cacheKey: '', operation: null }, ''), ms);
  }

  async close(): Promise<void> {
    await Promise.all(this.sharing);
    await Promise.all([this.memory.close(), this.shared.close()]);
  }

  /** Does nothing if another instance has the question's answer, or is asking it. */
  private async claimAndComplete(question: KeyedQuestion, answer: Answer<unknown>, exchange: Exchange): Promise<void> {
    const claim = await this.claim(question, { signal: AbortSignal.abort() });
    if (claim.kind !== 'owned') return;
    claim.call.onExchange?.(exchange);
    claim.call.complete(answer);
  }

  private flightOf(question: KeyedQuestion): SharedFlight {
    const id = `${this.shared.instance}.${randomBytes(9).toString('base64url')}`;
    return new SharedFlight(id, question, this.placesOf(question), this.options.windowMs > 0, this.end);
  }

  private placesOf(question: KeyedQuestion): readonly Place[] {
    return this.places.of(question, this.options.address(question.endpoint));
  }

  /** Holds the call until it ends. If Redis is unavailable now, it receives the answer later. */
  private own(flight: SharedFlight, lostUnits: number, result: 'owned' | 'takeover' | 'alone'): Claim {
    this.options.onClaim(result);
    this.shared.hold(flight);
    flight.waitedMs = performance.now() - flight.started;
    return { kind: 'owned', call: flight, lostUnits };
  }

  private readonly end = (flight: SharedFlight, landing: Landing, answer: Answer<unknown> | null): void => {
    if (answer !== null && isCacheable(answer)) this.memory.remember(flight.question.key, answer);
    this.shared.land(flight, landing);
  };

  private async claimPlace(
    place: Place,
    { id, question }: SharedFlight,
    call: { readonly signal: AbortSignal },
    started: number,
  ): Promise<PlaceClaim> {
    let awaited = '';
    let intent: ClaimIntent = 'join';
    for (;;) {
      const reply = await this.shared.claim(place, id, question, awaited, intent);
      switch (reply.kind) {
        case 'away':
          return away;
        case 'overBudget':
          return reply;
        case 'changed':
          break;
        case 'owned':
          if (reply.pauseMs > 0) this.options.onPause(question.caller.account, reply.pauseMs);
          return reply;
        case 'deadly':
          return { kind: 'refused', problem: deadlyQuestion(reply.remainingMs), lostUnits: reply.lostUnits };
        case 'answered': {
          const exchange = openExchange(place, reply.sealed);
          const isUsable = exchange !== null && (reply.isFailure || this.judge(question, exchange) !== null);
          const remainingMs = reply.isFailure ? 0 : reply.remainingMs;
          if (isUsable) return { kind: 'shared', exchange, remainingMs, lostUnits: 0 };
          // An unreadable answer, or one that this release would not keep, is replaced.
          intent = 'replace';
          awaited = '';
          break;
        }
        case 'underWay': {
          // A waiting question has the same deadline as a call.
          const leftMs = this.options.waitMs - (performance.now() - started);
          if (leftMs <= 0) return { kind: 'refused', problem: lateCall(), lostUnits: 0 };
          awaited = reply.flightId;
          const next = await this.shared.wait(place, awaited, call.signal, leftMs);
          if (next === 'aborted') return { kind: 'abandoned', lostUnits: 0 };
          if (next === 'away') return away;
          intent = next;
        }
      }
    }
  }

  private takeShared(question: KeyedQuestion, exchange: Exchange, remainingMs: number): Answer<unknown> {
    const answer = this.options.interpret(question, exchange);
    this.options.onClaim('shared');
    const ttl = Math.min(remainingMs, this.options.windowMs);
    if (ttl > 0 && isCacheable(answer)) this.memory.remember(question.key, answer, ttl);
    return answer;
  }

  /** The answer that an exchange is, where it may serve again. */
  private judge(question: KeyedQuestion, exchange: Exchange): Answer<unknown> | null {
    const age = Math.abs(this.options.now().getTime() - exchange.checkedAt.getTime());
    if (age > this.options.windowMs + clockToleranceMs) return null;
    try {
      const answer = this.options.interpret(question, exchange);
      return isCacheable(answer) && isFresh(answer, question.endpoint, this.options.now()) ? answer : null;
    } catch {
      return null;
    }
  }
}
