import { TooManyQuestionsError } from '../../../money/calls/dry-run-data-source';
import { isPlaceholder, type Subject } from '../../../registry/endpoint/endpoint';
import type { BatchEstimate } from '../batch';
import { createRequestScope, type OpenBatch, openBatch, prepareOperation } from '../open-batch';
import type { BatchEstimator, BatchOperation } from '../operation';
import { BatchStore } from '../storage/batch-store';
import { RowStore, type RowSubject } from '../storage/row-store';
import type { WorkerDependencies } from './dependencies';
import { EarlierAnswers, KeptForAge, openEarlier } from './earlier-answers';

type PricerDependencies = Pick<
  WorkerDependencies,
  'store' | 'ring' | 'client' | 'calls' | 'operations' | 'anyEndpoint' | 'subjects' | 'trail'
>;

type Price = Omit<BatchEstimate, 'earlier' | 'reusing'>;

const nothingReused = { earlier: null, reusing: null };

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
    const rows = new RowStore(store, id, open.key);
    try {
      const estimate = await this.estimate(rows, estimator);
      if (estimate === null) return;
      const reusing = await this.estimateReusing(open, rows, operation, estimate);
      if (this.signal.aborted) return;
      const disallowed = anyEndpoint ? [] : estimator.endpoints.filter((endpoint) => !endpoint.batch);
      const addresses = disallowed.map((endpoint) => client.address(endpoint));
      await this.batches.endPricing(id, { ...estimate, ...reusing }, addresses);
    } catch (error) {
      if (!(error instanceof TooManyQuestionsError)) throw error;
      await this.batches.endPricing(id, null, []);
    }
  }

  /** Adds all rows and indexes their people and employers. Returns null if this process is stopping. */
  private async estimate(rows: RowStore, estimator: BatchEstimator): Promise<Price | null> {
    let costliestRow: BatchEstimate['costliestRow'] = null;
    for await (const inputs of this.pages(rows, readRows)) {
      const found: RowSubject[] = [];
      for (const [index, { number, line, variables }] of inputs.entries()) {
        if (index % pageRows === 0) estimator.startPage();
        const { units, subjects } = await estimator.addRow(variables);
        if (units > (costliestRow?.units ?? 0)) costliestRow = { number, line, units };
        for (const hash of this.hash(subjects)) found.push({ number, hash });
      }
      await rows.addSubjects(found);
    }
    return this.signal.aborted ? null : { ...estimator.estimate(), costliestRow };
  }

  /**
   * Returns the questions that earlier batches have answered, and the price if the batch uses these answers and what is kept for its `maxAge`.
   * Sandbox mode is free.
   */
  private async estimateReusing(
    open: OpenBatch,
    rows: RowStore,
    operation: BatchOperation,
    { invalidRows }: Price,
  ): Promise<Pick<BatchEstimate, 'earlier' | 'reusing'>> {
    const { ring, calls } = this.dependencies;
    const { batch, header } = open;
    if (batch.sandbox || calls.store === null) return nothingReused;
    const operations = openEarlier(ring, open, await this.batches.findEarlier(batch, header.accounts));
    const { maxAgeMs, accounts } = header;
    const asker = { caller: createRequestScope(batch, '', this.signal).caller, purpose: batch.purpose };
    const earlier = operations && new EarlierAnswers(asker, operations, calls.store.kept);
    const kept = maxAgeMs === null ? null : new KeptForAge(asker, { maxAgeMs, accounts }, calls);
    if (earlier === null && kept === null) return nothingReused;
    const estimator = operation.createEstimator(
      false,
      async (...question) => (await earlier?.find(...question)) ?? kept?.find(...question),
    );
    try {
      for await (const inputs of this.pages(rows, pageRows)) {
        estimator.startPage();
        // Together, so that they share the statements that look for answers. So the rows that are not valid cannot be told apart.
        await Promise.all(inputs.map(({ variables }) => estimator.addRow(variables)));
      }
    } catch (error) {
      if (!(error instanceof TooManyQuestionsError)) throw error;
      return { earlier: earlier?.summary() ?? null, reusing: null };
    }
    await this.recordPaidAnswers(open, kept?.entries ?? []);
    return { earlier: earlier?.summary() ?? null, reusing: { ...estimator.estimate(), invalidRows } };
  }

  /** Records that the price shows the caller what other clients have asked. */
  private async recordPaidAnswers({ batch, header }: OpenBatch, entries: Iterable<string>): Promise<void> {
    const { client, actor } = batch;
    const holder = { accounts: header.accounts, logAccount: '', client, actor, requestId: batch.id };
    const found = [...entries];
    if (found.length > 0) await this.dependencies.trail?.of(holder).addPrice(found);
  }

  private async *pages(rows: RowStore, count: number): AsyncGenerator<Awaited<ReturnType<RowStore['inputs']>>> {
    for (let after = 0; !this.signal.aborted; ) {
      const inputs = await rows.inputs(after, count);
      yield inputs;
      if (inputs.length < count) return;
      after = inputs.at(-1)?.number ?? after;
    }
  }

  /** Returns hashes under all keys, so that the rows of batches are found that were stored with another key. */
  private hash(subjects: readonly Subject[]): ReadonlySet<string> {
    const found = subjects.filter(({ value }) => !isPlaceholder(value));
    return new Set(found.flatMap((subject) => this.dependencies.subjects.hashes(subject)));
  }
}
