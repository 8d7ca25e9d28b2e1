import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { WaitingRequest } from '../../registry/answers/in-flight-call';
import { outsideTrace } from '../../registry/client/tracing';
import { StoreUnavailableError } from '../../store/store';
import type { Batch } from '../batch';
import { BatchPricer } from '../pricing/batch-pricer';
import { exceedsCeiling, lowerCeiling } from '../row-ceiling';
import { BatchStore } from '../storage/batch-store';
import { QuestionStore } from '../storage/question-store';
import { RowStore } from '../storage/row-store';
import { BatchRun } from './batch-run';
import { type OpenBatch, openBatch, prepareOperation } from './open-batch';
import { Semaphore } from './semaphore';
import { scopeOf, type WorkerParts } from './worker-parts';

const tickMs = 1_000;
/** Claims ahead of running calls. With fewer, calls wait for the store. With more, a kill leaves more UNKNOWN rows. */
const minSpareClaims = 4;
const finalStates: ReadonlySet<string> = new Set(['DONE', 'CANCELED', 'ERASED']);
/** Time without a heartbeat after which a worker is declared dead. */
const buryAfterMs = 10_000;

/** This process's part in all batches: says that it is there, takes the place of workers that are not, prices and runs. */
export class BatchWorker {
  readonly id = randomUUID();
  private readonly batches: BatchStore;
  private readonly pricer: BatchPricer;
  private readonly runs = new Map<string, BatchRun>();
  private readonly pricing = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly waiting = new WaitingRequest(this.stopping.signal);
  private timer: NodeJS.Timeout | null = null;
  /** Number of wake-ups. 0: the worker has never used the store. */
  private wakes = 0;
  private ticking: Promise<void> | null = null;
  /** Time since which every tick reached the store. Null before the first. */
  private steadySince: number | null = null;

  constructor(private readonly parts: WorkerParts) {
    this.batches = new BatchStore(parts.store);
    this.pricer = new BatchPricer(parts, this.stopping.signal);
    // Statements that wait for the store listen to it, and Node warns of an eleventh listener.
    setMaxListeners(0, this.stopping.signal);
  }

  get runsBatches(): boolean {
    return this.parts.runsBatches;
  }

  /** Starts the worker. If it is running, it looks for work at once. */
  wake(): Promise<void> {
    if (this.stopping.signal.aborted) return Promise.resolve();
    this.wakes += 1;
    this.timer ??= setInterval(() => void this.tick(), tickMs);
    return this.tick();
  }

  /** Stops the worker when its running calls are answered and written. Other workers take over the rest. */
  async stop(): Promise<void> {
    this.sleep();
    this.stopping.abort();
    await this.ticking;
    await Promise.all([...this.pricing.values(), ...[...this.runs.values()].map(({ ended }) => ended)]);
    if (this.wakes === 0) return;
    await this.parts.store.query('SELECT batch_bury($1)', [this.id]).catch(() => undefined);
  }

  private tick(): Promise<void> {
    this.ticking ??= outsideTrace(() => this.work())
      .catch((error: unknown) => {
        this.steadySince = null;
        if (!(error instanceof StoreUnavailableError)) this.parts.onFault(error);
      })
      .finally(() => {
        this.ticking = null;
      });
    return this.ticking;
  }

