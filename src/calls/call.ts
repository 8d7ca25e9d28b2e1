import type { Answer } from '../registry/answer/answer';
import type { Exchange } from '../registry/answer/exchange';
import type { Problem } from '../registry/answer/problem';
import type { AnyEndpoint, WireInput } from '../registry/endpoint/endpoint';
import type { KeyedQuestion, SharedAnswer } from './answers/shared-answer';
import type { FieldPath } from './field-path';
import type { KeptAnswer } from './store/call-closer';
import type { OpenedEntry } from './store/entry-json';
import type { CallUnits } from './units/call-units';

/** A question as it is sent. It has a key if its answer may be shared: the answer to a secret may not. */
export interface OutgoingQuestion {
  readonly endpoint: AnyEndpoint;
  readonly question: unknown;
  readonly input: WireInput;
  readonly price: number;
  readonly path: FieldPath | null;
}

export interface PendingQuestion extends OutgoingQuestion, KeyedQuestion {}

export interface CallOrigin {
  readonly client: string | null;
  /** The client, or the person of a JWT that names no client. It gets the answers of its early responses again. */
  readonly holder: string | null;
  readonly tag: string | null;
  readonly purpose: string | null;
  /** Keyed hash of the person who asked, or null. */
  readonly actor: string | null;
  /** Case, file or employee of the caller, or the label of the row. It may be personal data. */
  readonly reference: string | null;
  /** Returns the name of the operation, which is only known after the document has been parsed. */
  readonly operation: () => string | null;
  readonly requestId: string | null;
  readonly batchId: string | null;
}

/** A row of a batch as a payer. The batch keeps its own copy of each answer, under its own key, for as long as it lives. */
export interface PayingRow {
  readonly batch: string;
  readonly run: number;
  readonly number: number;
  nameOf(question: KeyedQuestion): string;
  find(question: KeyedQuestion): Promise<SharedAnswer | undefined>;
  read(question: KeyedQuestion, answer: Buffer | null, row: number, isUncertain: boolean, askedAt: Date): SharedAnswer;
  /** Returns what the batch keeps of a call. `exchange` is null if the question was not sent, or if an error ended the call. */
  toKept(
    question: KeyedQuestion,
    answer: Answer<unknown> | null,
    exchange: Exchange | null,
    isSent: boolean,
  ): KeptAnswer;
  /** Waits for a turn to ask. A batch has a limited number of questions under way. */
  takeTurn(): Promise<void>;
  endTurn(): void;
  /** Waits until fewer than BATCH_CONCURRENCY calls of the batch are running. */
  startCall(): Promise<void>;
  endCall(): void;
}

export interface Payer {
  readonly origin: CallOrigin;
  readonly units: CallUnits;
  readonly row: PayingRow | null;
}

/** The asker that waits while a call is opened. */
export interface Claimant {
  readonly signal: AbortSignal;
  /** Whether the claimer may still pay. False after a response that reports no price for the call. */
  readonly canPay: boolean;
  /** Called if another process is already making this call, with the milliseconds since it began. */
  onElsewhere(elapsedMs: number): void;
}

export interface NewCall {
  readonly id: string;
  readonly at: number;
  readonly question: OutgoingQuestion;
  /** Null if the answer is never shared. */
  readonly keyed: KeyedQuestion | null;
  readonly names: readonly string[];
  readonly early: readonly string[];
  readonly operations: readonly string[];
  readonly keptAs: string | null;
  readonly entry: OpenedEntry | null;
  /** Whether the store has the entry before the call is sent. Otherwise the journal has it. */
  readonly isEntered: boolean;
}

/** Reply to a question: the caller sends it, has its answer, or must not send it. */
export type Opened = {
  /** Price of a call whose process died. The service may have charged it. 0 without such a call. */
  readonly lostUnits: number;
} & (
  | { readonly kind: 'send'; readonly call: OpenCall }
  | ({ readonly kind: 'answered' } & SharedAnswer)
  | { readonly kind: 'refused'; readonly problem: Problem }
);

/** A call that only its opener may send. It is closed exactly once. */
export interface OpenCall {
  /** Entry that proves the answer. Null without a ledger. */
  readonly ledgerId: string | null;
  readonly onExchange: ((exchange: Exchange) => void) | null;
  close(answer: Answer<unknown>): void;
  /** Closes a call that was not sent, or that the service refused because of its token: it cost nothing. */
  release(): void;
  /** Closes a call that an unexpected error ended: it may have been charged. */
  fail(): void;
}
