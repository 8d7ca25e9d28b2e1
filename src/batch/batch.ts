import type { GraphQLInputType } from 'graphql';
import type { Evidence, Outcome } from '../registry/answer/answer';
import type { Language, Problem, ProblemCode } from '../registry/answer/problem';
import type { RequestScope } from '../registry/client/client';
import type { RegistryDataSource } from '../registry/questions/data-source';

export type BatchState =
  | 'WAITING_FOR_ROWS'
  | 'PRICING'
  | 'READY'
  | 'RUNNING'
  | 'PAUSED'
  | 'DONE'
  | 'CANCELED'
  | 'ERASED';

export type RowState = 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'UNKNOWN' | 'CANCELED';

/** Price of a run, in the shape of `UnitEstimate`. It names no person. */
export interface BatchEstimate {
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
  /** The first of the rows that cost most by themselves; null if no row costs anything. */
  readonly costliestRow: { readonly number: number; readonly units: number } | null;
  readonly problems: readonly Problem[];
}

/** A column of a dataset and the variable that it fills; null where it fills none. */
export interface BatchColumn {
  readonly name: string;
  readonly variable: string | null;
}

/** A row of a dataset that is not taken. */
export interface RefusedRow {
  readonly line: number;
  readonly column: string | null;
  readonly message: string;
}

/** Encrypted properties of a batch. */
export interface BatchHead {
  readonly name: string | null;
  readonly operation: string;
  readonly operationName: string | null;
  readonly columns: readonly BatchColumn[];
}

/** Account, client and permissions of a batch. The token is stored separately. */
export interface BatchOwner {
  readonly account: string;
  /** Client of the account that the batch belongs to; `ownerOf` gives it. */
  readonly owner: string;
  readonly sandbox: boolean;
  readonly usesServerToken: boolean;
  readonly permissions: readonly string[] | null;
}

/** A stored batch. */
export interface Batch extends BatchOwner {
  readonly id: string;
  readonly state: BatchState;
  readonly reason: ProblemCode | null;
  /** Null after the erasure. */
  readonly wrappedKey: Buffer | null;
  readonly head: Buffer | null;
  readonly refused: Buffer | null;
  readonly refusedCount: number;
  readonly token: Buffer | null;
  readonly tokenHolder: string | null;
  readonly language: Language;
  readonly client: string | null;
  readonly tag: string | null;
  readonly estimate: BatchEstimate | null;
  /** Endpoints that it asks and the interface bars from batches. */
  readonly barred: readonly string[];
  readonly maxUnits: number | null;
  /** Ceiling of each row in its present run; null without one. */
  readonly rowUnits: number | null;
  readonly spent: number;
  readonly uncertain: number;
  readonly reserved: number;
  readonly saved: number;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
  readonly canceled: number;
  /** The number of the present run: it grows with each start, resumption and retry. */
  readonly run: number;
  readonly runningSince: Date | null;
  readonly runningFrom: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date;
}

/** Encrypted input of a row. */
export interface RowInput {
  readonly ref: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A question of a row, and its answer without the payload. */
export interface RowLookup {
  /** The field that asked, by response names joined by dots. */
  readonly field: string;
  readonly outcome: Outcome;
  readonly problems: readonly ProblemCode[];
  readonly evidence: Omit<Evidence, 'checkedAt'> & { readonly checkedAt: string | null };
}

/** Encrypted result of a row. */
export interface RowResult {
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly path?: readonly (string | number)[] }[];
  readonly lookups: readonly RowLookup[];
  readonly problems: readonly Problem[];
}

/** Dependencies of one run of an operation. */
export interface OperationRun {
  readonly language: Language;
  /** Whether the answer will be discarded. */
  readonly isInterrupted?: () => boolean;
  readonly dataSource: RegistryDataSource;
  readonly scope: RequestScope;
}

/** A variable that the operation of a batch declares. */
export interface BatchVariable {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** Whether each row needs a value for it: its type is not null and it has no default. */
  readonly isRequired: boolean;
}

/** An operation of the graph, as batches run it. */
export interface BatchOperation {
  readonly variables: readonly BatchVariable[];
  /** Why a row is not taken; null where it is. */
  refuse(variables: Readonly<Record<string, unknown>>): string | null;
  /** Asks what the operation asks of that data source. Never rejects for what a resolver does. */
  run(variables: Readonly<Record<string, unknown>>, run: OperationRun): Promise<Pick<RowResult, 'data' | 'errors'>>;
}

/** Reads operations of the graph that this process serves. */
export interface OperationReader {
  /** A problem: it cannot be run in a batch. */
  prepare(document: string, operationName: string | null): BatchOperation | Problem;
}
