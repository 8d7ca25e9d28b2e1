import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type DocumentNode, execute, type GraphQLSchema } from 'graphql';
import { inLanguage } from '../../registry/answer/problem';
import { DryRunDataSource } from '../../registry/dry-run-data-source';
import type { AnyEndpoint } from '../../registry/endpoint/endpoint';
import type { Context } from '../context';
import { parseDecimal } from '../formats/decimals';
import { readBalance } from './endpoints';
import type { UnitEstimate, UnitEstimateEndpoint } from './types';

/** An operation, and the sets of variables that it would run with. */
export interface EstimateRequest {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly dataset: string | null;
  /** Whether what was just paid for counts as free: the price of now, not the price of the question. */
  readonly skipsPaid?: boolean;
}

/** The dataset asks more than can be counted at once. */
export class TooManyQuestionsError extends Error {
  override readonly name = 'TooManyQuestions';

  constructor(readonly allowed: number) {
    super(`More than ${allowed} questions are not counted.`);
  }
}

/** Other requests want their turn too. */
const turnMs = 10;
/** Nobody reads what is wrong with a row, and graphql-js prints the whole value into each of fifty errors. */
const firstErrorOnly = { maxCoercionErrors: 1 };

/** Estimates the price by running the operation against a data source that only records what it is asked. */
export async function estimateUnits(request: EstimateRequest, context: Context): Promise<UnitEstimate> {
  const dryRun = new DryRunDataSource(context.dataSource, request.skipsPaid);
  let invalidRows = 0;
  let turnEnd = performance.now() + turnMs;
  for (const row of request.rows) {
    if (!(await dryRunRow(request, row, { ...context, dataSource: dryRun }, dryRun))) invalidRows += 1;
    if (dryRun.exceededLimit !== null) throw new TooManyQuestionsError(dryRun.exceededLimit);
    if (performance.now() < turnEnd) continue;
    await yieldToEventLoop();
    turnEnd = performance.now() + turnMs;
  }
  const endpoints = [...dryRun.questions]
    .map(([endpoint, questions]) => toEndpointEstimate(dryRun, endpoint, questions.size))
    .sort((left, right) => right.subtotal - left.subtotal || left.url.localeCompare(right.url));
  const estimatedUnits = endpoints.reduce((sum, { subtotal }) => sum + subtotal, 0);
  return {
    dataset: request.dataset,
    rowCount: request.rows.length,
    endpoints,
    estimatedUnits,
    atMost: dryRun.bounded ? estimatedUnits : null,
    bounded: dryRun.bounded,
    invalidRows,
    problems: dryRun.problems.map((problem) => inLanguage(problem, context.language)),
    currentBalance: null,
    sufficient: null,
  };
}

/** Whether every identifier of the row could be asked with. A field that fails costs nothing, and is reported when it runs. */
async function dryRunRow(
  request: EstimateRequest,
  row: EstimateRequest['rows'][number],
  context: Context,
  dryRun: DryRunDataSource,
): Promise<boolean> {
  const invalidBefore = dryRun.rejections;
  dryRun.startRow();
  const { schema, document, operationName } = request;
  const { data } = await execute({
    schema,
    document,
    operationName,
    variableValues: row,
    contextValue: context,
    options: firstErrorOnly,
  });
  return data !== undefined && dryRun.rejections === invalidBefore;
}

function toEndpointEstimate(dryRun: DryRunDataSource, endpoint: AnyEndpoint, calls: number): UnitEstimateEndpoint {
  const [, url = ''] = dryRun.address(endpoint).split(' ');
  const unitsPerCall = dryRun.priceOf(endpoint);
  const fields = [...(dryRun.fields.get(endpoint) ?? [])];
  return { url, route: endpoint.name, fields, calls, unitsPerCall, subtotal: calls * unitsPerCall };
}

/** The estimate with what the account holds: one free call, where the operator set its path. */
export async function addBalance(estimate: UnitEstimate, context: Context): Promise<UnitEstimate> {
  const currentBalance = await fetchBalance(context);
  if (currentBalance === null) return estimate;
  return { ...estimate, currentBalance, sufficient: Number(currentBalance) >= estimate.estimatedUnits };
}

/** Only a courtesy: an estimate without it is still an estimate. */
async function fetchBalance({ dataSource, showsBalance }: Context): Promise<string | null> {
  if (!showsBalance) return null;
  try {
    const { payload } = await dataSource.fetch(readBalance, {});
    return parseDecimal(payload?.balance ?? null);
  } catch {
    return null;
  }
}
