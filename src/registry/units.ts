import type { Answer, Outcome, ServedFrom } from './answer';

/** One question of a request, as its units are told. */
export interface UnitCall {
  readonly endpoint: string;
  readonly outcome: Outcome | 'UNAUTHENTICATED';
  readonly units: number;
  readonly servedFrom: ServedFrom;
  readonly ms: number;
}

/** What one request has spent, may have spent, and may still spend. */
export class Units {
  spent = 0;
  /** The price of calls whose billing is unknown: the service's ledger lies between `spent` and the sum of both. */
  uncertain = 0;
  /** What repeated questions would have cost. */
  saved = 0;
  /** Whether any question came up, also one that was refused before it cost anything. */
  asked = false;
  readonly calls: UnitCall[] = [];
  private reserved = 0;

  constructor(readonly budget: number | null) {}

  /** Sets the price of a call aside before it leaves, so that calls at the same time cannot overspend together. */
  reserve(price: number): boolean {
    const committed = this.spent + this.uncertain + this.reserved;
    if (this.budget !== null && committed + price > this.budget) return false;
    this.reserved += price;
    return true;
  }

  /** Books what a call really cost. */
  settle(price: number, answer: Answer<unknown>, ms: number): void {
    const { endpoint, units, billing, servedFrom } = answer.evidence;
    this.reserved -= price;
    this.spent += units;
    if (billing === 'UNKNOWN') this.uncertain += price;
    this.calls.push({ endpoint, outcome: answer.outcome, units, servedFrom, ms: Math.round(ms) });
  }

  /** A call that the service turned away at the door. */
  turnedAway(price: number, endpoint: string, ms: number): void {
    this.reserved -= price;
    this.calls.push({ endpoint, outcome: 'UNAUTHENTICATED', units: 0, servedFrom: 'LIVE', ms: Math.round(ms) });
  }

  /** An answer that was already there. */
  replay(price: number, answer: Answer<unknown>, ms: number): void {
    const { endpoint, servedFrom } = answer.evidence;
    this.save(price, answer);
    this.calls.push({ endpoint, outcome: answer.outcome, units: 0, servedFrom, ms: Math.round(ms) });
  }

  /** A field that shows an answer which another field has shown before. */
  save(price: number, { outcome }: Answer<unknown>): void {
    if (outcome === 'FOUND' || outcome === 'NOT_FOUND') this.saved += price;
  }
}
