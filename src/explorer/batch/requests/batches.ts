/** A batch as the panel shows it. */
export interface BatchDetails extends BatchSummary {
  readonly reason: BatchProblem | null;
  readonly operation: string | null;
  readonly columns: readonly { readonly name: string; readonly variable: string | null }[];
  /** The sheet of the workbook that was read, and all visible ones. Null and none for other files. */
  readonly sheet: string | null;
  readonly sheets: readonly string[];
  readonly refusedCount: number;
  readonly refusedRows: readonly { readonly line: number; readonly message: string }[];
  readonly maxUnits: number | null;
  readonly estimate: BatchPrice | null;
  readonly barredEndpoints: readonly string[];
  /** Null before the first start. */
  readonly startedAt: string | null;
  readonly expiresAt: string;
}

/** One batch in the list. */
export interface BatchSummary {
  readonly id: string;
  readonly name: string | null;
  readonly operationName: string | null;
  /** The client that owns the batch. Null without JWTs. */
  readonly client: string | null;
  readonly state: BatchState;
  /** Why the batch cannot be started although it is READY. */
  readonly startProblem: BatchProblem | null;
  readonly estimate: Pick<BatchPrice, 'invalidRows'> | null;
  readonly createdAt: string;
  readonly progress: BatchProgress;
}

type BatchState = 'WAITING_FOR_ROWS' | 'PRICING' | 'READY' | 'RUNNING' | 'PAUSED' | 'DONE' | 'CANCELED' | 'ERASED';

export interface BatchProgress {
  readonly rows: number;
  readonly done: number;
  readonly failed: number;
  readonly retryable: number;
  readonly unknown: number;
  readonly waiting: number;
  readonly spentUnits: number;
  readonly uncertainUnits: number;
  readonly savedUnits: number;
  readonly rowsPerMinute: number | null;
  readonly secondsLeft: number | null;
}

export interface BatchPrice {
  readonly estimatedUnits: number;
  readonly bounded: boolean;
  readonly invalidRows: number;
  readonly endpoints: readonly {
    readonly url: string;
    readonly fields: readonly string[];
    readonly calls: number;
    readonly subtotal: number;
  }[];
}

export interface BatchProblem {
  readonly code: string;
  readonly message: string;
}

/** An action on a batch. `RETRY_…` calls the registries again for failed or unknown rows. */
export type ControlAction = 'START' | 'PAUSE' | 'RESUME' | 'CANCEL' | 'RETRY_FAILED' | 'RETRY_UNKNOWN' | 'ERASE';

/** Whether the batch is in progress, so that the panel must poll it. */
export const isUnderWay = ({ state }: Pick<BatchSummary, 'state'>): boolean =>
  state === 'RUNNING' || state === 'PRICING';

export const isStartable = ({ state, startProblem }: Pick<BatchSummary, 'state' | 'startProblem'>): boolean =>
  state === 'READY' && startProblem === null;

export const hasResults = ({ state }: Pick<BatchSummary, 'state'>): boolean =>
  state === 'RUNNING' || state === 'PAUSED' || state === 'DONE' || state === 'CANCELED';
