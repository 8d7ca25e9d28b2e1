import type { Language, Problem } from '../registry/answer/problem';
import type { Caller } from '../registry/caller';
import type { Subject } from '../registry/endpoint/endpoint';
import type { Batch, BatchHead, BatchState, RefusedRow, RowState } from './batch';
import type { BatchRow } from './storage/row-store';

/** Input of a new batch. */
export interface BatchInput {
  readonly name: string | null;
  readonly key: string | null;
  readonly operation: string;
  readonly operationName: string | null;
  readonly rows: readonly unknown[] | null;
  readonly retentionDays: number | null;
  readonly tag: string | null;
}

/** Links to one batch, each good for some minutes. */
export interface BatchLinks {
  readonly upload: string;
  readonly jsonl: string;
  readonly csv: string;
}

/** A batch as its account sees it; the head is null once it is erased. */
export interface BatchView {
  readonly batch: Batch;
  readonly head: BatchHead | null;
}

/** A page of rows, limited by its size and by the bytes of the answer. */
export interface RowPage {
  readonly rows: readonly BatchRow[];
  /** The row behind which the next page begins; null at the end. */
  readonly next: number | null;
}

/** Bytes of rows that the answer of one request may hold, and may still hold. */
export interface RowBytes {
  readonly allowed: number;
  left: number;
}

/** Result of a change: the batch as it is now, or why it did not change. */
export interface BatchChange {
  readonly view: BatchView | null;
  readonly problems: readonly Problem[];
}

export type RetryScope = 'FAILED' | 'UNKNOWN';

/** The batches that one caller may reach, as one request reaches them. */
export interface CallerBatches {
  /** The scope that a caller lacks whose JWT names no client, so that no batch can be its own; null if it may reach batches. */
  readonly missingScope: string | null;
  /** Returns why no batch is created from this input by this caller, or null. Throws if the service refuses the caller's token. */
  findRefusal(input: BatchInput): Promise<Problem | null>;
  create(input: BatchInput): Promise<BatchChange>;
  start(id: string, maxUnits: number): Promise<BatchChange>;
  pause(id: string): Promise<BatchChange>;
  resume(id: string, maxUnits: number | null): Promise<BatchChange>;
  cancel(id: string): Promise<BatchChange>;
  retry(id: string, scope: RetryScope, maxUnits: number): Promise<BatchChange>;
  erase(id: string): Promise<BatchChange>;
  /** Empties the rows that are about a person; tells how many. */
  forget(subjects: readonly Subject[]): Promise<number>;
  get(id: string): Promise<BatchView | null>;
  /** Returns the scope by which a JWT reaches this batch. */
  scopeFor(view: BatchView): 'padron_batch' | 'padron_batches_all';
  list(state: BatchState | null, count: number, after: string | null): Promise<readonly BatchView[]>;
  /** Returns null if the response may not contain another row. */
  rows(view: BatchView, state: RowState | null, count: number, after: number): Promise<RowPage | null>;
  refusedRows(view: BatchView): readonly RefusedRow[];
  /** Returns the links of a batch, or null if the address of padron is unknown. */
  links(id: string): BatchLinks | null;
}

/** The caller of batches. */
export interface BatchCaller {
  readonly caller: Caller;
  readonly language: Language;
  readonly client: string | null;
  readonly tag: string | null;
  /** Units that each row may cost: the ceiling of the request; null without one. */
  readonly rowUnits: number | null;
  readonly rowBytes: RowBytes;
  /** Origin of links. Null if it is unknown. */
  readonly origin: string | null;
}

/** Batches as requests reach them. */
export interface Batches {
  of(caller: BatchCaller): CallerBatches;
}
