import type { Answer } from '../../../registry/answer/answer';
import type { Problem, ProblemCode } from '../../../registry/answer/problem';
import type { Caller, RequestLabels } from '../../../registry/caller';
import type { CacheKeys, WireInput } from '../../../registry/endpoint/endpoint';
import type { PriceList } from '../../../registry/endpoint/price-list';
import type { KeyedQuestion, Reuse, RunningQuestion, SharedAnswer } from '../../answers/shared-answer';
import type { BudgetLeft } from '../../ledger/budgets/stored-budgets';
import type { IndexedText } from '../../ledger/entries/subject-index';
import type { FieldPath } from '../units/field-path';
import type { Saving, SavingKind, UnitMeter } from '../units/unit-meter';
import type { PayerCall } from './life';

/** A question as it is sent. It has no keys if its answer is never shared: that to a secret. */
export interface PendingQuestion extends Omit<KeyedQuestion, 'key' | 'cacheKeys'> {
  readonly key: string | null;
  readonly cacheKeys: CacheKeys | null;
  readonly input: WireInput;
  readonly path: FieldPath | null;
}

/** A question whose answer may be shared. */
export type SharedQuestion = PendingQuestion & KeyedQuestion;

export const isShared = (question: PendingQuestion): question is SharedQuestion => question.key !== null;

export interface CallOrigin extends RequestLabels {
  /** Returns the name of the operation, which is only known after the document has been parsed. */
  readonly operation: () => string | null;
  readonly requestId: string | null;
  readonly batchId: string | null;
  /** Kept answers that the request may use. Null if it does not say how old they may be. */
  readonly reuse: Reuse | null;
}

export interface Payer {
  readonly caller: Caller;
  readonly origin: CallOrigin;
  readonly units: UnitMeter;
  /** The price list with which the request began. */
  readonly prices: PriceList;
  /** Names that the operation of the request would have if it lasted. Empty if it lasts, or has no such ID. */
  readonly lastingNames: readonly string[];
}

/** The calls of one payer, and what it records about the answers of others. */
export interface PayerCalls {
  /** Begins a call. `running` is that of this process, which others may have joined. */
  begin(question: PendingQuestion, running?: RunningQuestion | null): PayerCall;
  /** Returns the answer that the operation keeps, or an earlier one whose answers it uses. Undefined without one. A price reads no content. */
  findKept(question: KeyedQuestion, reads?: boolean): Promise<SharedAnswer | undefined>;
  /** Whether the operation that keeps the answers has not ended. */
  lasts(): Promise<boolean>;
  /**
   * Records an answer that was paid for before, and why it saved its price, or null if it saved nothing. Returns the ID of the entry that
   * proves the answer, or null without a ledger.
   */
  recordShared(question: PendingQuestion, answer: Answer<unknown>, saving: SavingKind | null): string | null;
  /**
   * Adds the links of this payer to an entry whose answer it got, with the problem that it found in it. Others do not have the problem: if the
   * entry is that of another payer, only a search by this payer's reference shows it (`isShared`).
   */
  link(question: PendingQuestion, entry: string, problem?: ProblemCode | null, isShared?: boolean): void;
  /**
   * Links an entry of this payer to more identifiers of its person. If the answer has no entry of this person, because another one got it first,
   * `entry` is null, and the person gets one.
   */
  linkPerson(
    question: PendingQuestion,
    answer: Answer<unknown>,
    entry: string | null,
    texts: readonly IndexedText[],
  ): void;
  /**
   * Whether an answer that this payer or one that shares it has just bought is kept for later requests, by the entry that proves it. Null if none
   * of them asked for it, or if the store does not say so in time.
   */
  isKept(ledgerId: string): Promise<boolean | null>;
  /** Records what repeated questions saved: those of a request when it is answered, or those of finished rows of a batch. */
  recordSavings(savings: readonly Saving[]): void;
  /** Returns what the budgets over time that limit this payer have left, the tightest first. */
  budgetsLeft(): Promise<readonly BudgetLeft[]>;
  /** Returns what is left of the budget over time that refuses operations as a whole, or null if there is none. */
  wholeBudget(): Promise<WholeBudget | null>;
  /** Counts calls, or whole operations, that a budget or a limit refused. */
  recordRefused(count: number): void;
  /** Resolves when the closings of this payer are in the store. Rejects if the store is unavailable and `signal` has aborted. */
  written(signal: AbortSignal): Promise<void>;
}

export interface WholeBudget {
  readonly left: number;
  /** Whether the caller may see what is left. Others may have spent the rest. */
  readonly isShown: boolean;
  /** Returns the problem of an operation with this price. */
  refuse(price: number): Problem;
}
