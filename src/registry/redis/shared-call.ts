import { type ClaimedCall, isCacheable, type KeyedQuestion } from '../../calls/answers/answer-store';
import type { Answer } from '../answer/answer';
import { type Exchange, encodeExchange } from '../answer/exchange';
import type { RedisNames } from './redis-names';

/** Kind of a call's result in the store: an answer for all, a failure for the waiting instances, or nothing. */
export type ResultKind = 'answer' | 'failure' | 'nothing';

/** Result of a call as it is written to the store. It may have to wait for the store, so it holds sealed bytes only. */
export interface SharedResult {
  readonly id: string;
  readonly kind: ResultKind;
  readonly entries: readonly { readonly names: RedisNames; readonly sealed: Buffer | '' }[];
  /** Units that were reserved for the call and not used. */
  readonly unusedUnits: number;
  /** Time of the answer, by `performance.now()` of this process. */
  readonly answeredAt: number;
  readonly failures: number;
}

export function withoutAnswer(result: SharedResult): SharedResult {
  const entries = result.entries.map(({ names }) => ({ names, sealed: '' as const }));
  return { ...result, kind: 'nothing', entries };
}

/** Returns a result that only ends the wait of other instances. */
export function emptyResult({ id, namesPerKey }: SharedCall): SharedResult {
  const entries = namesPerKey.map((names) => ({ names, sealed: '' as const }));
  return { id, kind: 'nothing', entries, unusedUnits: 0, answeredAt: performance.now(), failures: 0 };
}

export class SharedCall implements ClaimedCall {
  readonly started = performance.now();
  waitedMs = 0;
  private exchange: Exchange | null = null;
  private ended = false;

  constructor(
    readonly id: string,
    readonly question: KeyedQuestion,
    readonly namesPerKey: readonly RedisNames[],
    /** Whether the store keeps answers. If not, only the instances that wait receive them. */
    private readonly keepsAnswers: boolean,
    private readonly onEnd: (call: SharedCall, result: SharedResult, answer: Answer<unknown> | null) => void,
  ) {}

  get hasEnded(): boolean {
    return this.ended;
  }

  readonly onExchange = (exchange: Exchange): void => {
    this.exchange = exchange;
  };

  complete(answer: Answer<unknown>): void {
    const { price } = this.question;
    const used = answer.evidence.units + (answer.evidence.billing === 'UNKNOWN' ? price : 0);
    this.end(isCacheable(answer) && this.keepsAnswers ? 'answer' : 'failure', price - used, answer);
  }

  fail(): void {
    this.end('failure', this.question.price, null);
  }

  release(): void {
    this.end('nothing', this.question.price, null);
  }

  /** Passes another instance's answer on to the instances that wait. Like a failure, it is not kept for later questions. */
  relay(exchange: Exchange): void {
    this.exchange = exchange;
    this.end('failure', this.question.price, null);
  }

  private end(intendedKind: ResultKind, unusedUnits: number, answer: Answer<unknown> | null): void {
    if (this.ended) return;
    this.ended = true;
    const { id, exchange } = this;
    const plain = exchange === null || intendedKind === 'nothing' ? null : encodeExchange(exchange);
    const kind = plain === null ? 'nothing' : intendedKind;
    const entries = this.namesPerKey.map((names) => ({
      names,
      sealed: plain === null ? ('' as const) : names.key.seal(plain, names.question),
    }));
    this.onEnd(this, { id, kind, entries, unusedUnits, answeredAt: performance.now(), failures: 0 }, answer);
  }
}
