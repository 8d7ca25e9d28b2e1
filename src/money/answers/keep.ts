import type { RuleName } from './rules';
import type { Settled } from './shared-answer';

/** A rule by which an answer is kept, and the names under which it is found. */
export interface Keep {
  readonly rule: RuleName;
  readonly names: readonly string[];
  /** Key of the answer's bytes, encrypted for those who may have it by this rule. */
  readonly key: Buffer;
  /** Whether it is a failure, an answer about somebody else or, of an operation, one whose charge is unknown. */
  readonly failed: boolean;
  /** Time by `performance.now()`. Infinity for an operation, which deletes it. Null for those who wait: `awaitedMs` from when it is written. */
  readonly until: number | null;
  /** Outcome of the uncertain price of the early response that this answer belongs to. */
  readonly settled?: Settled | null | undefined;
  /** The part of an operation that paid. */
  readonly payer?: string | null;
}

/**
 * A call of an operation that ends, by the name under which it was opened. KEPT: its answer is one of `keeps`. LOST: there is none, and the question is
 * not asked again. RELEASED: the question may be asked again.
 */
export interface EndedCall {
  readonly name: string;
  readonly state: 'KEPT' | 'LOST' | 'RELEASED';
}
