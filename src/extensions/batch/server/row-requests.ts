import { ContentBudget } from '../../../graph/core/operations/operation-limits';
import { LiveDataSource } from '../../../money/calls/live-data-source';
import type { Saving } from '../../../money/calls/units/unit-meter';
import type { Core } from '../../../server/extension';
import type { RequestLogContext } from '../../../server/http/request-lifecycle';
import type { RowAnswer, RowRequest } from '../operation';

/** Maximum bytes of the files in the answer of one row, because a batch stores thousands of rows. */
const maxContentBytes = 1_000_000;

/** Runs rows as requests. A row has no HTTP request, so it has no line in the log, and no place among the requests of clients. */
export class RowRequests {
  constructor(private readonly core: Core) {}

  async run({ query, operationName, variables, maxAgeMs, ...row }: RowRequest): Promise<RowAnswer> {
    const { scope, units, language, batch } = row;
    const labels = { ...row.labels, holder: null };
    const logContext: RequestLogContext = { operation: null, operationType: null, client: null, units };
    const began = performance.now();
    const reuse = maxAgeMs === null ? null : { maxAgeMs, purpose: labels.purpose, operation: null, began };
    const origin = { ...labels, operation: () => logContext.operation, requestId: null, batchId: batch, reuse };
    const dataSource = new LiveDataSource(this.core.calls, scope, units, origin);
    const sender = {
      dataSource,
      scope,
      units,
      labels,
      language,
      requestId: 'batch',
      logContext,
      countError: () => undefined,
    };
    let savings: readonly Saving[] = [];
    const context = {
      ...this.core.createContext(sender),
      contentBudget: new ContentBudget(maxContentBytes),
      // Thousands of rows may share an answer, so one entry sums up what many of them saved.
      recordSavings: (saved: readonly Saving[]) => {
        savings = saved;
      },
    };
    const { data = null, errors = [] } = await this.core.graphql.runRow({ query, operationName, variables }, context);
    dataSource.payerCalls.recordRefused(units.refused);
    // The answers are written before the row, so that a row in the store always has its answers.
    await dataSource.payerCalls.written(scope.signal);
    return {
      data,
      errors: errors.map(({ message, path }) => (path === undefined ? { message } : { message, path })),
      savings,
    };
  }
}
