import type { Answer } from '../../../registry/answer/answer';
import type { Exchange } from '../../../registry/answer/interpret';
import type { Problem } from '../../../registry/answer/problem';
import type { Call } from '../../../registry/client/client';
import type { RunningQuestion, SharedAnswer } from '../../answers/shared-answer';

/**
 * The states in the life of a question. A question that equals a running one of this process joins it, and gets its end. Otherwise:
 *
 * - `find` looks for an answer, or for a process that is asking: it is ANSWERED, REFUSED, WAITING or ABSENT.
 * - An ABSENT question takes its turn at the service. A caller or a service that refuses the turn is its answer: RECEIVED.
 * - With a turn, `open` opens its call in the store: ANSWERED, REFUSED, WAITING or OPENED.
 * - An OPENED call is sent at once, and closed once: with an answer (RECEIVED), released because it was free, or failed because it may have been
 *   charged. If another process may have taken it over, it is not sent, and the question begins again.
 * - A WAITING question looks again after `until`, and is REFUSED if it has waited for too long.
 */
export type QuestionState = Answered | Refused | Waiting | Absent | Opened | Received;

/** Result of the first step. */
export type Found = Lost & (Answered | Refused | Waiting | Absent);
/** Result of opening a call. */
export type Opening = Lost & (Answered | Refused | Waiting | Opened);
/** Last state of a question for its asker. */
export type Ended = Answered | Refused | Received;

interface Lost {
  /** Price of a call whose process died. The service may have charged it. 0 without such a call. */
  readonly lostUnits: number;
}

/** Another call has answered the question. */
type Answered = { readonly kind: 'answered' } & SharedAnswer;

/** The question is not sent. A refusal is shared if it concerns all who ask the question, because the store does not answer. */
interface Refused {
  readonly kind: 'refused';
  readonly problem: Problem;
  readonly isShared?: boolean;
}

/** Another process is asking the question, or the store does not reply. After `until` the question is tried again. */
export interface Waiting {
  readonly kind: 'waiting';
  /** Milliseconds since another process began the call. Null if the store does not reply. */
  readonly elsewhereMs: number | null;
  /** The problem of a payer that does not wait any longer. */
  readonly problem: Problem;
  until(patience: Patience): Promise<void>;
}

interface Absent {
  readonly kind: 'absent';
}

/** Only its opener may send the call, and at once. */
interface Opened {
  readonly kind: 'opened';
  readonly call: OpenCall;
}

/** The service has answered the question's own call, or the call was not sent for a reason that is its answer. */
interface Received {
  readonly kind: 'received';
  readonly answer: Answer<unknown>;
}

/** Time for which a payer waits for a reply of the backend. */
export interface Patience {
  readonly signal: AbortSignal;
  readonly maxMs: number;
}

/** One question of a payer, until its call is closed. A step may be repeated: it has no second effect. */
export interface PayerCall {
  /** Looks for the answer, or for a process that is asking the question, without opening the call. */
  find(patience: Patience): Promise<Found>;
  /** Opens the call. It is sent only if the result says so, and then at once. */
  open(patience: Patience): Promise<Opening>;
  /** Ends a call that was not sent, also if a late statement still opens it. */
  leave(): void;
}

/** A call that only its opener may send. It is closed exactly once. */
export interface OpenCall {
  /** Entry that proves the answer. Null without a ledger. */
  readonly ledgerId: string | null;
  readonly onExchange: ((exchange: Exchange) => void) | null;
  /** Whether no other process may have taken over the call. */
  isHeld(): boolean;
  close(answer: Answer<unknown>): void;
  /** Closes a call that was not sent, or that the service refused because of its token: it cost nothing. */
  release(): void;
  /** Closes a call that an unexpected error ended: it may have been charged. */
  fail(): void;
}

/** A call that is about to be opened and sent. Several askers of this process may wait for it. */
export interface SendableCall extends Call {
  /** The call that others may join. Null if only its request gets the answer. */
  readonly running: RunningQuestion | null;
  /** Whether the first asker may still pay. False after a response that reports no price for the call. */
  readonly canPay: boolean;
  own(opened: OpenCall | null): void;
  /** Called if another process is already making this call, with the milliseconds since it began. */
  onElsewhere(elapsedMs: number): void;
}
