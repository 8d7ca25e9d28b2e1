import type { GraphQLInputType } from 'graphql';
import type { CallOrigin } from '../money/calls/call';
import type { RegistryDataSource } from '../money/calls/data-source';
import type { Saving } from '../money/units/savings';
import type { UnitMeter } from '../money/units/unit-meter';
import type { Problem } from '../registry/answer/problem';
import type { RequestScope } from '../registry/client/client';
import type { Language, Text } from '../text/text';
import type { RowResult } from './batch';

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

export interface BatchOperation {
  readonly name: string | null;
  readonly variables: readonly BatchVariable[];
  explainRejection(variables: Readonly<Record<string, unknown>>): Text | null;
  /** Runs the operation with a data source. If a resolver throws, the error is in the result. */
  run(variables: Readonly<Record<string, unknown>>, run: OperationRun): Promise<Pick<RowResult, 'data' | 'errors'>>;
}

/** A row as a request. It runs through the same pipeline as the requests of clients. */
export interface RowRequest {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly language: Language;
  readonly scope: RequestScope;
  readonly units: UnitMeter;
  /** Labels of its calls. */
  readonly labels: Pick<CallOrigin, 'client' | 'tag' | 'purpose' | 'actor' | 'reference'>;
  readonly batch: string;
}

export interface RowAnswer extends Pick<RowResult, 'data' | 'errors'> {
  /** What its repeated questions saved. */
  readonly savings: readonly Saving[];
}

export interface OperationReader {
  prepare(document: string, operationName: string | null): BatchOperation | Problem;
  /** Runs a row. Its answers are in the store when it resolves. */
  runRow(request: RowRequest): Promise<RowAnswer>;
  /** Returns the columns of the answers to an operation that was prepared before, possibly by an earlier version of the graph. */
  outline(document: string, operationName: string | null, language: Language): readonly AnswerColumn[];
}
