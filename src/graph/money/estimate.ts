import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DocumentNode, execute, type GraphQLSchema } from 'graphql';
import type { AnyEndpoint } from '../../registry/endpoint';
import { DryRunDataSource } from '../../registry/rehearsal';
import type { Context } from '../context';
import { decimal } from '../scalars/decimals';
import { readBalance } from './endpoints';
import type { UnitEstimate, UnitEstimateEndpoint } from './types';

/** An operation, and the sets of variables that it would run with. */
export interface Plan {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly dataset: string | null;
}

/** The dataset asks more than can be counted at once. */
export class TooManyQuestions extends Error {
  override readonly name = 'TooManyQuestions';
}

const rowsInOneGo = 20;

/** Tells the price by running the operation against registries that only write down what they are asked. */
export async function estimateUnits(plan: Plan, context: Context): Promise<UnitEstimate> {
  const dryRun = new DryRunDataSource(context.dataSource);
  let invalidRows = 0;
  for (const [index, row] of plan.rows.entries()) {
    if (!(await dryRunRow(plan, row, { ...context, dataSource: dryRun }, dryRun))) invalidRows += 1;
    if (dryRun.isOverfull) throw new TooManyQuestions();
    // Other requests want their turn too.
    if (index % rowsInOneGo === rowsInOneGo - 1) await nextTurn();
  }
  const endpoints = [...dryRun.questions]
    .map(([endpoint, questions]) => subtotalOf(dryRun, endpoint, questions.size))
    .sort((one, other) => other.subtotal - one.subtotal || one.url.localeCompare(other.url));
  const estimatedUnits = endpoints.reduce((sum, { subtotal }) => sum + subtotal, 0);
  return {
    dataset: plan.dataset,
    rowCount: plan.rows.length,
    endpoints,
    estimatedUnits,
    bounded: dryRun.bounded,
    invalidRows,
    currentBalance: null,
    sufficient: null,
  };
}

/** Whether every identifier of the row could be asked with. A field that fails costs nothing, and is told when it runs. */
async function dryRunRow(
  plan: Plan,
  row: Plan['rows'][number],
  context: Context,
  dryRun: DryRunDataSource,
): Promise<boolean> {
  const refusals = dryRun.rejections;
  dryRun.startRow();
  const { data } = await execute({
    schema: plan.schema,
    document: plan.document,
    operationName: plan.operationName,
    variableValues: row,
    contextValue: context,
  });
  return data !== undefined && dryRun.rejections === refusals;
}

function subtotalOf(dryRun: DryRunDataSource, endpoint: AnyEndpoint, calls: number): UnitEstimateEndpoint {
  const [, url = ''] = dryRun.address(endpoint).split(' ');
  const unitsPerCall = dryRun.priceOf(endpoint);
  return { url, route: endpoint.name, calls, unitsPerCall, subtotal: calls * unitsPerCall };
}

/** The estimate beside what the account holds: one free call, where the operator told its path. */
export async function besideBalance(estimate: UnitEstimate, context: Context): Promise<UnitEstimate> {
  const currentBalance = await balanceOf(context);
  if (currentBalance === null) return estimate;
  return { ...estimate, currentBalance, sufficient: Number(currentBalance) >= estimate.estimatedUnits };
}

/** Only a courtesy: an estimate without it is still an estimate. */
async function balanceOf({ dataSource, tellsBalance }: Context): Promise<string | null> {
  if (!tellsBalance) return null;
  try {
    const { payload } = await dataSource.fetch(readBalance, {});
    return decimal(payload?.balance ?? null);
  } catch {
    return null;
  }
}
