import type { Language, Text } from '../../identifiers/text';
import type { Evidence, Outcome } from '../../registry/answer/answer';
import type { Problem, ProblemCode } from '../../registry/answer/problem';
import type { CallLabels } from '../../registry/caller';

export type BatchState =
  | 'WAITING_FOR_ROWS'
  | 'PRICING'
  | 'READY'
  | 'RUNNING'
  | 'PAUSED'
  | 'DONE'
  | 'CANCELED'
  | 'ERASED';

/** State of a row. A REFUSED row never runs and is not counted. An ERASED row only has its number and its cost. */
export type RowState = 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'UNKNOWN' | 'CANCELED' | 'REFUSED' | 'ERASED';

export type EarlierChoice = 'USE' | 'PAY_AGAIN';

export type RetryScope = 'FAILED' | 'UNKNOWN';

/** Price of a run, in the shape of `UnitEstimate`. It contains no personal data. */
export interface BatchEstimate {
  /** Version of the price list. Missing in an estimate from before price lists. */
  readonly prices?: number;
  readonly rowCount: number;
  readonly endpoints: readonly {
    readonly url: string;
    readonly route: string | null;
    readonly fields: readonly string[];
    readonly calls: number;
    readonly unitsPerCall: number;
    readonly subtotal: number;
  }[];
  readonly estimatedUnits: number;
  readonly atMost: number | null;
  readonly bounded: boolean;
  readonly invalidRows: number;
  /** The most expensive row: the first one if several cost the same, null if all rows are free. */
  readonly costliestRow: { readonly number: number; readonly line: number | null; readonly units: number } | null;
  readonly problems: readonly Problem[];
  readonly earlier: EarlierQuestions | null;
  /** The price if the batch uses what earlier batches have answered and what is kept for its `maxAge`. Null if there is nothing to look for. */
  readonly reusing: ReusingEstimate | null;
}

export type ReusingEstimate = Omit<BatchEstimate, 'earlier' | 'reusing' | 'costliestRow' | 'prices'>;

/** Questions of a batch that earlier batches of its owner have answered for its purpose. */
export interface EarlierQuestions {
  readonly count: number;
  /** When the latest was answered, as ISO 8601. */
  readonly latest: string;
  readonly batches: readonly string[];
}

/** Returns the price as the caller has chosen, also by `maxAge`. Before that, it is the full price. */
export const chosenEstimate = ({ estimate, usesEarlier }: Pick<Batch, 'estimate' | 'usesEarlier'>) =>
  (usesEarlier === true ? estimate?.reusing : null) ?? estimate;

/** Stands for the variable of a column that has whole names, which are only compared with those of the registries. */
export const fullNameColumn = 'fullName';

/** A column of a dataset, and the variable that it fills. Null if it fills no variable. */
export interface BatchColumn {
  readonly name: string;
  readonly variable: string | null;
}

/**
 * The columns that the caller chose: for variables, for nothing if the variable is null, and for the label of each row. Other columns
 * are matched by name.
 */
export interface ColumnChoices {
  readonly columns: readonly { readonly column: string; readonly variable: string | null }[];
  readonly ref: string | null;
  /** The sheet of a workbook. If it is null, the first one with the required columns is read. */
  readonly sheet: string | null;
}

/** The sheet of a workbook that is read, and all visible sheets in their order. A text file has none. */
export interface SheetNames {
  readonly sheet: string | null;
  readonly sheets: readonly string[];
}

export interface RefusedRow {
  readonly line: number;
  readonly column: string | null;
  readonly reason: Text;
}

export interface BatchHeader extends SheetNames {
  readonly name: string | null;
  readonly operation: string;
  readonly operationName: string | null;
  readonly columns: readonly BatchColumn[];
  /** Names of the columns of the file, in order. Empty before the batch has rows. */
  readonly inputColumns: readonly string[];
  /** Positions of the columns whose numbers, dates and booleans stay such values in a workbook of results. */
  readonly typedColumns: readonly number[];
  /** Names of the columns of which a value was not read as it is in the file. */
  readonly repairedColumns: readonly string[];
  readonly choices: ColumnChoices;
  /** Maximum age of an answer that the rows use again, such as `30d`. Null if they use none. */
  readonly maxAge: string | null;
  readonly maxAgeMs: number | null;
  /** Names of the account when the batch was created, one per key of `DATA_KEYS`. */
  readonly accounts: readonly string[];
}

