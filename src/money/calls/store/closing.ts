import type { LastingPlace } from '../../answers/answer-lookups';
import type { EndedCall, Keep } from '../../answers/keep';
import { storedRule } from '../../answers/rules';
import { type ClosedEntry, unansweredEntry } from '../../ledger/entries/entry-json';

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
  readonly place: LastingPlace | null;
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
export const isToBeKept = ({ shared }: Closing): boolean => (shared?.place?.names.length ?? 0) > 0;

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
