import type { GraphQLInputType } from 'graphql';
import type { Problem } from '../registry/answer/problem';
import type { RequestScope } from '../registry/client/client';
import type { RegistryDataSource } from '../registry/questions/data-source';
import type { Language } from '../text/text';
import type { Remark, RowResult } from './batch';
import type { AnswerColumn } from './results/operation-outline';

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
  /** Whether every row needs a value for this variable. */
  readonly isRequired: boolean;
}

/** An operation of the graph that a batch can run. */
export interface BatchOperation {
  /** Null if the operation is anonymous. */
  readonly name: string | null;
  readonly variables: readonly BatchVariable[];
  /** Returns why the operation cannot run with these variables, or null if it can. */
  explainRejection(variables: Readonly<Record<string, unknown>>): Remark | null;
  /** Runs the operation with a data source. If a resolver throws, the error is in the result. */
  run(variables: Readonly<Record<string, unknown>>, run: OperationRun): Promise<Pick<RowResult, 'data' | 'errors'>>;
}

/** Reads operations of the graph that this process serves. */
export interface OperationReader {
  /** Returns the operation, or a problem if it cannot run in a batch. */
  prepare(document: string, operationName: string | null): BatchOperation | Problem;
  /** Returns the columns of the answers to an operation that was prepared before, possibly by an earlier version of the graph. */
  outline(document: string, operationName: string | null, language: Language): readonly AnswerColumn[];
}
