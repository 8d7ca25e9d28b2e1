import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DocumentNode, execute, type GraphQLSchema } from 'graphql';
import type { AnyEndpoint } from '../../registry/endpoint';
import type { Rehearsal } from '../../registry/rehearsal';
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
  /** Runs the operation for one row in the place of graphql-js; null where it cannot. */
  readonly execute?: (
    row: Readonly<Record<string, unknown>>,
    context: Context,
  ) => Promise<{ readonly data?: unknown }> | null;
}

/** The dataset asks more than can be counted at once. */
export class TooManyQuestions extends Error {
  override readonly name = 'TooManyQuestions';
}

const rowsInOneGo = 20;

/** Tells the price by running the operation against registries that only write down what they are asked. */
export async function estimateUnits(plan: Plan, context: Context): Promise<UnitEstimate> {
  const rehearsal = context.registry.rehearsal();
  let invalidRows = 0;
  for (const [index, row] of plan.rows.entries()) {
    if (!(await rehearseRow(plan, row, { ...context, registry: rehearsal }, rehearsal))) invalidRows += 1;
    if (rehearsal.isOverfull) throw new TooManyQuestions();
    // Other requests want their turn too.
    if (index % rowsInOneGo === rowsInOneGo - 1) await nextTurn();
  }
  const endpoints = [...rehearsal.questions]
    .map(([endpoint, questions]) => subtotalOf(rehearsal, endpoint, questions.size))
    .sort((one, other) => other.subtotal - one.subtotal || one.url.localeCompare(other.url));
  const estimatedUnits = endpoints.reduce((sum, { subtotal }) => sum + subtotal, 0);
  return {
    dataset: plan.dataset,
    rowCount: plan.rows.length,
    endpoints,
    estimatedUnits,
    bounded: rehearsal.bounded,
    invalidRows,
    currentBalance: null,
    sufficient: null,
  };
}

/** Whether every identifier of the row could be asked with. A field that fails costs nothing, and is told when it runs. */
async function rehearseRow(
  plan: Plan,
  row: Plan['rows'][number],
  context: Context,
  rehearsal: Rehearsal,
): Promise<boolean> {
  const refusals = rehearsal.refusals;
  rehearsal.startRow();
  const { schema, document, operationName } = plan;
  const execution =
    plan.execute?.(row, context) ??
    execute({ schema, document, operationName, variableValues: row, contextValue: context });
  const { data } = await execution;
  return data !== undefined && rehearsal.refusals === refusals;
}

function subtotalOf(rehearsal: Rehearsal, endpoint: AnyEndpoint, calls: number): UnitEstimateEndpoint {
  const [, url = ''] = rehearsal.address(endpoint).split(' ');
  const unitsPerCall = rehearsal.priceOf(endpoint);
  return { url, route: endpoint.name, calls, unitsPerCall, subtotal: calls * unitsPerCall };
}

/** The estimate beside what the account holds: one free call, where the operator told its path. */
export async function besideBalance(estimate: UnitEstimate, context: Context): Promise<UnitEstimate> {
  const currentBalance = await balanceOf(context);
  if (currentBalance === null) return estimate;
  return { ...estimate, currentBalance, sufficient: Number(currentBalance) >= estimate.estimatedUnits };
}

/** Only a courtesy: an estimate without it is still an estimate. */
async function balanceOf({ registry, tellsBalance }: Context): Promise<string | null> {
  if (!tellsBalance) return null;
  try {
    const { payload } = await registry.ask(readBalance, {});
    return decimal(payload?.balance ?? null);
  } catch {
    return null;
  }
}
