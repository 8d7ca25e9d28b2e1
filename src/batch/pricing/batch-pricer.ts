import type { Subject } from '../../registry/endpoint/endpoint';
import { openBatch, prepareOperation } from '../run/open-batch';
import { scopeOf, type WorkerParts } from '../run/worker-parts';
import { BatchStore } from '../storage/batch-store';
import { RowStore } from '../storage/row-store';
import { DatasetPrice, RowTooLargeError } from './dataset-price';

type PricerParts = Pick<WorkerParts, 'store' | 'ring' | 'client' | 'operations' | 'anyEndpoint' | 'subjects'>;

const slice = 200;

/** Counts what batches would cost, and notes whom their rows are about. */
export class BatchPricer {
  private readonly batches: BatchStore;

  constructor(
    private readonly parts: PricerParts,
    private readonly signal: AbortSignal,
  ) {
    this.batches = new BatchStore(parts.store);
  }

  /** Prices a batch, unless another worker does. An interrupted pricing starts again. */
  async price(id: string, worker: string): Promise<void> {
    if (!(await this.batches.beginPricing(id, worker))) return;
    const { ring, operations, client, store, anyEndpoint } = this.parts;
    const batch = await this.batches.get(id);
    const open = batch === null ? null : openBatch(ring, batch);
    const operation = open === null ? null : prepareOperation(operations, open);
    if (open === null || operation === null) return void (await this.batches.endPricing(id, null, []));
    const source = { sandbox: open.batch.sandbox, address: client.address.bind(client) };
    const price = new DatasetPrice(source, operation, {
      scope: scopeOf(open.batch, null, this.signal),
      language: open.batch.language,
      hashOf: (subject: Subject) => this.parts.subjects.hash(subject),
    });
    try {
      const isWhole = await this.countRows(new RowStore(store, id, open.key), price);
      if (isWhole) await this.batches.endPricing(id, price.estimate(), anyEndpoint ? [] : price.barred());
    } catch (error) {
      if (!(error instanceof RowTooLargeError)) throw error;
      await this.batches.endPricing(id, null, []);
    }
  }

  private async countRows(rows: RowStore, price: DatasetPrice): Promise<boolean> {
    for (let after = 0; !this.signal.aborted; ) {
      const inputs = await rows.inputs(after, slice);
      await rows.addSubjects(await price.add(inputs));
      after = inputs.at(-1)?.number ?? after;
      if (inputs.length < slice) return true;
    }
    return false;
  }
}
