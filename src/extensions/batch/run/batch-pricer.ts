import { TooManyQuestionsError } from '../../../money/calls/dry-run-data-source';
import { isPlaceholder, type Subject } from '../../../registry/endpoint/endpoint';
import { type BatchEstimate, chosenEstimate } from '../batch';
import { createRequestScope, type OpenBatch, openBatch, prepareOperation } from '../open-batch';
import type { BatchEstimator, BatchOperation } from '../operation';
import { BatchStore } from '../storage/batch-store';
import { reprice } from '../storage/reprice';
import { RowStore, type RowSubject } from '../storage/row-store';
import type { WorkerDependencies } from './dependencies';
import { EarlierAnswers, KeptForAge, openEarlier } from './earlier-answers';

type PricerDependencies = Pick<
  WorkerDependencies,
  'store' | 'ring' | 'client' | 'calls' | 'operations' | 'anyEndpoint' | 'subjects' | 'trail'
>;

type Price = Omit<BatchEstimate, 'earlier' | 'reusing'>;

interface Priced {
  /** Null if the batch has no price. */
  readonly estimate: BatchEstimate | null;
  readonly disallowed: readonly string[];
}

const unpriced: Priced = { estimate: null, disallowed: [] };

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
    const batch = await this.batches.get(id);
    const open = batch === null ? null : openBatch(this.dependencies.ring, batch);
    const priced = open === null ? unpriced : await this.priceOpen(open);
    if (!this.signal.aborted) await this.batches.endPricing(id, priced.estimate, priced.disallowed);
  }

  /**
   * Prices a running batch by the price list in force, before it pays by it. If the batch was within its limit and no longer is, it pauses, so
   * that its caller decides. Returns whether it goes on.
   */
  async priceAgain(open: OpenBatch): Promise<boolean> {
    const { batch } = open;
    const { client, store } = this.dependencies;
    const { version } = client.prices;
    const { estimate } = await this.priceOpen(open);
    if (this.signal.aborted) return false;
    const isWithin = (priced: BatchEstimate | null): boolean =>
      (chosenEstimate({ ...batch, estimate: priced })?.estimatedUnits ?? 0) <= (batch.maxUnits ?? Infinity);
    const exceeds = isWithin(batch.estimate) && !isWithin(estimate);
    const reason = estimate === null ? 'INVALID_FORMAT' : exceeds ? 'UNIT_BUDGET_EXCEEDED' : null;
    return (await reprice(store, batch, version, estimate, reason)) && reason === null;
  }

  private async priceOpen(open: OpenBatch): Promise<Priced> {
    const { operations, client, store, anyEndpoint } = this.dependencies;
    const operation = prepareOperation(operations, open);
    if (operation === null) return unpriced;
    const { version: prices } = client.prices;
    const estimator = operation.createEstimator(open.batch.sandbox);
    const rows = new RowStore(store, open.batch.id, open.key);
    try {
      const estimate = await this.estimate(rows, estimator);
      if (estimate === null) return unpriced;
      const reusing = await this.estimateReusing(open, rows, operation, estimate);
      const disallowed = anyEndpoint ? [] : estimator.endpoints.filter((endpoint) => !endpoint.batch);
      const addresses = disallowed.map((endpoint) => client.address(endpoint));
      return { estimate: { ...estimate, ...reusing, prices }, disallowed: addresses };
    } catch (error) {
      if (!(error instanceof TooManyQuestionsError)) throw error;
      return unpriced;
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
    const { ring, calls, client } = this.dependencies;
    const { batch, header } = open;
    if (batch.sandbox || calls.store === null) return nothingReused;
    const operations = openEarlier(ring, open, await this.batches.findEarlier(batch, header.accounts));
    const { maxAgeMs, accounts } = header;
    const { caller, prices } = createRequestScope(batch, '', this.signal, client.prices);
    const asker = { caller, purpose: batch.purpose, prices };
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
