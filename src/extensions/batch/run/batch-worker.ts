import { setMaxListeners } from 'node:events';
import { UnitMeter } from '../../../money/calls/units/unit-meter';
import { problem } from '../../../registry/answer/problem';
import { outsideTrace } from '../../../registry/client/tracing';
import type { AnyEndpoint } from '../../../registry/endpoint/endpoint';
import type { PriceList } from '../../../registry/endpoint/price-list';
import { StoreUnavailableError } from '../../../store/store';
import { times } from '../../../times';
import type { Batch } from '../batch';
import { batchCodes } from '../codes';
import { createRequestScope, type OpenBatch, openBatch, prepareOperation } from '../open-batch';
import { Semaphore } from '../semaphore';
import { BatchStore } from '../storage/batch-store';
import { repriceReady } from '../storage/reprice';
import { RowStore } from '../storage/row-store';
import { BatchPricer } from './batch-pricer';
import { BatchRun, type RunDependencies } from './batch-run';
import type { WorkerDependencies } from './dependencies';
import { openEarlier } from './earlier-answers';
import { exceedsCeiling, lowerCeiling } from './row-ceiling';

export class BatchWorker {
  private readonly batches: BatchStore;
  private readonly pricer: BatchPricer;
  private readonly runs = new Map<string, BatchRun>();
  private readonly pricing = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private wakeCount = 0;
  /** Version of the price list by which READY batches were last priced. */
  private pricedWith = 0;
  private currentCycle: Promise<void> | null = null;

  constructor(private readonly dependencies: WorkerDependencies) {
    this.batches = new BatchStore(dependencies.store);
    this.pricer = new BatchPricer(dependencies, this.stopping.signal);
    // Every statement that waits for the store adds a listener, and Node warns of more than ten.
    setMaxListeners(0, this.stopping.signal);
  }

  /** Name of this process. Its heartbeat decides what becomes of the rows that it has leased. */
  get id(): string {
    return this.dependencies.processName;
  }

  wake(): Promise<void> {
    if (this.stopping.signal.aborted) return Promise.resolve();
    this.wakeCount += 1;
    this.timer ??= setInterval(() => void this.startCycle(), times.batchCycle);
    return this.startCycle();
  }

  /** Stops the worker when its running calls are answered and written. Other workers take over the rest. */
  async stop(): Promise<void> {
    this.sleep();
    this.stopping.abort();
    await this.currentCycle;
    await Promise.all([...this.pricing.values(), ...[...this.runs.values()].map(({ ended }) => ended)]);
  }

