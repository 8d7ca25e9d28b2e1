import { type Store, StoreUnavailableError } from '../store/store';
import { EntryBatch } from './entry-batch';
import type { Journal, Segment } from './journal';
import { insertClosed } from './journal-recovery';
import { addEntries } from './rows/insert-entries';

/** Told when the way to the store changes; nothing in it is of a person. */
export interface WriterObserver {
  /** `reason` holds no secret. */
  storeUnavailable(reason: string): void;
  storeAvailable(): void;
  /** Entries that no store takes, or that nothing could hold. */
  entriesLost(count: number): void;
}

export interface WriterOptions {
  readonly store: Store;
  readonly processName: string;
  /** Null: what waits goes with the process, as the store does. */
  readonly journal: Journal | null;
  /** Brings in what was left behind; before anything else, and again until it succeeds. */
  readonly recover: (() => Promise<void>) | null;
  /** How long an entry waits for company; null: until somebody looks, or many wait. */
  readonly delayMs: number | null;
  readonly observer: WriterObserver;
}

const rowsAtOnce = 1_000;
/** What waits in memory; with a journal the rest waits there. */
const maxWaiting = 10_000;
const retryMs = { first: 250, longest: 5_000 };

/** Brings entries to the store behind the calls: in company, in order, and again for as long as the store is away. */
export class EntryWriter {
  /** The last of them takes what comes. */
  private batches: EntryBatch[] = [];
  private inFlight: EntryBatch | null = null;
  private queued = 0;
  private added = 0;
  private stored = 0;
  private spilled = 0;
  private step: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private timerMs = 0;
  private isRecovered: boolean;
  private failures = 0;

  constructor(private readonly options: WriterOptions) {
    this.isRecovered = options.recover === null;
    if (!this.isRecovered) this.schedule(0);
  }

  /** Whether the store did not answer when it was last tried. */
  get isAway(): boolean {
    return this.failures > 0;
  }

  /** Entries that are not in the store yet. */
  get waiting(): number {
    return this.queued + this.spilled;
  }

  add(text: string, segment: Segment | null): void {
    if (this.queued >= maxWaiting) {
      this.spill(segment);
      return;
    }
    this.openBatch().add(text, segment);
    this.queued += 1;
    this.added += 1;
    // A step that is under way sees to it at its end.
    if (!this.isAway && this.step === null) this.scheduleNext();
  }

  /** Until everything that was added is in the store. Rejects with `StoreUnavailableError` where it is away. */
  async flush(): Promise<void> {
    const goal = this.added;
    while (this.stored < goal || this.spilled > 0 || !this.isRecovered) await this.write();
  }

  /** What cannot be written in this time stays in the journal. */
  async close(ms: number): Promise<void> {
    const timer = new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
    await Promise.race([this.flush().catch(() => undefined), timer]);
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private openBatch(): EntryBatch {
    const last = this.batches.at(-1);
    if (last !== undefined && last.count < rowsAtOnce && last !== this.inFlight) return last;
    const batch = new EntryBatch();
    this.batches.push(batch);
    return batch;
  }

  /** In the journal it stands anyway; without one nothing holds it. */
  private spill(segment: Segment | null): void {
    if (segment === null || this.options.journal === null || this.options.journal.isBroken) {
      this.options.observer.entriesLost(1);
      return;
    }
    segment.spilled += 1;
    this.spilled += 1;
  }

  /** A statement costs as much as many of its rows: entries wait for company. */
  private scheduleNext(): void {
    const { delayMs } = this.options;
    const isFull = this.queued >= rowsAtOnce || this.spilled > 0 || !this.isRecovered;
    if (isFull) this.schedule(0);
    else if (delayMs !== null && this.queued > 0) this.schedule(delayMs);
  }

  private schedule(ms: number): void {
    if (this.timer !== null) {
      if (ms >= this.timerMs) return;
      clearTimeout(this.timer);
    }
    this.timerMs = ms;
    this.timer = setTimeout(() => {
      this.timer = null;
      const hasWork = this.waiting > 0 || !this.isRecovered || this.isAway;
      if (hasWork) this.write().catch(() => undefined);
    }, ms);
    this.timer.unref();
  }

  /** One step at a time: whoever comes meanwhile waits for that. */
  private write(): Promise<void> {
    this.step ??= this.writeStep()
      .then(
        () => this.recordSuccess(),
        (error: unknown) => this.recordFailure(error),
      )
      .finally(() => {
        this.step = null;
        if (!this.isAway) this.scheduleNext();
      });
    return this.step;
  }

  private async writeStep(): Promise<void> {
    const { store, recover } = this.options;
    if (!this.isRecovered) {
      // There may be nothing to bring in, and the store be away all the same.
      await store.query('SELECT 1');
      await recover?.();
      this.isRecovered = true;
    } else if (this.queued > 0) await this.writeBatch();
    else if (this.spilled > 0) await this.writeSpilled();
    else await store.query('SELECT 1');
  }

  /** What is sent again after a failure is the same batch: it takes no more meanwhile. */
  private async writeBatch(): Promise<void> {
    const { store, processName, observer, journal } = this.options;
    const [batch] = this.batches;
    if (batch === undefined) return;
    this.inFlight = batch;
    const lost = await addEntries(store, batch, processName);
    if (lost > 0) observer.entriesLost(lost);
    this.batches.shift();
    this.queued -= batch.count;
    this.stored += batch.count;
    for (const [segment, count] of batch.segments) journal?.release(segment, count);
  }

  private async writeSpilled(): Promise<void> {
    const { store, processName, observer, journal } = this.options;
    for (const segment of journal?.takeSpilled() ?? []) {
      const count = segment.spilled;
      const lost = await insertClosed(segment.file, store, processName);
      if (lost > 0) observer.entriesLost(lost);
      segment.spilled = 0;
      this.spilled -= count;
      journal?.release(segment, count);
    }
  }

  private recordSuccess(): void {
    if (this.failures > 0) this.options.observer.storeAvailable();
    this.failures = 0;
  }

  private recordFailure(error: unknown): never {
    // The words of any other error may quote a row.
    const away =
      error instanceof StoreUnavailableError ? error : new StoreUnavailableError('The ledger cannot be written.');
    if (this.failures === 0) this.options.observer.storeUnavailable(away.message);
    this.failures += 1;
    this.schedule(Math.min(retryMs.longest, retryMs.first * 2 ** (this.failures - 1)));
    throw away;
  }
}
