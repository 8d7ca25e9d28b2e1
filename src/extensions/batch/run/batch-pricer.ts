import { TooManyQuestionsError } from '../../../money/calls/dry-run-data-source';
import { isPlaceholder, type Subject } from '../../../registry/endpoint/endpoint';
import type { BatchEstimate } from '../batch';
import { openBatch, prepareOperation } from '../open-batch';
import type { BatchEstimator } from '../operation';
import { BatchStore } from '../storage/batch-store';
import { RowStore, type RowSubject } from '../storage/row-store';
import type { WorkerDependencies } from './dependencies';

type PricerDependencies = Pick<
  WorkerDependencies,
  'store' | 'ring' | 'client' | 'operations' | 'anyEndpoint' | 'subjects'
>;

/** Rows that are read at once. */
const readRows = 200;
/** Rows per page of the estimate. The questions of a page are limited, and a dataset may have more. */
const pageRows = 50;

export class BatchPricer {
  private readonly batches: BatchStore;

  constructor(
    private readonly dependencies: PricerDependencies,
    private readonly signal: AbortSignal,
  ) {
    this.batches = new BatchStore(dependencies.store);
  }

  async price(id: string, worker: string): Promise<void> {
    if (!(await this.batches.beginPricing(id, worker))) return;
    const { ring, operations, client, store, anyEndpoint } = this.dependencies;
    const batch = await this.batches.get(id);
    const open = batch === null ? null : openBatch(ring, batch);
    const operation = open === null ? null : prepareOperation(operations, open);
    if (open === null || operation === null) return void (await this.batches.endPricing(id, null, []));
    const estimator = operation.createEstimator(open.batch.sandbox);
    try {
      const estimate = await this.estimate(new RowStore(store, id, open.key), estimator);
      if (estimate === null) return;
      const disallowed = anyEndpoint ? [] : estimator.endpoints.filter((endpoint) => !endpoint.batch);
      const addresses = disallowed.map((endpoint) => client.address(endpoint));
      await this.batches.endPricing(id, estimate, addresses);
    } catch (error) {
      if (!(error instanceof TooManyQuestionsError)) throw error;
      await this.batches.endPricing(id, null, []);
    }
  }

  /** Adds all rows and indexes their people and employers. Returns null if this process is stopping. */
  private async estimate(rows: RowStore, estimator: BatchEstimator): Promise<BatchEstimate | null> {
    let costliestRow: BatchEstimate['costliestRow'] = null;
    for (let after = 0; !this.signal.aborted; ) {
      const inputs = await rows.inputs(after, readRows);
      const found: RowSubject[] = [];
      for (const [index, { number, line, variables }] of inputs.entries()) {
        if (index % pageRows === 0) estimator.startPage();
        const { units, subjects } = await estimator.addRow(variables);
        if (units > (costliestRow?.units ?? 0)) costliestRow = { number, line, units };
        for (const hash of this.hash(subjects)) found.push({ number, hash });
        after = number;
      }
      await rows.addSubjects(found);
      if (inputs.length < readRows) return { ...estimator.estimate(), costliestRow };
    }
    return null;
  }

  private hash(subjects: readonly Subject[]): ReadonlySet<string> {
    const found = subjects.filter(({ value }) => !isPlaceholder(value));
    return new Set(found.map((subject) => this.dependencies.subjects.hash(subject)));
  }
}