  private startCycle(): Promise<void> {
    this.currentCycle ??= outsideTrace(() => this.runCycle())
      .catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) this.dependencies.onError(error);
      })
      .finally(() => {
        this.currentCycle = null;
      });
    return this.currentCycle;
  }

  private sleep(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  private async runCycle(): Promise<void> {
    const { store, observer } = this.dependencies;
    const { wakeCount } = this;
    await this.batches.releaseDead();
    await this.priceReady();
    const active = await this.batches.listActive();
    observer.setBatches(active);
    for (const { id, state } of active) if (state === 'PRICING') this.startPricing(id);
    const isIdle = !active.some(({ state }) => state === 'PRICING' || state === 'RUNNING');
    // An embedded store belongs to this process. New work wakes the worker, so it does not have to poll.
    if (isIdle && store.engine === 'embedded' && wakeCount === this.wakeCount) this.sleep();
    if (!this.dependencies.runsBatches) return;
    for (const { id, state } of active) if (state === 'RUNNING' && !this.runs.has(id)) await this.startRun(id);
  }

  private startPricing(id: string): void {
    if (this.pricing.has(id) || this.stopping.signal.aborted) return;
    const pricing = this.pricer
      .price(id, this.id)
      .catch(async (error: unknown) => {
        if (error instanceof StoreUnavailableError) return;
        this.dependencies.onError(error);
        // The batch becomes READY without a price and cannot start. Otherwise its pricing would fail again in each cycle.
        await this.batches.endPricing(id, null, []).catch(() => undefined);
      })
      .finally(() => this.pricing.delete(id));
    this.pricing.set(id, pricing);
  }

  private async startRun(id: string): Promise<void> {
    const batch = await this.batches.get(id);
    const open = batch === null ? null : openBatch(this.dependencies.ring, batch);
    if (open === null || open.batch.state !== 'RUNNING' || this.stopping.signal.aborted) return;
    const { operations } = this.dependencies;
    const token = this.findToken(open);
    // Another worker may have the token that this one lacks (`REGISTRY_TOKEN`).
    if (token === null) return;
    const permissions = open.batch.permissions && new Set(open.batch.permissions);
    if (prepareOperation(operations, open) === null || !operations.isTrusted(open.header.operation, permissions))
      return void (await this.batches.pause(id, 'INVALID_FORMAT'));
    const { prices } = this.dependencies.client;
    const { prices: pricedWith = 0 } = open.batch.estimate ?? {};
    if (pricedWith !== prices.version) return pricedWith < prices.version ? this.priceAgain(open) : undefined;
    const rowUnits = lowerCeiling(open.batch.rowUnits, this.dependencies.maxUnits);
    if (exceedsCeiling(open.batch, rowUnits))
      return void (await this.batches.pauseForRow(id, rowUnits, open.batch.run));
    const run = new BatchRun(await this.runDependencies(open, token, rowUnits, prices), this.dependencies.onError);
    this.runs.set(id, run);
    void run.ended.then(() => this.endRun(id));
  }

  /** Prices READY batches again once for each new price list. */
  private async priceReady(): Promise<void> {
    const { client, store } = this.dependencies;
    const { version } = client.prices;
    if (version > this.pricedWith) await repriceReady(store, version);
    this.pricedWith = version;
  }

  /** A process with a newer list has priced the batch if its list is the older one: it then waits for the list. */
  private async priceAgain(open: OpenBatch): Promise<void> {
    const { id } = open.batch;
    if (this.pricing.has(id)) return;
    const pricing = this.pricer
      .priceAgain(open)
      .then((goesOn) => {
        if (goesOn) void this.wake();
      })
      .catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) this.dependencies.onError(error);
      })
      .finally(() => this.pricing.delete(id));
    this.pricing.set(id, pricing);
  }

  private endRun(id: string): void {
    this.runs.delete(id);
    // The batch may have been resumed or retried while this run ended.
    if (this.timer !== null) void this.startCycle();
  }

  private async runDependencies(
    open: OpenBatch,
    token: string,
    rowUnits: number | null,
    prices: PriceList,
  ): Promise<RunDependencies> {
    const { store, calls, concurrency, anyEndpoint, observer, subjects, operations, endpointOf } = this.dependencies;
    const { batch, key } = open;
    const scope = {
      ...createRequestScope(batch, token, this.stopping.signal, prices),
      turns: new Semaphore(concurrency),
      refuses: (endpoint: AnyEndpoint) => (endpoint.batch || anyEndpoint ? null : problem(batchCodes.NOT_IN_BATCH)),
    };
    const { client, tag, purpose, actor } = batch;
    const labels = { client, holder: null, tag, purpose, actor, reference: null };
    const origin = { ...labels, operation: () => null, requestId: null, batchId: batch.id, reuse: null };
    return {
      open,
      earlier: openEarlier(this.dependencies.ring, open, await this.findEarlier(batch)),
      scope,
      observer,
      answerCounts: new Map(),
      rowUnits,
      operations,
      endpointOf,
      hashOf: (subject) => subjects.hash(subject),
      worker: this.id,
      rows: new RowStore(store, batch.id, key),
      batches: this.batches,
      savings: calls.of({ caller: scope.caller, origin, units: new UnitMeter(null), prices, lastingNames: [] }),
      hasPricesInForce: () => this.dependencies.client.prices === prices,
      // More rows than calls, because a row makes no calls while its result is written.
      maxRows: () => 2 * concurrency(),
    };
  }

  /** Returns the batches whose answers a batch uses, except those that were erased since. */
  private async findEarlier({ usesEarlier, estimate }: Batch): Promise<readonly Batch[]> {
    const ids = usesEarlier === true ? (estimate?.earlier?.batches ?? []) : [];
    return (await Promise.all(ids.map((id) => this.batches.get(id)))).filter((batch) => batch !== null);
  }

  private findToken({ batch, key }: OpenBatch): string | null {
    if (batch.usesServerToken) return this.dependencies.serverToken;
    return batch.token === null ? null : key.open(`${batch.id} token`, batch.token).toString();
  }
}
