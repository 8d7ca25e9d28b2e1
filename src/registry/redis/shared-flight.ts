import type { Answer } from '../answer/answer';
import { type Exchange, encodeExchange } from '../answer/exchange';
import { type Flight, isCacheable, type StoredQuestion } from '../replay/answer-store';
import type { Place } from './places';

/** What a flight leaves in the store: an answer for all, a failure for those who wait, or nothing. */
export interface Landing {
  readonly flight: SharedFlight;
  readonly result: 'A' | 'W' | 'D';
  readonly sealed: readonly Buffer[];
  /** Units that were set aside for it and not used. */
  readonly unusedUnits: number;
  /** When its answer came. */
  readonly landedAt: number;
}

/** A question that this instance puts, for the others too. */
export class SharedFlight implements Flight {
  lostUnits = 0;
  private exchange: Exchange | null = null;
  private isOver = false;

  constructor(
    readonly id: string,
    readonly question: StoredQuestion,
    readonly places: readonly Place[],
    /** Whether answers are kept, and not only shared with those who wait. */
    private readonly keepsAnswers: boolean,
    private readonly end: (landing: Landing, answer: Answer<unknown> | null) => void,
  ) {}

  readonly onExchange = (exchange: Exchange): void => {
    this.exchange = exchange;
  };

  land(answer: Answer<unknown> | null): void {
    const { price } = this.question;
    const isAnswer = answer !== null && isCacheable(answer);
    const used = answer === null ? 0 : answer.evidence.units + (answer.evidence.billing === 'UNKNOWN' ? price : 0);
    this.finish(isAnswer && this.keepsAnswers ? 'A' : 'W', price - used, answer);
  }

  abandon(): void {
    this.finish('D', this.question.price, null);
  }

  /** Passes on what another instance was answered. */
  relay(exchange: Exchange): void {
    this.exchange = exchange;
    this.finish('W', this.question.price, null);
  }

  private finish(result: Landing['result'], unusedUnits: number, answer: Answer<unknown> | null): void {
    if (this.isOver) return;
    this.isOver = true;
    const { exchange, places } = this;
    const plain = exchange === null || result === 'D' ? null : encodeExchange(exchange);
    const sealed = plain === null ? [] : places.map(({ key, question }) => key.seal(plain, question));
    const landedAt = performance.now();
    this.end({ flight: this, result: plain === null ? 'D' : result, sealed, unusedUnits, landedAt }, answer);
  }
}