export interface BatchOwner {
  readonly account: string;
  /** Client of the account that owns the batch, as returned by `ownerOf`. */
  readonly owner: string;
  readonly sandbox: boolean;
  readonly usesServerToken: boolean;
  readonly permissions: readonly string[] | null;
}

/** The time at which the reason of a pause ends, as ISO 8601 or null, and the budget that caused it, with the text of its problem. */
export interface BatchPause {
  readonly until: string | null;
  readonly budget: { readonly id: string; readonly message: string; readonly spanish: string } | null;
}

/** `actor` is the person who last started the batch, or else its creator. */
export interface Batch extends BatchOwner, CallLabels {
  readonly id: string;
  readonly state: BatchState;
  readonly reason: ProblemCode | null;
  /** The pause for this reason. Null if padron knows no more than the reason. */
  readonly pause: BatchPause | null;
  readonly wrappedKey: Buffer | null;
  /** Encrypted `BatchHeader`. */
  readonly header: Buffer | null;
  /** Encrypted list of `RefusedRow`. */
  readonly refused: Buffer | null;
  readonly refusedCount: number;
  /** Sealed token of the caller that last started the batch. Null if padron has its own token, or if the batch does not need one any more. */
  readonly token: Buffer | null;
  readonly language: Language;
  readonly estimate: BatchEstimate | null;
  readonly disallowedEndpoints: readonly string[];
  /** Whether the batch uses the answers of earlier batches. Null if its caller has not chosen. */
  readonly usesEarlier: boolean | null;
  readonly maxUnits: number | null;
  /** Maximum units of each row in the current run. Null if there is no limit. */
  readonly rowUnits: number | null;
  readonly spent: number;
  /** Units that may have been charged. */
  readonly uncertain: number;
  /** Units of answers that were reused. */
  readonly saved: number;
  /** Number of rows, without refused rows. */
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** Number of FAILED rows that may succeed if they are retried. */
  readonly retryable: number;
  readonly unknown: number;
  readonly canceled: number;
  readonly erased: number;
  /** Number of DONE rows whose answer may be about another person or employer. */
  readonly doubtful: number;
  /** Number of rows that workers run now, also after the batch was paused or canceled. */
  readonly running: number;
  /** Number of the current run. Each start, resume and retry increases it. */
  readonly run: number;
  readonly runningSince: Date | null;
  /** Number of rows that had ended when the current run began. */
  readonly runningFrom: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Time of the erasure. A batch without rows is erased an hour after the last attempt to send them. */
  readonly expiresAt: Date;
}

export interface ActiveBatch {
  readonly id: string;
  readonly state: BatchState;
  readonly reason: string | null;
}

/** Encrypted input of a row. An erased row has no line and no cells. */
export interface RowInput {
  readonly ref: string | null;
  readonly line: number | null;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The values as they are in the file, in the order of `BatchHeader.inputColumns`. A short row has fewer. Only JSON lines have null. */
  readonly cells: readonly (string | null)[];
  /** Changes that padron made to the values when it read them, or the reason why it refused the row. */
  readonly remarks: readonly Text[];
}

export interface RowLookup {
  /** Path of the field that asked the question: response names joined by dots. */
  readonly field: string;
  readonly outcome: Outcome;
  readonly problems: readonly ProblemCode[];
  readonly evidence: Omit<Evidence, 'checkedAt'> & { readonly checkedAt: string | null };
}

export interface RowResult {
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly path?: readonly (string | number)[] }[];
  readonly lookups: readonly RowLookup[];
  readonly problems: readonly Problem[];
}
