import { type Answer, asReplay, isAnswer, type Outcome, type ServedFrom } from '../../../registry/answer/answer';
import { type Problem, type ProblemCode, problem } from '../../../registry/answer/problem';
import type { AnyEndpoint } from '../../../registry/endpoint/endpoint';
import { isPart, type LastingOperation } from '../../answers/operations/lasting-operations';
import { nothingSettled, reused, type SharedAnswer } from '../../answers/shared-answer';
import { moneyCodes } from '../../codes';
import type { Saving, SavingKind } from '../../ledger/entries/entry-json';
import { type FieldPath, toKeys } from './field-path';
import type { OperationBudget } from './operation-budgets';

export type { Saving, SavingKind };

export class Savings {
  private readonly sums = new Map<string, { -readonly [Part in keyof Saving]: Saving[Part] }>();

  get all(): readonly Saving[] {
    return [...this.sums.values()];
  }

  get units(): number {
    return this.all.reduce((sum, { units }) => sum + units, 0);
  }

  add(kind: SavingKind, price: number, { outcome, evidence }: Answer<unknown>): void {
    if (price > 0) this.addSaving({ kind, endpoint: evidence.endpoint, outcome, units: price });
  }

  addSaving(saving: Saving): void {
    const key = `${saving.kind} ${saving.outcome} ${saving.endpoint}`;
    const sum = this.sums.get(key);
    if (sum === undefined) this.sums.set(key, { ...saving });
    else sum.units += saving.units;
  }
}

/** Returns the answer with the entry that proves it. A question that was not sent has no proof. */
export function withLedgerId<Payload>(answer: Answer<Payload>, ledgerId: string | null): Answer<Payload> {
  if (ledgerId === null || answer.evidence.servedFrom === 'NOT_SENT') return answer;
  return { ...answer, evidence: { ...answer.evidence, ledgerId } };
}

export interface UnitCall {
  /** The field that asked first. Empty if no field did. */
  readonly path: readonly (string | number)[];
  readonly endpoint: string;
  readonly outcome: Outcome | 'UNAUTHENTICATED';
  readonly units: number;
  /**
   * Price of the call if it may have been charged. On a REPLAY this repeats the payer's figure and is not added to the sum.
   */
  readonly uncertain: number;
  readonly servedFrom: ServedFrom;
  /** Milliseconds after the request began. */
  readonly at: number;
  readonly ms: number;
}

export interface UnitObserver {
  recordCall(call: UnitCall, uncertain: number): void;
  recordProblem(endpoint: string, code: ProblemCode): void;
  recordReplay(call: UnitCall): void;
  recordSaving(endpoint: string, units: number): void;
  recordRejection(outcome: Outcome, problems: readonly Problem[]): void;
  recordLost(endpoint: string, units: number): void;
  /** Records a question before it is answered. Only a row records its questions and answers. */
  recordQuestion?(endpoint: AnyEndpoint, question: unknown): void;
  /** Records an answer as this request shows it, and as it was paid for. */
  recordAnswer?(shown: Answer<unknown>, paid: Answer<unknown>, isUncertain: boolean, path: FieldPath | null): void;
  /** Records problems that a field found in an answer. */
  noteProblems?(problems: readonly Problem[]): void;
}

export class UnitMeter {
  spent = 0;
  /** Price of the calls whose billing is unknown. The service charged at least `spent` and at most `spent + uncertain`. */
  uncertain = 0;
  /** Price of the questions that were answered without a call, because another question had paid for the answer. */
  saved = 0;
  /** Outcome of the uncertain units of earlier responses that no other response has reported. */
  settled = nothingSettled;
  /** Number of calls, and of operations as a whole, that a budget or a limit refused. */
  refused = 0;
  isReported = false;
  /** Part of `saved` that is due to questions that the request repeats. An answer of another request has its own entry in the ledger. */
  private readonly repeated = new Savings();
  readonly calls: UnitCall[] = [];
  readonly rejections: Outcome[] = [];
  private readonly began = performance.now();
  private reserved = 0;
  /**
   * Uncertain units that the budget ignores, because another request pays for a call whose process died, or because the price of a
   * running call is still reserved.
   */
  private notBudgeted = 0;

