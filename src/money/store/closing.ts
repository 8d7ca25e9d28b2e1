import type { Settled } from '../answers/shared-answer';
import { type ClosedEntry, unansweredEntry } from '../entries/entry-json';
import type { ReusableAnswer } from './call-opener';

export interface SharedClosing {
  readonly names: readonly string[];
  readonly state: 'ANSWERED' | 'FAILED' | 'RELEASED';
  readonly answer: Buffer | null;
  /** Time until which an ANSWERED call is replayed, by `performance.now()`. */
  readonly until: number;
  readonly operations: readonly string[];
  /** Units that were reserved in the budget of the operation and not used. */
  readonly unused: number;
  /** Place of the answer that is kept for later requests. Null if it was not charged, or may not be replayed. */
  readonly reuse: ReusableAnswer | null;
  /** Outcome of the uncertain price of the early response that this answer belongs to. */
  readonly settled?: Settled | null | undefined;
}

/** Answer that an operation keeps. RELEASED: none is kept, and the question may be asked again. */
export interface KeptAnswer {
  readonly name: string;
  /** Name under which the answer is kept, if it is not that of the call. */
  readonly under?: string;
  readonly state: 'ANSWERED' | 'UNKNOWN' | 'RELEASED';
  readonly answer: Buffer | null;
}

export interface Closing {
  readonly id: string;
  readonly accounts: readonly string[];
  readonly shared: SharedClosing | null;
  /** The operation that lasts, and the units that an answer of it saved. */
  readonly operation: string | null;
  readonly saved: number;
  readonly kept: KeptAnswer | null;
  readonly entry: ClosedEntry | null;
}

/** Milliseconds that the store keeps an answer which only those get that wait for it. After an outage their processes may look for it late. */
const awaitedMs = 10_000;

export const answerBytesOf = (closing?: Closing): number =>
  (closing?.shared?.answer?.length ?? 0) + (closing?.kept?.answer?.length ?? 0);

/** Whether a request has asked to keep the answer for later ones. */
export const isToBeKept = ({ shared }: Closing): boolean => (shared?.reuse?.names.length ?? 0) > 0;

/** Returns the closing of a call whose answer or entry cannot be stored, as one that may have been charged. */
export function toUnanswered({ shared, kept, entry, ...closing }: Closing): Closing {
  return {
    ...closing,
    shared:
      shared?.state === 'ANSWERED'
        ? { ...shared, state: 'FAILED', answer: null }
        : shared && { ...shared, answer: null },
    kept: kept === null || kept.state === 'RELEASED' ? kept : { ...kept, state: 'UNKNOWN', answer: null },
    entry: entry === null || entry.outcome === 'RELEASED' ? entry : { ...unansweredEntry(entry), subjects: [] },
  };
}

/** Returns a closing as `call_close` reads it. */
export function toJson({ id, shared, kept, entry, saved }: Closing): object {
  const left = shared === null ? 0 : shared.until - performance.now();
  // If it has expired meanwhile, the answer of a call is only for those who wait for it.
  const expired = entry === null ? 'RELEASED' : 'FAILED';
  const state = shared?.state === 'ANSWERED' && left <= 0 ? expired : shared?.state;
  const valid = state === 'ANSWERED' ? left : awaitedMs;
  return {
    id,
    ...(shared === null ? {} : { ...shared, state, valid, answer: base64(shared.answer) }),
    ...(kept === null ? {} : { kept: { ...kept, answer: base64(kept.answer) } }),
    ...(entry === null ? {} : { entry }),
    ...(saved === 0 ? {} : { saved }),
  };
}

const base64 = (bytes: Buffer | null): string | null => bytes?.toString('base64') ?? null;
