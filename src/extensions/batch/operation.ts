import type { GraphQLInputType } from 'graphql';
import type { Language, Text } from '../../identifiers/text';
import type { RegistryDataSource } from '../../money/calls/data-source';
import type { CallOrigin } from '../../money/calls/life/call';
import type { Saving, UnitMeter } from '../../money/calls/units/unit-meter';
import type { Problem } from '../../registry/answer/problem';
import type { Caller } from '../../registry/caller';
import type { RequestScope } from '../../registry/client/client';
import type { AnyEndpoint, Subject } from '../../registry/endpoint/endpoint';
import type { ReusingEstimate, RowResult } from './batch';

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
  estimate(): ReusingEstimate;
  readonly endpoints: readonly AnyEndpoint[];
}

export interface BatchOperation {
  readonly name: string | null;
  readonly variables: readonly BatchVariable[];
  explainRejection(variables: Readonly<Record<string, unknown>>): Text | null;
  /** Answers that `findPaid` returns are free. */
  createEstimator(sandbox: boolean, findPaid?: RegistryDataSource['findPaid']): BatchEstimator;
}

/** A row as a request. It runs through the same pipeline as the requests of clients. */
export interface RowRequest {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly language: Language;
  readonly scope: RequestScope;
  readonly units: UnitMeter;
  readonly labels: Pick<CallOrigin, 'client' | 'tag' | 'purpose' | 'actor' | 'reference'>;
  readonly batch: string;
  /** Maximum age of an answer that the row uses again, as its batch was priced with it. Null if it uses none. */
  readonly maxAgeMs: number | null;
}

export interface RowAnswer extends Pick<RowResult, 'data' | 'errors'> {
  readonly savings: readonly Saving[];
}

export interface OperationReader {
  prepare(document: string, operationName: string | null): BatchOperation | Problem;
  /** Whether a caller with these scopes may still run an operation. A trusted document may have been withdrawn. */
  isTrusted(document: string, permissions: Caller['permissions']): boolean;
  /** Runs a row. Its answers are in the store when it resolves. */
  runRow(request: RowRequest): Promise<RowAnswer>;
  /** Returns the columns of the answers to an operation that was prepared before, possibly by an earlier version of the graph. */
  outline(document: string, operationName: string | null, language: Language): readonly AnswerColumn[];
}
