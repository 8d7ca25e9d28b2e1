import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type DocumentNode, execute, type GraphQLSchema } from 'graphql';
import { amountOf, parseDecimal } from '../../../identifiers/decimals';
import type { RegistryDataSource } from '../../../money/calls/data-source';
import { DryRunDataSource, type DryRunSource, TooManyQuestionsError } from '../../../money/calls/dry-run-data-source';
import { inLanguage } from '../../../registry/answer/problem';
import type { AnyEndpoint, Subject } from '../../../registry/endpoint/endpoint';
import { findFault } from '../client-error';
import type { Context } from '../context';
import { PdfTextReader } from '../files/pdf-text-reader';
import { ContentBudget } from '../operations/operation-limits';
import { readBalance } from './endpoints';
import type { UnitEstimate, UnitEstimateEndpoint } from './types';

export interface PricedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | null;
}

export interface EstimateRequest extends PricedOperation {
  readonly rows: readonly Variables[];
  readonly dataset: string | null;
  /** Whether answers that are still in the replay window count as free. */
  readonly skipsPaid?: boolean;
  /** Whether the limits of started batches count. They do not count in the budget of a request. */
  readonly countsBatches?: boolean;
}

export class UnlimitedBatchError extends Error {
  override readonly name = 'UnlimitedBatch';

  constructor(field: string) {
    super(`The price is unknown: ${field} spends up to the limit of its batch. Give \`maxUnits\`.`);
  }
}

type Variables = Readonly<Record<string, unknown>>;

/** Maximum time for which an estimate blocks the event loop. */
const maxBlockingMs = 10;
/** Stops at the first error of a row. The errors are discarded, and graphql-js prints the whole value into each of them. */
const firstErrorOnly = { maxCoercionErrors: 1 };

/** Estimates the price of an operation by dry runs, one for each row. Rows may come in any number of pages. */
export class Estimator {
  readonly dryRun: DryRunDataSource;
  private readonly context: Context;
  private rowCount = 0;
  private invalidRows = 0;
  private yieldAt = performance.now() + maxBlockingMs;

  constructor(
    private readonly operation: PricedOperation,
    context: Context,
    skipsPaid = false,
    source: DryRunSource = context.dataSource,
  ) {
    this.dryRun = new DryRunDataSource(source, skipsPaid);
    this.context = { ...context, dataSource: this.dryRun };
  }

  get endpoints(): readonly AnyEndpoint[] {
    return [...this.dryRun.questions.keys()];
  }

  /** Begins a page. The rows of a page may have a limited number of questions together. */
  startPage(): void {
    this.dryRun.startPage();
  }

  /**
   * Counts the questions of a row. Returns its price and the people and employers that it asks about. Throws if the row or its page has
   * too many questions, and if a resolver fails: it might have asked more.
   */
  async addRow(variableValues: Variables): Promise<{ readonly units: number; readonly subjects: readonly Subject[] }> {
    const { dryRun, context: contextValue } = this;
    const { schema, document, operationName } = this.operation;
    const invalidBefore = dryRun.rejections;
    dryRun.startRow();
    const { data, errors } = await execute({
      schema,
      document,
      operationName,
      variableValues,
      contextValue,
      options: firstErrorOnly,
    });
    if (dryRun.exceededLimit !== null) throw new TooManyQuestionsError(dryRun.exceededLimit);
    const fault = findFault(errors);
    if (fault !== undefined) throw fault;
    this.rowCount += 1;
    // A field that rejects its input costs nothing.
    if (!data || dryRun.rejections !== invalidBefore) this.invalidRows += 1;
    if (performance.now() >= this.yieldAt) {
      await yieldToEventLoop();
      this.yieldAt = performance.now() + maxBlockingMs;
    }
    return { units: dryRun.rowPrice, subjects: dryRun.rowSubjects };
  }

