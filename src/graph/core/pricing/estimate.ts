import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type DocumentNode, execute, type GraphQLSchema } from 'graphql';
import { parseDecimal } from '../../../identifiers/decimals';
import { DryRunDataSource } from '../../../money/calls/dry-run-data-source';
import { inLanguage } from '../../../registry/answer/problem';
import type { AnyEndpoint } from '../../../registry/endpoint/endpoint';
import { amountOf } from '../../../text/unit-price';
import type { Context } from '../context';
import { readBalance } from './endpoints';
import type { UnitEstimate, UnitEstimateEndpoint } from './types';

export interface EstimateRequest {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly dataset: string | null;
  /** Whether answers that are still in the replay window count as free. */
  readonly skipsPaid?: boolean;
  /** Whether the limits of started batches count. They do not count in the budget of a request. */
  readonly countsBatches?: boolean;
}

export class TooManyQuestionsError extends Error {
  override readonly name = 'TooManyQuestions';

  constructor(readonly allowed: number) {
    super(`The dataset has more than ${allowed} questions.`);
  }
}

export class UnlimitedBatchError extends Error {
  override readonly name = 'UnlimitedBatch';

  constructor(field: string) {
    super(`The price is unknown: ${field} spends up to the limit of its batch. Give \`maxUnits\`.`);
  }
}

/** Maximum time for which an estimate blocks the event loop. */
const maxBlockingMs = 10;
/** Stops at the first error of a row. The errors are discarded, and graphql-js prints the whole value into each of them. */
const firstErrorOnly = { maxCoercionErrors: 1 };

/** The questions of an operation, and the number of rows that cannot run or have an identifier that padron rejects. */
interface DryRun {
  readonly dryRun: DryRunDataSource;
  readonly invalidRows: number;
}

export async function runDry(request: Omit<EstimateRequest, 'dataset'>, context: Context): Promise<DryRun> {
  const dryRun = new DryRunDataSource(context.dataSource, request.skipsPaid);
  let invalidRows = 0;
  let yieldAt = performance.now() + maxBlockingMs;
  for (const row of request.rows) {
    if (!(await dryRunRow(request, row, { ...context, dataSource: dryRun }, dryRun))) invalidRows += 1;
    if (dryRun.exceededLimit !== null) throw new TooManyQuestionsError(dryRun.exceededLimit);
    if (performance.now() < yieldAt) continue;
    await yieldToEventLoop();
    yieldAt = performance.now() + maxBlockingMs;
  }
  return { dryRun, invalidRows };
}

/** Estimates the price by a dry run. Throws if the price is unknown. */
export async function estimateUnits(request: EstimateRequest, context: Context): Promise<UnitEstimate> {
  const { dryRun, invalidRows } = await runDry(request, context);
  const { countsBatches = false } = request;
  const [unlimited] = dryRun.unlimitedBatches;
  if (countsBatches && unlimited !== undefined) throw new UnlimitedBatchError(unlimited);
  const endpoints = toEndpointEstimates(dryRun);
  const estimatedUnits = dryRun.price - (countsBatches ? 0 : dryRun.batchUnits);
  return {
    dataset: request.dataset,
    rowCount: request.rows.length,
    endpoints,
    estimatedUnits,
    atMost: dryRun.bounded ? estimatedUnits : null,
    amount: null,
    bounded: dryRun.bounded,
    invalidRows,
    problems: dryRun.problems.map((problem) => inLanguage(problem, context.language)),
    currentBalance: null,
    sufficient: null,
  };
}

/** Returns whether all identifiers of the row are valid. A field that fails costs nothing and is reported when the operation runs. */
async function dryRunRow(
  request: Omit<EstimateRequest, 'dataset'>,
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

export function toEndpointEstimates(dryRun: DryRunDataSource): readonly UnitEstimateEndpoint[] {
  return [...dryRun.questions]
    .map(([endpoint, questions]) => toEndpointEstimate(dryRun, endpoint, questions.size))
    .sort((left, right) => right.subtotal - left.subtotal || left.url.localeCompare(right.url));
}

function toEndpointEstimate(dryRun: DryRunDataSource, endpoint: AnyEndpoint, calls: number): UnitEstimateEndpoint {
  const [, url = ''] = dryRun.address(endpoint).split(' ');
  const unitsPerCall = dryRun.priceOf(endpoint);
  const fields = [...(dryRun.fields.get(endpoint) ?? [])];
  return { url, route: endpoint.name, fields, calls, unitsPerCall, subtotal: calls * unitsPerCall };
}

/** Adds the price in pesos, if the service knows the caller's token. */
export async function addAmount(estimate: UnitEstimate, { verifiedUnitPrice }: Context): Promise<UnitEstimate> {
  return { ...estimate, amount: amountOf(estimate.estimatedUnits, await verifiedUnitPrice()) };
}

/** Adds the price in pesos and the balance of the account to an estimate. The balance takes one free call if the operator set its path. */
export async function addBalance(estimate: UnitEstimate, context: Context): Promise<UnitEstimate> {
  const priced = await addAmount(estimate, context);
  const currentBalance = await fetchBalance(context);
  if (currentBalance === null) return priced;
  return { ...priced, currentBalance, sufficient: Number(currentBalance) >= estimate.estimatedUnits };
}

/** Returns the balance, or null if it is not available: an estimate is useful without it. */
async function fetchBalance({ dataSource, showsBalance }: Context): Promise<string | null> {
  if (!showsBalance) return null;
  try {
    const { payload } = await dataSource.fetch(readBalance, {});
    return parseDecimal(payload?.balance ?? null);
  } catch {
    return null;
  }
}
