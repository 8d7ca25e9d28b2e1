import { limitMaxAge } from '../../../config/max-age';
import type { Core } from '../../../extension';
import { ContentBudget } from '../../../graph/core/operations/operation-limits';
import { LiveDataSource } from '../../../money/calls/live-data-source';
import type { Saving } from '../../../money/units/unit-meter';
import type { RequestLogContext } from '../../../server/http/request-lifecycle';
import type { RowAnswer, RowRequest } from '../operation';

/** Maximum bytes of the files in the answer of one row, because a batch stores thousands of rows. */
const maxContentBytes = 1_000_000;

/** Runs rows as requests. A row has no HTTP request, so it has no line in the log, and no place among the requests of clients. */
export class RowRequests {
  constructor(
    private readonly calls: Core['calls'],
    private readonly createContext: Core['createContext'],
    private readonly graphql: Core['graphql'],
    private readonly reuseDays: number,
  ) {}

  async run({ query, operationName, variables, maxAge, ...row }: RowRequest): Promise<RowAnswer> {
    const { scope, units, language, batch } = row;
    const labels = { ...row.labels, holder: null };
    const logContext: RequestLogContext = { operation: null, operationType: null, client: null, units };
    const maxAgeMs = maxAge === null ? null : limitMaxAge(maxAge, this.reuseDays);
    const reuse = maxAgeMs === null ? null : { maxAgeMs, purpose: labels.purpose, operationId: null };
    const origin = { ...labels, operation: () => logContext.operation, requestId: null, batchId: batch, reuse };
    const dataSource = new LiveDataSource(this.calls, scope, units, origin);
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
      ...this.createContext(sender),
      contentBudget: new ContentBudget(maxContentBytes),
      // Thousands of rows may share an answer, so one entry sums up what many of them saved.
      recordSavings: (saved: readonly Saving[]) => {
        savings = saved;
      },
    };
    const { data = null, errors = [] } = await this.graphql.runRow({ query, operationName, variables }, context);
    // The answers are written before the row, so that a row in the store always has its answers.
    await dataSource.payerCalls.written(scope.signal);
    return {
      data,
      errors: errors.map(({ message, path }) => (path === undefined ? { message } : { message, path })),
      savings,
    };
  }
}