  constructor(
    readonly budget: number | null,
    readonly observer: UnitObserver | null = null,
    readonly operation: OperationBudget | null = null,
    readonly lasting: LastingOperation | null = null,
  ) {}

  /** Units that the request may still spend. Null without a limit. The store has the exact rest of an operation that lasts. */
  get left(): number | null {
    const limits = [this.ownLeft, this.lasting?.left ?? null].filter((left) => left !== null);
    return limits.length === 0 ? null : Math.min(...limits);
  }

  private get ownLeft(): number | null {
    if (this.budget === null) return null;
    return Math.min(this.budget - this.committed, this.operation?.left ?? this.budget);
  }

  get exceeded(): Problem {
    return problem(moneyCodes.UNIT_BUDGET_EXCEEDED);
  }

  private get committed(): number {
    return this.spent + this.uncertain - this.notBudgeted + this.reserved;
  }

  canAfford(price: number): boolean {
    return this.ownLeft === null || price <= this.ownLeft;
  }

  /** Reserves the price of a call before it is sent, so that parallel calls cannot overspend together. */
  reserve(price: number): boolean {
    if (this.budget !== null && this.committed + price > this.budget) return false;
    if (this.operation !== null && !this.operation.reserve(price)) return false;
    this.reserved += price;
    return true;
  }

  release(price: number): void {
    this.reserved -= price;
    this.operation?.release(price);
  }

  recordLost(endpoint: string, units: number): void {
    if (units === 0) return;
    this.uncertain += units;
    this.notBudgeted += units;
    this.observer?.recordLost(endpoint, units);
  }

  recordCall(price: number, answer: Answer<unknown>, ms: number, path: FieldPath | null = null): void {
    const { endpoint, units, billing, servedFrom } = answer.evidence;
    const uncertain = billing === 'UNKNOWN' ? price : 0;
    this.reserved -= price;
    this.operation?.release(price - units - uncertain);
    this.spent += units;
    this.uncertain += uncertain;
    const call = this.record(path, ms, { endpoint, outcome: answer.outcome, units, uncertain, servedFrom });
    this.observer?.recordCall(call, uncertain);
    this.observer?.recordAnswer?.(answer, answer, uncertain > 0, path);
    for (const { code } of answer.problems) this.observer?.recordProblem(endpoint, code);
  }

  /**
   * Records a call that is still running when the response is sent. Returns a function that removes the record, for a call that ends
   * before the response is written.
   */
  recordStillRunning(price: number, answer: Answer<unknown>, ms: number, path: FieldPath | null): () => void {
    const { endpoint, servedFrom, billing } = answer.evidence;
    const uncertain = billing === 'UNKNOWN' ? price : 0;
    this.uncertain += uncertain;
    this.notBudgeted += uncertain;
    const call = this.record(path, ms, { endpoint, outcome: answer.outcome, units: 0, uncertain, servedFrom });
    for (const { code } of answer.problems) this.observer?.recordProblem(endpoint, code);
    return () => {
      this.uncertain -= uncertain;
      this.notBudgeted -= uncertain;
      this.calls.splice(this.calls.indexOf(call), 1);
    };
  }

  recordUnauthenticated(price: number, endpoint: string, ms: number, path: FieldPath | null = null): void {
    this.release(price);
    const unpaid = { units: 0, uncertain: 0, servedFrom: 'LIVE' } as const;
    const call = this.record(path, ms, { endpoint, outcome: 'UNAUTHENTICATED', ...unpaid });
    this.observer?.recordCall(call, 0);
  }

