import type { Subject } from '../../registry/endpoint/endpoint';
import { createRequestScope, openBatch, prepareOperation } from '../run/open-batch';
import type { WorkerDependencies } from '../run/worker-dependencies';
import { BatchStore } from '../storage/batch-store';
import { RowStore } from '../storage/row-store';
import { DatasetPrice, RowTooLargeError } from './dataset-price';

type PricerDependencies = Pick<
  WorkerDependencies,
  'store' | 'ring' | 'client' | 'operations' | 'anyEndpoint' | 'subjects'
>;

const pageRows = 200;

/** Determines the price of batches, and stores the subjects of their rows. */
export class BatchPricer {
  private readonly batches: BatchStore;

  constructor(
    private readonly dependencies: PricerDependencies,
    private readonly signal: AbortSignal,
  ) {
    this.batches = new BatchStore(dependencies.store);
  }

  /** Prices a batch, unless another worker is pricing it. If the pricing is interrupted, it starts again from the first row. */
  async price(id: string, worker: string): Promise<void> {
    if (!(await this.batches.beginPricing(id, worker))) return;
    const { ring, operations, client, store, anyEndpoint } = this.dependencies;
    const batch = await this.batches.get(id);
    const open = batch === null ? null : openBatch(ring, batch);
    const operation = open === null ? null : prepareOperation(operations, open);
    if (open === null || operation === null) return void (await this.batches.endPricing(id, null, []));
    const source = { sandbox: open.batch.sandbox, address: client.address.bind(client) };
    const price = new DatasetPrice(source, operation, {
      scope: createRequestScope(open.batch, null, this.signal),
      language: open.batch.language,
      hashOf: (subject: Subject) => this.dependencies.subjects.hash(subject),
    });
    try {
      const isComplete = await this.addRows(new RowStore(store, id, open.key), price);
      if (isComplete)
        await this.batches.endPricing(id, price.estimate(), anyEndpoint ? [] : price.disallowedEndpoints());
    } catch (error) {
      if (!(error instanceof RowTooLargeError)) throw error;
      await this.batches.endPricing(id, null, []);
    }
  }

  /** Adds all rows to the price. Returns false if the worker stopped before the last row. */
  private async addRows(rows: RowStore, price: DatasetPrice): Promise<boolean> {
    for (let after = 0; !this.signal.aborted; ) {
      const inputs = await rows.inputs(after, pageRows);
      await rows.addSubjects(await price.add(inputs));
      after = inputs.at(-1)?.number ?? after;
      if (inputs.length < pageRows) return true;
    }
    return false;
  }
}