  private sleep(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  private async work(): Promise<void> {
    const { wakes } = this;
    await this.parts.store.query('SELECT batch_tick($1, $2)', [this.id, this.buryAfter()]);
    this.steadySince ??= performance.now();
    const standing = await this.batches.standing();
    this.parts.observer.setBatches(standing);
    for (const { id, state } of standing) if (state === 'PRICING') this.startPricing(id);
    const isIdle = !standing.some(({ state }) => state === 'PRICING' || state === 'RUNNING');
    // An embedded store belongs to this process. New work wakes the worker, so it does not have to poll.
    if (isIdle && this.parts.store.engine === 'embedded' && wakes === this.wakes) this.sleep();
    if (!this.parts.runsBatches) return;
    for (const { id, state } of standing) if (state === 'RUNNING' && !this.runs.has(id)) await this.startRun(id);
  }

  /** Returns the time after which workers are declared dead, or null if it is too early. An embedded store has no others. */
  private buryAfter(): number | null {
    if (this.parts.store.engine === 'embedded') return 0;
    return this.steadySince !== null && performance.now() - this.steadySince > buryAfterMs ? buryAfterMs : null;
  }

  private startPricing(id: string): void {
    if (this.pricing.has(id) || this.stopping.signal.aborted) return;
    const pricing = this.pricer
      .price(id, this.id)
      .catch(async (error: unknown) => {
        if (error instanceof StoreUnavailableError) return;
        this.parts.onFault(error);
        // Without a price it is not started; tried again each second, it would fail each second.
        await this.batches.endPricing(id, null, []).catch(() => undefined);
      })
      .finally(() => this.pricing.delete(id));
    this.pricing.set(id, pricing);
  }

  private async startRun(id: string): Promise<void> {
    const open = await this.open(id);
    if (open === null || open.batch.state !== 'RUNNING' || this.stopping.signal.aborted) return;
    const token = this.findToken(open);
    if (token === null) return await this.pauseWithoutToken(open.batch);
    const operation = prepareOperation(this.parts.operations, open);
    if (operation === null) return void (await this.batches.pause(id, 'INVALID_FORMAT'));
    const rowUnits = lowerCeiling(open.batch.rowUnits, this.parts.maxUnits);
    if (exceedsCeiling(open.batch, rowUnits))
      return void (await this.batches.pauseForRow(id, rowUnits, open.batch.run));
    const run = new BatchRun(this.runParts(open, operation, token, rowUnits), this.parts.onFault);
    this.runs.set(id, run);
    void run.ended.then(() => this.endRun(id));
  }

  /** Ends a run. The token is forgotten when the batch is over. */
  private async endRun(id: string): Promise<void> {
    this.runs.delete(id);
    const isOver = async (): Promise<boolean> => finalStates.has((await this.batches.get(id))?.state ?? '');
    await this.parts.vault.forgetIf(id, isOver).catch(() => undefined);
    // The batch may have been resumed or retried while this run ended.
    if (this.timer !== null) void this.tick();
  }

  private runParts(
    { batch, key }: OpenBatch,
    operation: NonNullable<ReturnType<typeof prepareOperation>>,
    token: string,
    rowUnits: number | null,
  ): ConstructorParameters<typeof BatchRun>[0] {
    const { store, client, replay, concurrency, anyEndpoint, ledgerOf, observer, subjects } = this.parts;
    const scope = scopeOf(batch, token, this.stopping.signal);
    return {
      answers: {
        batch: batch.id,
        key,
        questions: new QuestionStore(store, batch.id, this.id, batch.run, scope.signal),
        client,
        shared: replay.store,
        claims: new Semaphore(concurrency + Math.max(minSpareClaims, Math.ceil(concurrency / 8))),
        calls: new Semaphore(concurrency),
        answered: new Map(),
      },
      calls: replay.calls,
      partition: `batch ${batch.id} ${batch.run}`,
      scope,
      waiting: this.waiting,
      ledger: ledgerOf(batch, scope.caller),
      observer,
      anyEndpoint,
      rowUnits,
      hashOf: (subject) => subjects.hash(subject),
      worker: this.id,
      run: batch.run,
      operation,
      language: batch.language,
      rows: new RowStore(store, batch.id, key),
      batches: this.batches,
      // A row that is being written asks nothing.
      maxRows: 2 * concurrency,
    };
  }

  private findToken({ batch, key }: OpenBatch): string | null {
    const { vault, serverToken } = this.parts;
    if (batch.usesServerToken) return serverToken;
    const mayHold = batch.tokenHolder === null || batch.tokenHolder === this.id;
    return mayHold ? vault.find(batch.id, key, batch.token) : null;
  }

  /** If another worker holds the token, that worker runs the batch. */
  private async pauseWithoutToken({ id, tokenHolder, run }: Batch): Promise<void> {
    if (tokenHolder === this.id) await this.batches.pause(id, 'TOKEN_NEEDED', run);
  }

  private async open(id: string): Promise<OpenBatch | null> {
    const batch = await this.batches.get(id);
    return batch === null ? null : openBatch(this.parts.ring, batch);
  }
}
