import type { GraphQLInputType } from 'graphql';
import type { RegistryDataSource } from '../calls/data-source';
import type { Problem } from '../registry/answer/problem';
import type { RequestScope } from '../registry/client/client';
import type { AnyEndpoint, Subject } from '../registry/endpoint/endpoint';
import type { Language, Text } from '../text/text';
import type { BatchEstimate, RowResult } from './batch';

/**
 * Kind of the values of a column. Values of a list are joined, so a list of numbers is a text. `times` is a list of moments, and
 * `message` the message of a problem.
 */
export type AnswerKind = 'text' | 'number' | 'decimal' | 'boolean' | 'day' | 'time' | 'times' | 'message' | 'enum';

export interface AnswerColumn {
  /** Response names from the root of the answer to the field. */
  readonly path: readonly string[];
  readonly header: string;
  readonly kind: AnswerKind;
  readonly words?: Readonly<Record<string, string>>;
}

export interface OperationRun {
  readonly language: Language;
  /** Whether the row runs again later, so that this answer is discarded. */
  readonly isInterrupted?: () => boolean;
  readonly dataSource: RegistryDataSource;
  readonly scope: RequestScope;
}

export interface BatchVariable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly isRequired: boolean;
}

/** Estimates the price of a dataset. Distinct questions are counted over all of its pages. */
export interface BatchEstimator {
  /** Begins a page. The rows of a page may have a limited number of questions together. */
  startPage(): void;
  /** Returns the units of a row, and the people and employers that it asks about. Throws a `TooManyQuestionsError` above the limits. */
  addRow(
    variables: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly units: number; readonly subjects: readonly Subject[] }>;
  estimate(): Omit<BatchEstimate, 'costliestRow'>;
  /** The endpoints that the rows call. */
  readonly endpoints: readonly AnyEndpoint[];
}

export interface BatchOperation {
  readonly name: string | null;
  readonly variables: readonly BatchVariable[];
  explainRejection(variables: Readonly<Record<string, unknown>>): Text | null;
  createEstimator(sandbox: boolean): BatchEstimator;
  /** Runs the operation with a data source. If a resolver throws, the error is in the result. */
  run(variables: Readonly<Record<string, unknown>>, run: OperationRun): Promise<Pick<RowResult, 'data' | 'errors'>>;
}

export interface OperationReader {
  prepare(document: string, operationName: string | null): BatchOperation | Problem;
  /** Returns the columns of the answers to an operation that was prepared before, possibly by an earlier version of the graph. */
  outline(document: string, operationName: string | null, language: Language): readonly AnswerColumn[];
}
