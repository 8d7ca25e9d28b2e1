/** A batch as the panel shows it. */
export interface BatchDetails extends BatchSummary {
  readonly reason: BatchProblem | null;
  readonly operation: string | null;
  readonly columns: readonly { readonly name: string; readonly variable: string | null }[];
  readonly refusedCount: number;
  readonly refusedRows: readonly { readonly line: number; readonly message: string }[];
  readonly maxUnits: number | null;
  readonly estimate: BatchPrice | null;
  readonly barredEndpoints: readonly string[];
  readonly expiresAt: string;
}

/** One batch in the list. */
export interface BatchSummary {
  readonly id: string;
  readonly name: string | null;
  readonly state: BatchState;
  readonly createdAt: string;
  readonly progress: BatchProgress;
}

type BatchState = 'WAITING_FOR_ROWS' | 'PRICING' | 'READY' | 'RUNNING' | 'PAUSED' | 'DONE' | 'CANCELED' | 'ERASED';

export interface BatchProgress {
  readonly rows: number;
  readonly done: number;
  readonly failed: number;
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
export const isUnderWay = ({ state }: BatchSummary): boolean => state === 'RUNNING' || state === 'PRICING';

/** Whether the batch has a price and only calls endpoints that are allowed in batches. */
export const isStartable = ({ estimate, barredEndpoints }: BatchDetails): boolean =>
  estimate !== null && barredEndpoints.length === 0;

export const hasResults = ({ state }: BatchSummary): boolean =>
  state === 'RUNNING' || state === 'PAUSED' || state === 'DONE' || state === 'CANCELED';