  /** Returns the price of all rows. The limits of batches that they start only count if `countsBatches`. */
  estimate(countsBatches = false) {
    const { dryRun, rowCount, invalidRows } = this;
    const { bounded, problems } = dryRun;
    const endpoints = this.endpoints
      .map((endpoint) => toEndpointEstimate(dryRun, endpoint))
      .sort((left, right) => right.subtotal - left.subtotal || left.url.localeCompare(right.url));
    const batchUnits = countsBatches ? dryRun.batchUnits : 0;
    const estimatedUnits = endpoints.reduce((sum, { subtotal }) => sum + subtotal, batchUnits);
    const atMost = bounded ? estimatedUnits : null;
    return { rowCount, endpoints, estimatedUnits, atMost, bounded, invalidRows, problems };
  }
}

function toEndpointEstimate(dryRun: DryRunDataSource, endpoint: AnyEndpoint): UnitEstimateEndpoint {
  const [, url = ''] = dryRun.address(endpoint).split(' ');
  const unitsPerCall = dryRun.priceOf(endpoint);
  const fields = [...(dryRun.fields.get(endpoint) ?? [])];
  const calls = dryRun.questions.get(endpoint)?.size ?? 0;
  return { url, route: endpoint.name, fields, calls, unitsPerCall, subtotal: calls * unitsPerCall };
}

/** Estimates the price by a dry run. Throws if the price is unknown. */
export async function estimateUnits(request: EstimateRequest, context: Context): Promise<UnitEstimate> {
  const { rows, dataset, skipsPaid, countsBatches = false, ...operation } = request;
  const estimator = new Estimator(operation, context, skipsPaid);
  for (const row of rows) await estimator.addRow(row);
  await recordPaidAnswers(estimator.dryRun, context);
  const unitsWithPermission = estimator.dryRun.isRefused ? await unitsIfPermitted(request, context) : null;
  const [unlimited] = estimator.dryRun.unlimitedBatches;
  if (countsBatches && unlimited !== undefined) throw new UnlimitedBatchError(unlimited);
  const estimate = estimator.estimate(countsBatches);
  const problems = estimate.problems.map((problem) => inLanguage(problem, context.language));
  return { ...estimate, unitsWithPermission, problems, dataset, amount: null, currentBalance: null, sufficient: null };
}

async function unitsIfPermitted(request: EstimateRequest, context: Context): Promise<number> {
  const estimator = new Estimator(request, context, request.skipsPaid);
  estimator.dryRun.checksPermission = false;
  for (const row of request.rows) await estimator.addRow(row);
  return estimator.estimate(request.countsBatches).estimatedUnits;
}

/** Records that a price shows the caller what other clients have asked. Throws if that cannot be recorded. */
async function recordPaidAnswers({ paidEntries }: DryRunDataSource, { ledger }: Context): Promise<void> {
  if (paidEntries.size > 0) await ledger?.trail.addPrice([...paidEntries]);
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

type Parts = Pick<Context, 'catalogue' | 'finders' | 'limiter' | 'dryRunBudget' | 'checkDigits' | 'now'>;

/** Returns the context of dry runs that belong to no request: without a caller, a ledger and extensions. */
export function createDryRunContext(
  source: Pick<RegistryDataSource, 'address' | 'sandbox' | 'prices'>,
  parts: Parts,
): Context {
  const { sandbox } = source;
  return {
    ...parts,
    dataSource: new DryRunDataSource(source),
    caller: { bearer: null, account: '', tenant: '', sandbox, usesServerToken: false, permissions: null },
    ledger: null,
    extensions: {},
    operations: null,
    path: null,
    language: 'en',
    links: { read: () => Promise.reject(new Error('A dry run reads no link.')) },
    pdfText: new PdfTextReader(),
    signal: new AbortController().signal,
    showsBalance: false,
    unitPrice: null,
    verifiedUnitPrice: async () => null,
    tagPattern: null,
    contentBudget: new ContentBudget(),
    checkTrusted: () => undefined,
  };
}
