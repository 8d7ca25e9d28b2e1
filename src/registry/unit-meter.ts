import type { Answer, Outcome, ServedFrom } from './answer/answer';
import type { ProblemCode } from './answer/problem';
import type { OperationBudget } from './operation-budgets';

/** A place in the answer, as graphql-js keeps it: an alias or name, or a position in a list, and the place above. */
export interface FieldPath {
  readonly prev: FieldPath | undefined;
  readonly key: string | number;
}

/** One question of a request, as its units are reported. */
export interface UnitCall {
  /** The field that first asked it; empty where no field did. */
  readonly path: readonly (string | number)[];
  readonly endpoint: string;
  readonly outcome: Outcome | 'UNAUTHENTICATED';
  readonly units: number;
  readonly servedFrom: ServedFrom;
  /** Milliseconds after the request began. */
  readonly at: number;
  readonly ms: number;
}

/** Records money as it moves, for figures that outlive the request. */
export interface UnitObserver {
  recordCall(call: UnitCall, uncertain: number): void;
  /** What was wrong with the answer to a call, or with the call itself. */
  recordProblem(endpoint: string, code: ProblemCode): void;
  /** A question whose answer was already there. */
  recordReplay(call: UnitCall): void;
  recordSaving(endpoint: string, units: number): void;
  /** A question that was not put: its input was wrong, something that it needs is missing, or the caller may not ask it. */
  recordRejection(outcome: Outcome): void;
  /** The price of a call that died with the process which made it. */
  recordLost(endpoint: string, units: number): void;
}

/** What one request has spent, may have spent, and may still spend. */
export class UnitMeter {
  spent = 0;
  /** The price of calls whose billing is unknown: the service's ledger lies between `spent` and the sum of both. */
  uncertain = 0;
  /** What repeated questions would have cost. */
  saved = 0;
  readonly calls: UnitCall[] = [];
  /** What became of the questions that were not put. */
  readonly rejections: Outcome[] = [];
  private readonly began = performance.now();
  private reserved = 0;
  /** What other requests' calls may have cost, that died with the process which made them. */
  private inherited = 0;

  constructor(
    readonly budget: number | null,
    private readonly observer: UnitObserver | null = null,
    /** Where the request is part of a larger operation: what all of its requests may spend together. */
    readonly operation: OperationBudget | null = null,
  ) {}

  /** What may still be spent; null without a budget. */
  get left(): number | null {
    if (this.budget === null) return null;
    return Math.min(this.budget - this.committed, this.operation?.left ?? this.budget);
  }

  private get committed(): number {
    return this.spent + this.uncertain - this.inherited + this.reserved;
  }

  /** Sets the price of a call aside before it leaves, so that calls at the same time cannot overspend together. */
  reserve(price: number): boolean {
    if (this.budget !== null && this.committed + price > this.budget) return false;
    if (this.operation !== null && !this.operation.reserve(price)) return false;
    this.reserved += price;
    return true;
  }

  /** Gives back what was set aside for a call that was not made. */
  release(price: number): void {
    this.reserved -= price;
    this.operation?.release(price);
  }

  /** The price of a call that died with the process which made it: it may have been charged, and nobody else will say so. */
  recordLost(endpoint: string, units: number): void {
    if (units === 0) return;
    this.uncertain += units;
    this.inherited += units;
    this.observer?.recordLost(endpoint, units);
  }

  /** Books what a call really cost. */
  settle(price: number, answer: Answer<unknown>, ms: number, path: FieldPath | null = null): void {
    const { endpoint, units, billing, servedFrom } = answer.evidence;
    const uncertain = billing === 'UNKNOWN' ? price : 0;
    this.reserved -= price;
    this.operation?.release(price - units - uncertain);
    this.spent += units;
    this.uncertain += uncertain;
    const call = this.record(path, endpoint, answer.outcome, units, servedFrom, ms);
    this.observer?.recordCall(call, uncertain);
    for (const { code } of answer.problems) this.observer?.recordProblem(endpoint, code);
  }

  /** A call that the service turned away at the door. */
  recordUnauthenticated(price: number, endpoint: string, ms: number, path: FieldPath | null = null): void {
    this.release(price);
    const call = this.record(path, endpoint, 'UNAUTHENTICATED', 0, 'LIVE', ms);
    this.observer?.recordCall(call, 0);
  }

  /** An answer that was already there. */
  recordReplay(price: number, answer: Answer<unknown>, ms: number, path: FieldPath | null = null): void {
    const { endpoint, servedFrom } = answer.evidence;
    this.recordSaving(price, answer);
    const call = this.record(path, endpoint, answer.outcome, 0, servedFrom, ms);
    this.observer?.recordReplay(call);
  }

  /** An answer that is shown once more: asked again, it would have cost its price. */
  recordSaving(price: number, { outcome, evidence }: Answer<unknown>): void {
    if (outcome !== 'FOUND' && outcome !== 'NOT_FOUND') return;
    this.saved += price;
    this.observer?.recordSaving(evidence.endpoint, price);
  }

  /** A question that is not put. */
  recordRejection(outcome: Outcome): void {
    this.rejections.push(outcome);
    this.observer?.recordRejection(outcome);
  }

  /** Recorded whether anybody observes it or not. */
  private record(
    path: FieldPath | null,
    endpoint: string,
    outcome: UnitCall['outcome'],
    units: number,
    servedFrom: ServedFrom,
    ms: number,
  ): UnitCall {
    const startedAt = Math.max(0, Math.round(performance.now() - this.began - ms));
    const call = { path: toKeys(path), endpoint, outcome, units, servedFrom, at: startedAt, ms: Math.round(ms) };
    this.calls.push(call);
    return call;
  }
}

/** Returns the keys from the answer's top to a place in it. */
export function toKeys(path: FieldPath | null): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let place = path ?? undefined; place !== undefined; place = place.prev) keys.unshift(place.key);
  return keys;
}
