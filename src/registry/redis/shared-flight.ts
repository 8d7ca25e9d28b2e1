import type { Answer } from '../answer/answer';
import { type Exchange, encodeExchange } from '../answer/exchange';
import { type ClaimedCall, isCacheable, type KeyedQuestion } from '../answers/answer-store';
import type { Place } from './places';

/** Result of a call in the store: an answer for all, a failure for the waiting instances, or nothing. */
export type LandingResult = 'answer' | 'failure' | 'nothing';

/** It holds nothing that is not sealed: it may have to wait for the store. */
export interface Landing {
  readonly id: string;
  readonly result: LandingResult;
  /** Under each key: where, and what. */
  readonly places: readonly { readonly place: Place; readonly sealed: Buffer | '' }[];
  /** Units that were set aside for it and not used. */
  readonly unusedUnits: number;
  /** When its answer came, by this process's clock. */
  readonly landedAt: number;
  /** Number of failed writes to an available store. */
  readonly failures: number;
}

/** The same without an answer: it at least ends the wait of others. */
export function withoutAnswer(landing: Landing): Landing {
  const places = landing.places.map(({ place }) => ({ place, sealed: '' as const }));
  return { ...landing, result: 'nothing', places };
}

export function landingOfNothing({ id, places }: SharedFlight): Landing {
  const empty = places.map((place) => ({ place, sealed: '' as const }));
  return { id, result: 'nothing', places: empty, unusedUnits: 0, landedAt: performance.now(), failures: 0 };
}

/** A question that this instance puts, for the others too. */
export class SharedFlight implements ClaimedCall {
  readonly started = performance.now();
  waitedMs = 0;
  private exchange: Exchange | null = null;
  private landed = false;

  constructor(
    readonly id: string,
    readonly question: KeyedQuestion,
    readonly places: readonly Place[],
    /** Whether answers are kept, and not only shared with those who wait. */
    private readonly keepsAnswers: boolean,
    private readonly end: (flight: SharedFlight, landing: Landing, answer: Answer<unknown> | null) => void,
  ) {}

  get isOver(): boolean {
    return this.landed;
  }

  readonly onExchange = (exchange: Exchange): void => {
    this.exchange = exchange;
  };

  complete(answer: Answer<unknown>): void {
    const { price } = this.question;
    const used = answer.evidence.units + (answer.evidence.billing === 'UNKNOWN' ? price : 0);
    this.finish(isCacheable(answer) && this.keepsAnswers ? 'answer' : 'failure', price - used, answer);
  }

  fail(): void {
    this.finish('failure', this.question.price, null);
  }

  release(): void {
    this.finish('nothing', this.question.price, null);
  }

  /** Passes on what another instance was answered. */
  relay(exchange: Exchange): void {
    this.exchange = exchange;
    this.finish('failure', this.question.price, null);
  }

  private finish(wanted: LandingResult, unusedUnits: number, answer: Answer<unknown> | null): void {
    if (this.landed) return;
    this.landed = true;
    const { id, exchange } = this;
    const plain = exchange === null || wanted === 'nothing' ? null : encodeExchange(exchange);
    const result = plain === null ? 'nothing' : wanted;
    const places = this.places.map((place) => ({
      place,
      sealed: plain === null ? ('' as const) : place.key.seal(plain, place.question),
    }));
    this.end(this, { id, result, places, unusedUnits, landedAt: performance.now(), failures: 0 }, answer);
  }
}
