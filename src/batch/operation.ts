import type { GraphQLInputType } from 'graphql';
import type { Problem } from '../registry/answer/problem';
import type { RequestScope } from '../registry/client/client';
import type { RegistryDataSource } from '../registry/questions/data-source';
import type { Language, Text } from '../text/text';
import type { RowResult } from './batch';

/**
 * Kind of the values of a column. Values of a list are joined, so a list of numbers is a text. `times` is a list of moments, and
 * `message` the message of a problem.
 */
export type AnswerKind = 'text' | 'number' | 'decimal' | 'boolean' | 'day' | 'time' | 'times' | 'message' | 'enum';

/** A column of the answers in the table of results: a field without a selection set. */
export interface AnswerColumn {
  /** Response names from the root of the answer to the field. */
  readonly path: readonly string[];
  readonly header: string;
  readonly kind: AnswerKind;
  /** Words for the values of an enum, in the language of the table. */
  readonly words?: Readonly<Record<string, string>>;
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
  /** Whether every row needs a value for this variable. */
  readonly isRequired: boolean;
}

/** An operation of the graph that a batch can run. */
export interface BatchOperation {
  /** Null if the operation is anonymous. */
  readonly name: string | null;
  readonly variables: readonly BatchVariable[];
  /** Returns why the operation cannot run with these variables, or null if it can. */
  explainRejection(variables: Readonly<Record<string, unknown>>): Text | null;
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
