import type { SharedAnswer } from '../../money/answers/shared-answer';
import { type FieldPath, toKeys } from '../../money/calls/field-path';
import type { CallUnits } from '../../money/units/call-units';
import { Savings } from '../../money/units/savings';
import { type Answer, asReplay, type Outcome } from '../../registry/answer/answer';
import { type Problem, problem } from '../../registry/answer/problem';
import type { Batch, RowLookup } from '../batch';
import type { BatchObserver } from './dependencies';
import { maySucceedLater, releasesClaim } from './temporary-failure';

/** Returns the lower of two ceilings. Null means no ceiling. */
export function lowerCeiling(first: number | null, second: number | null): number | null {
  if (first === null || second === null) return first ?? second;
  return Math.min(first, second);
}

export function exceedsCeiling({ estimate }: Pick<Batch, 'estimate'>, ceiling: number | null): boolean {
  return ceiling !== null && (estimate?.costliestRow?.units ?? 0) > ceiling;
}

export function rowTooExpensive({ estimate }: Pick<Batch, 'estimate'>, ceiling: number | null): Problem {
  const { line, number = 0, units = 0 } = estimate?.costliestRow ?? {};
  return problem('UNIT_BUDGET_EXCEEDED', {
    message: `The row in line ${line ?? number} costs ${inUnits(units)}, but a row may cost at most ${ceiling} (\`x-max-units\`, \`MAX_UNITS\`). No call was made. Raise the limit, or select fewer fields.`,
    spanish: `La fila de la línea ${line ?? number} cuesta ${enUnidades(units)}, pero una fila puede costar ${ceiling} como máximo (\`x-max-units\`, \`MAX_UNITS\`). No se consultó nada. Suba el límite, o pida menos campos.`,
  });
}

function rowBudgetExhausted(ceiling: number | null): Problem {
  return problem('UNIT_BUDGET_EXCEEDED', {
    message: `No call was made, because a row of this batch may cost at most ${inUnits(ceiling ?? 0)} (\`x-max-units\`, \`MAX_UNITS\`).`,
    spanish: `No se consultó, porque una fila de este lote puede costar ${enUnidades(ceiling ?? 0)} como máximo (\`x-max-units\`, \`MAX_UNITS\`).`,
  });
}

const inUnits = (units: number): string => `${units} ${units === 1 ? 'unit' : 'units'}`;
const enUnidades = (units: number): string => `${units} ${units === 1 ? 'unidad' : 'unidades'}`;

const maxProblems = 50;

export class RowUnits implements CallUnits {
  readonly operation = null;
  readonly lookups: RowLookup[] = [];
  readonly problems = new Map<string, Problem>();
  spent = 0;
  /** Price of the row's own calls whose billing is unknown. */
  uncertain = 0;
  /** Price of the questions that other questions of the batch, or requests, paid for. */
  readonly savings = new Savings();
  hasUnknown = false;
  hasFailed = false;
  maySucceed = false;
  /** Whether an answer may be about another person or employer. */
  isDoubtful = false;
  private reserved = 0;

  /** `payer` names the row and its batch. `ceiling` is null if there is no limit. */
  constructor(
    readonly payer: string,
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

  /** Records the price of a call of a request whose process died. The batch counts it as uncertain too. */
  recordLost(endpoint: string, units: number): void {
    if (units === 0) return;
    this.uncertain += units;
    this.observer.recordUnits(endpoint, 0, units);
  }

  noteProblems(problems: readonly Problem[]): void {
    for (const entry of problems) {
      this.isDoubtful ||= entry.code === 'IDENTITY_CONFLICT' || entry.code === 'ANSWER_MISMATCH';
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
