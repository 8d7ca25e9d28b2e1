import { randomBytes } from 'node:crypto';
import type { Answer } from '../answer/answer';
import { decodeExchange, type Exchange } from '../answer/exchange';
import { problem } from '../answer/problem';
import {
  type AnswerStore,
  type Claim,
  isCacheable,
  isFresh,
  type MemoryAnswerStore,
  type StoredQuestion,
} from '../replay/answer-store';
import type { Place, Places } from './places';
import { type Landing, SharedFlight } from './shared-flight';
import type { ClaimIntent, SharedStore } from './shared-store';

export interface RedisAnswerStoreOptions {
  readonly windowMs: number;
  readonly now: () => Date;
  /** Method and path of an endpoint. */
  readonly address: (endpoint: StoredQuestion['endpoint']) => string;
  /** What an exchange means to this release. */
  readonly interpret: (question: StoredQuestion, exchange: Exchange) => Answer<unknown>;
  /** The account must not be asked for so long. */
  readonly onPause: (account: string, ms: number) => void;
  /** What became of a claim, for figures. */
  readonly onClaim: (result: 'owned' | 'shared' | 'takeover' | 'alone') => void;
}

/** By how much the clocks of two instances may differ. */
const clockToleranceMs = 120_000;

/** What became of a claim under one key. */
type PlaceClaim =
  | { readonly kind: 'owned'; readonly lostUnits: number }
  | { readonly kind: 'shared'; readonly exchange: Exchange; readonly remainingMs: number }
  | Exclude<Claim, { kind: 'owned' | 'answered' }>
  | { readonly kind: 'away' };

/** Answers that all instances share, behind those that this one remembers. Where the store is away, this instance goes on alone. */
export class RedisAnswerStore implements AnswerStore {
  constructor(
    private readonly memory: MemoryAnswerStore,
    private readonly places: Places,
    private readonly shared: SharedStore,
    private readonly options: RedisAnswerStoreOptions,
  ) {}

  get size(): number {
    return this.memory.size;
  }

  recall(question: StoredQuestion): Answer<unknown> | undefined {
    return this.memory.recall(question);
  }

  async find(question: StoredQuestion): Promise<Answer<unknown> | undefined> {
    const here = this.memory.recall(question);
    if (here !== undefined) return here;
    for (const place of this.placesOf(question)) {
      const found = await this.shared.read(place);
      const exchange = found === null ? null : open(place, found);
      const answer = exchange === null ? null : this.judge(question, exchange);
      if (answer !== null) return answer;
    }
    return undefined;
  }

  async claim(question: StoredQuestion, call: { readonly signal: AbortSignal }): Promise<Claim> {
    const flight = this.flightOf(question);
    if (!this.shared.isUp) return this.goAlone(flight);
    let lostUnits = 0;
    for (const [index, place] of flight.places.entries()) {
      const claim = await this.claimPlace(place, flight, call);
      if (claim.kind === 'owned') {
        lostUnits = Math.max(lostUnits, claim.lostUnits);
        continue;
      }
      if (claim.kind === 'away') return this.goAlone(flight);
      // What was claimed under the first key is given up, or answered as this one was.
      const claimed = new SharedFlight(flight.id, question, flight.places.slice(0, index), true, this.end);
      if (claim.kind !== 'shared') {
        if (index > 0) claimed.abandon();
        return claim;
      }
      if (index > 0) claimed.relay(claim.exchange);
      return this.takeShared(question, claim.exchange, claim.remainingMs);
    }
    flight.lostUnits = lostUnits;
    this.shared.hold(flight);
    this.options.onClaim(lostUnits > 0 ? 'takeover' : 'owned');
    return { kind: 'owned', flight };
  }

  reserve(question: Pick<StoredQuestion, 'caller' | 'price' | 'operation'>): Promise<boolean> {
    return this.shared.reserve(this.places.of({ ...question, cacheKey: '' }, ''), question);
  }

  /** Tells all instances that the account must not be asked for so long. */
  sharePause(caller: StoredQuestion['caller'], ms: number): void {
    this.shared.pause(this.places.of({ caller, cacheKey: '', operation: null }, ''), ms);
  }

  async close(): Promise<void> {
    await Promise.all([this.memory.close(), this.shared.close()]);
  }

  private flightOf(question: StoredQuestion): SharedFlight {
    const id = `${this.shared.instance}.${randomBytes(9).toString('base64url')}`;
    return new SharedFlight(id, question, this.placesOf(question), this.options.windowMs > 0, this.end);
  }

  private placesOf(question: StoredQuestion): readonly Place[] {
    return this.places.of(question, this.options.address(question.endpoint));
  }

  /** The store is away: what is answered now is still for the others, once it is back. */
  private goAlone(flight: SharedFlight): Claim {
    this.options.onClaim('alone');
    this.shared.hold(flight);
    return { kind: 'owned', flight };
  }

  private readonly end = (landing: Landing, answer: Answer<unknown> | null): void => {
    if (answer !== null && isCacheable(answer)) this.memory.remember(landing.flight.question.key, answer);
    this.shared.land(landing);
  };

  private async claimPlace(
    place: Place,
    { id, question }: SharedFlight,
    call: { readonly signal: AbortSignal },
  ): Promise<PlaceClaim> {
    let awaited = '';
    let intent: ClaimIntent = 'join';
    for (;;) {
      const reply = await this.shared.claim(place, id, question, awaited, intent);
      switch (reply.kind) {
        case 'away':
        case 'overBudget':
          return reply;
        case 'owned':
          if (reply.pauseMs > 0) this.options.onPause(question.caller.account, reply.pauseMs);
          return reply;
        case 'deadly':
          return { kind: 'refused', problem: deadly(reply.remainingMs), lostUnits: reply.lostUnits };
        case 'answered': {
          const exchange = open(place, reply.sealed);
          const isUsable = exchange !== null && (reply.isFailure || this.judge(question, exchange) !== null);
          if (isUsable) return { kind: 'shared', exchange, remainingMs: reply.isFailure ? 0 : reply.remainingMs };
          // Junk, or an answer that this release would not have kept: asked anew, and overwritten.
          intent = 'replace';
          awaited = '';
          break;
        }
        case 'underWay': {
          awaited = reply.flightId;
          const next = await this.shared.wait(place, awaited, call.signal);
          if (next === 'aborted') return { kind: 'abandoned' };
          if (next === 'away') return { kind: 'away' };
          intent = next;
        }
      }
    }
  }

  private takeShared(question: StoredQuestion, exchange: Exchange, remainingMs: number): Claim {
    const answer = this.options.interpret(question, exchange);
    this.options.onClaim('shared');
    const ttl = Math.min(remainingMs, this.options.windowMs);
    if (ttl > 0 && isCacheable(answer)) this.memory.remember(question.key, answer, ttl);
    return { kind: 'answered', answer };
  }

  /** The answer that an exchange is, where it may serve again. */
  private judge(question: StoredQuestion, exchange: Exchange): Answer<unknown> | null {
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

function open({ key, question }: Place, sealed: Buffer): Exchange | null {
  const plain = key.open(sealed, question);
  return plain === null ? null : decodeExchange(plain);
}

function deadly(remainingMs: number) {
  return problem('REGISTRY_PAUSED', {
    retryAfter: Math.max(1, Math.ceil(remainingMs / 1_000)),
    message: 'Not asked: three instances of this server died while they asked this, one after another.',
    spanish: 'No se consultó: tres instancias de este servidor murieron mientras consultaban esto, una tras otra.',
  });
}