  /** Records an answer that was paid for before, so many seconds ago. `cost` is what it would cost now, which is at most `price`. Returns it as this request shows it, and why it saved its price. */
  recordShared(
    { price, path }: { readonly price: number; readonly path: FieldPath | null },
    cost: number,
    shared: SharedAnswer,
    age: number | null,
    ms: number,
  ): { readonly answer: Answer<unknown>; readonly saving: SavingKind | null } {
    const { payer, keptBy, settled } = shared;
    const isOwn = payer !== null && payer === this.lasting?.payer;
    if (isOwn) return { answer: this.recordOwn(price, shared, ms, path), saving: null };
    const answer = asReplay(shared.answer, keptBy === null ? 'REPLAY' : 'KEPT', age);
    const { endpoint, servedFrom } = answer.evidence;
    const kind = keptBy === null ? 'REPLAY' : keptBy === reused ? 'KEPT' : 'JOB';
    // The protocol of early responses repeats the question, and not the caller.
    const isFree = price === 0 && isAnswer(answer);
    const saving = settled === undefined && (cost > 0 || isFree) ? kind : null;
    if (saving !== null) {
      this.saved += cost;
      this.observer?.recordSaving(endpoint, cost);
    }
    const { spent, uncertain: known } = settled ?? nothingSettled;
    this.settled = { spent: this.settled.spent + spent, uncertain: this.settled.uncertain + known };
    const uncertain = shared.isUncertain ? price : 0;
    const call = this.record(path, ms, { endpoint, outcome: answer.outcome, units: 0, uncertain, servedFrom });
    if (saving !== null && isPart(this.lasting)) this.repeated.add(saving, cost, answer);
    this.observer?.recordReplay(call);
    this.observer?.recordAnswer?.(answer, shared.answer, shared.isUncertain, path);
    return { answer, saving };
  }

  /** Records an answer that this part of its operation paid for in an earlier try. It shows its cost again. */
  private recordOwn(
    price: number,
    { answer, isUncertain }: SharedAnswer,
    ms: number,
    path: FieldPath | null,
  ): Answer<unknown> {
    const { endpoint, servedFrom, units } = answer.evidence;
    const uncertain = isUncertain ? price : 0;
    this.spent += units;
    this.uncertain += uncertain;
    this.record(path, ms, { endpoint, outcome: answer.outcome, units, uncertain, servedFrom });
    this.observer?.recordAnswer?.(answer, answer, isUncertain, path);
    return answer;
  }

  /** Records the price that another field would have paid for the same answer. */
  recordSaving(price: number, answer: Answer<unknown>): void {
    if (price === 0) return;
    this.saved += price;
    this.repeated.add('REQUEST', price, answer);
  }

  /** Returns what the repeated questions saved, and reports the sums: an operation may repeat hundreds of questions. */
  reportRepeated(): readonly Saving[] {
    this.isReported = true;
    const sums = this.repeated.all;
    for (const { endpoint, units } of sums) this.observer?.recordSaving(endpoint, units);
    return sums;
  }

  /** Records a question that was not sent. `isCall` is true if a budget or the store refused its call. */
  recordRefusal(answer: Answer<unknown>, path: FieldPath | null = null, isCall = false): void {
    const { outcome, evidence, problems } = answer;
    if (!isCall) {
      this.recordRejection(outcome, problems);
      return;
    }
    if (problems.some(({ code }) => code === 'BUDGET_EXHAUSTED' || code === 'UNIT_BUDGET_EXCEEDED')) this.refused += 1;
    const { endpoint, servedFrom } = evidence;
    this.record(path, 0, { endpoint, outcome, units: 0, uncertain: 0, servedFrom });
    this.observer?.recordRejection(outcome, problems);
    this.observer?.recordAnswer?.(answer, answer, false, path);
  }

  recordRejection(outcome: Outcome, problems: readonly Problem[]): void {
    this.rejections.push(outcome);
    this.observer?.recordRejection(outcome, problems);
  }

  private record(path: FieldPath | null, ms: number, facts: Omit<UnitCall, 'path' | 'at' | 'ms'>): UnitCall {
    const startedAt = Math.max(0, Math.round(performance.now() - this.began - ms));
    const call = { path: toKeys(path), ...facts, at: startedAt, ms: Math.round(ms) };
    this.calls.push(call);
    return call;
  }
}
