import { type RuleName, storedRule } from '../answers/rules';
import type { Settled } from '../answers/shared-answer';
import { type ClosedEntry, unansweredEntry } from '../ledger/entries/entry-json';
import type { LastingPlace } from './call-opener';

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

export interface SharedClosing {
  /** Names of the call. Empty if none ends: an early response keeps the answer. */
  readonly names: readonly string[];
  readonly keeps: readonly Keep[];
  /** When it was asked for at the latest, by `performance.now()`. */
  readonly asked: number;
  readonly answer: Buffer | null;
  readonly operations: readonly string[];
  /** Units that were reserved in the budget of the operation and not used. */
  readonly unused: number;
  /** Place of the answer that is kept for later requests. Null if it was not charged, or may not be replayed. */
  readonly age: LastingPlace | null;
}

/**
 * A call of an operation that ends, by the name under which it was opened. KEPT: its answer is one of `keeps`. LOST: there is none, and the question is
 * not asked again. RELEASED: the question may be asked again.
 */
export interface EndedCall {
  readonly name: string;
  readonly state: 'KEPT' | 'LOST' | 'RELEASED';
}

export interface Closing {
  readonly id: string;
  readonly accounts: readonly string[];
  readonly shared: SharedClosing | null;
  /** The operation that lasts, and the units that an answer of it saved. */
  readonly operation: string | null;
  readonly saved: number;
  readonly kept: EndedCall | null;
  readonly entry: ClosedEntry | null;
}

/** Milliseconds that the store keeps an answer which only those get that wait for it. After an outage their processes may look for it late. */
const awaitedMs = 10_000;

export const answerBytesOf = (closing?: Closing): number => closing?.shared?.answer?.length ?? 0;

/** Whether a request has asked to keep the answer for later ones. */
export const isToBeKept = ({ shared }: Closing): boolean => (shared?.age?.names.length ?? 0) > 0;

/** Returns the closing of a call whose answer or entry cannot be stored, as one that may have been charged. */
export function toUnanswered({ shared, kept, entry, ...closing }: Closing): Closing {
  return {
    ...closing,
    shared: shared && { ...shared, answer: null },
    kept: kept === null || kept.state === 'RELEASED' ? kept : { ...kept, state: 'LOST' },
    entry: entry === null || entry.outcome === 'RELEASED' ? entry : { ...unansweredEntry(entry), subjects: [] },
  };
}

/** Returns a closing as `call_close` reads it, beside its answer. */
export function toJson({ id, accounts: [account], shared, kept, entry, saved }: Closing): object {
  const left = ({ until, key, ...keep }: Keep) => {
    const ms = until === null ? awaitedMs : until - performance.now();
    // JSON has no Infinity: it becomes null, which the store reads as one.
    return { ...keep, ...storedRule(keep.rule), key: base64(key), ms };
  };
  return {
    id,
    ...(shared === null
      ? {}
      : { ...shared, ...sinceAsked(shared), account, keeps: shared.keeps.map(left), answer: undefined }),
    ...(kept === null ? {} : { kept }),
    ...(entry === null ? {} : { entry }),
    ...(saved === 0 ? {} : { saved }),
  };
}

const sinceAsked = ({ asked }: SharedClosing) => ({ asked: undefined, agoMs: performance.now() - asked });

export const base64 = (bytes: Buffer | null): string | null => bytes?.toString('base64') ?? null;
