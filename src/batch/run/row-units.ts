import { type Answer, asReplay, type Outcome } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';
import type { SharedAnswer } from '../../registry/answers/answer-store';
import { Savings } from '../../registry/questions/call-ledger';
import type { CallUnits } from '../../registry/questions/call-units';
import { type FieldPath, toKeys } from '../../registry/questions/field-path';
import type { RowLookup } from '../batch';
import { rowBudgetExhausted } from '../row-ceiling';
import { maySucceedLater, releasesClaim } from './temporary-failure';
import type { BatchObserver } from './worker-dependencies';

const maxProblems = 50;

/** The units that one row spends, and the lookups in its result. */
export class RowUnits implements CallUnits {
  readonly operation = null;
  readonly lookups: RowLookup[] = [];
  /** Distinct by code and path. */
  readonly problems = new Map<string, Problem>();
  spent = 0;
  /** Price of the row's own calls whose billing is unknown. */
  uncertain = 0;
  /** Price of the questions that other questions of the batch, or requests, paid for. */
  readonly savings = new Savings();
  hasUnknown = false;
  hasFailed = false;
  /** Whether one of its failed lookups may succeed if the row is retried. */
  maySucceed = false;
  private reserved = 0;

  /** `payer` is the number of the row. `ceiling` is null if there is no limit. */
  constructor(
    readonly payer: number,
    private readonly ceiling: number | null,
    private readonly observer: BatchObserver,
  ) {}

  get exceeded(): Problem {
    return rowBudgetExhausted(this.ceiling);
  }

  canAfford(price: number): boolean {
    return this.ceiling === null || this.spent + this.uncertain + this.reserved + price <= this.ceiling;
  }

  reserve(price: number): boolean {
    if (!this.canAfford(price)) return false;
    this.reserved += price;
    return true;
  }

  release(price: number): void {
    this.reserved -= price;
  }

  recordCall(price: number, answer: Answer<unknown>, _ms: number, path: FieldPath | null): void {
    const { endpoint, units, billing } = answer.evidence;
    const isUncertain = billing === 'UNKNOWN';
    this.reserved -= price;
    this.recordOwn(price, answer, isUncertain, path);
    this.observer.recordUnits(endpoint, units, isUncertain ? price : 0);
  }

  recordUnauthenticated(price: number): void {
    this.release(price);
  }

  /** Records an answer from the store. If this row paid for it in an earlier try, it is not a replay and shows its cost. */
  recordShared(price: number, shared: SharedAnswer, _ms: number, path: FieldPath | null): Answer<unknown> {
    const { answer, payer, isUncertain } = shared;
    if (payer === this.payer) {
      this.recordOwn(price, answer, isUncertain, path);
      return answer;
    }
    if (isUncertain) this.hasUnknown = true;
    this.recordSaving(price, answer);
    const shown = releasesClaim(answer) ? answer : asReplay(answer);
    this.recordLookup(shown, path, answer.evidence.units > 0);
    return shown;
  }

  recordSaving(price: number, answer: Answer<unknown>): void {
    this.savings.add(price, answer);
  }

  recordRefusal(answer: Answer<unknown>, path: FieldPath | null): void {
    this.recordLookup(answer, path);
  }

  /** Does nothing: the tables of the batch record lost answers. */
  recordLost(): void {}

  noteProblems(problems: readonly Problem[]): void {
    for (const entry of problems) {
      if (this.problems.size >= maxProblems) return;
      this.problems.set([entry.code, ...(entry.path ?? [])].join(' '), entry);
    }
  }

  private recordOwn(price: number, answer: Answer<unknown>, isUncertain: boolean, path: FieldPath | null): void {
    this.spent += answer.evidence.units;
    if (isUncertain) {
      this.uncertain += price;
      this.hasUnknown = true;
    }
    this.recordLookup(answer, path);
  }

  /** Records that a lookup failed. A failure that was charged is not repeated. */
  recordFailure(outcome: Outcome, problems: readonly Problem[], isCharged = false): void {
    this.hasFailed = true;
    this.maySucceed ||= !isCharged && maySucceedLater(outcome, problems);
  }

  private recordLookup(
    { outcome, evidence, problems }: Answer<unknown>,
    path: FieldPath | null,
    isCharged = evidence.units > 0,
  ): void {
    if (outcome !== 'FOUND' && outcome !== 'NOT_FOUND') this.recordFailure(outcome, problems, isCharged);
    this.noteProblems(problems);
    this.lookups.push({
      field: toKeys(path).join('.'),
      outcome,
      problems: problems.map(({ code }) => code),
      evidence: { ...evidence, checkedAt: evidence.checkedAt?.toISOString() ?? null },
    });
  }
}
