import { type Store, StoreUnavailableError } from '../../store/store';
import type { ClosedEntry } from './entry-json';
import { insertEntries } from './insert-entries';
import type { Journal, Segment } from './journal';
import { insertClosed } from './journal-recovery';
import type { StoreHealth } from './store-health';

export interface WriterOptions {
  readonly store: Store;
  readonly health: StoreHealth;
  readonly processName: string;
  readonly journal: Journal | null;
  /** Recovers the entries of ended processes. The writer calls it before it writes anything else, and retries until it succeeds. */
  readonly recover: (() => Promise<void>) | null;
  /** Time that an entry waits, so that several are written together. If it is null, entries wait for a full batch or for `flush`. */
  readonly delayMs: number | null;
  readonly onLost: (count: number) => void;
}

interface QueuedEntry {
  readonly text: string;
  readonly segment: Segment | null;
}

const maxBatchRows = 1_000;
/** Maximum number of entries in memory. Further entries wait in the journal alone, if there is one. */
const maxQueued = 10_000;
const retryMs = { first: 250, max: 2_000 };
/** Statement that tests the store. It writes a row, because a store that cannot be written may still answer readers. */
const probe = 'UPDATE ledger_calendar SET time_zone = time_zone';

/** Writes closed entries to the store, in batches and in order. Retries while the store is unavailable. Calls do not wait for it. */
export class EntryWriter {
  private readonly queue: QueuedEntry[] = [];
  private added = 0;
  private stored = 0;
  /** Entries that wait in the journal and not in memory. */
  private unloaded = 0;
  private running: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private timerMs = 0;
  private isRecovered: boolean;
  private failures = 0;

  constructor(private readonly options: WriterOptions) {
    this.isRecovered = options.recover === null;
    options.health.onUnavailable = () => this.schedule(retryMs.first);
    if (!this.isRecovered) this.schedule(0);
  }

  get waiting(): number {
    return this.queue.length + this.unloaded;
  }

  /** Adds a closed entry. It is in the journal until it is in the store. */
  add(entry: ClosedEntry): void {
    const text = JSON.stringify(entry);
    const segment = this.options.journal?.append(`=${text}\n`) ?? null;
    if (this.queue.length >= maxQueued) {
      this.unload(segment);
      return;
    }
    this.queue.push({ text, segment });
    this.added += 1;
    // A running write schedules the next one when it ends.
    if (this.failures === 0 && this.running === null) this.scheduleNext();
  }

  async flush(): Promise<void> {
    const goal = this.added;
    while (this.stored < goal || this.unloaded > 0 || !this.isRecovered) await this.write();
  }

  /** Writes the waiting entries. Entries that are not written within `ms` stay in the journal. */
  async close(ms: number): Promise<void> {
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
    await Promise.race([this.flush().catch(() => undefined), timeout]);
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Keeps an entry only in the journal, because memory is full. If the journal does not have it, the entry is lost. */
  private unload(segment: Segment | null): void {
    if (segment === null || this.options.journal?.isBroken !== false) {
      this.options.onLost(1);
      return;
    }
    segment.unloadedLines += 1;
    this.unloaded += 1;
  }

  private scheduleNext(): void {
    const { delayMs } = this.options;
    const isDue = this.queue.length >= maxBatchRows || this.unloaded > 0 || !this.isRecovered;
    if (isDue) this.schedule(0);
    else if (delayMs !== null && this.queue.length > 0) this.schedule(delayMs);
  }

  private schedule(ms: number): void {
    if (this.timer !== null) {
      if (ms >= this.timerMs) return;
      clearTimeout(this.timer);
    }
    this.timerMs = ms;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.write().catch(() => undefined);
    }, ms);
    this.timer.unref();
  }

  private write(): Promise<void> {
    this.running ??= this.writeNext()
      .then(
        () => this.recordSuccess(),
        (error: unknown) => this.recordFailure(error),
      )
      .finally(() => {
        this.running = null;
        if (this.failures === 0) this.scheduleNext();
      });
    return this.running;
  }

  private async writeNext(): Promise<void> {
    const { store, recover } = this.options;
    if (!this.isRecovered) {
      await store.query(probe);
      await recover?.();
      this.isRecovered = true;
    } else if (this.queue.length > 0) await this.writeQueued();
    else if (this.unloaded > 0) await this.writeUnloaded();
    else await store.query(probe);
  }

  private async writeQueued(): Promise<void> {
    const { store, processName, onLost, journal } = this.options;
    const entries = this.queue.slice(0, maxBatchRows);
    const texts = entries.map(({ text }) => text);
    const lost = await insertEntries(store, texts, processName);
    if (lost > 0) onLost(lost);
    this.queue.splice(0, entries.length);
    this.stored += entries.length;
    for (const { segment } of entries) if (segment !== null) journal?.release(segment);
  }

  private async writeUnloaded(): Promise<void> {
    const { store, processName, onLost, journal } = this.options;
    for (const segment of journal?.unloadedSegments() ?? []) {
      const count = segment.unloadedLines;
      const lost = await insertClosed(segment.file, store, processName);
      if (lost > 0) onLost(lost);
      segment.unloadedLines = 0;
      this.unloaded -= count;
      journal?.release(segment, count);
    }
  }

  private recordSuccess(): void {
    this.failures = 0;
    this.options.health.recordWrite();
  }

  private recordFailure(error: unknown): never {
    // The message of any other error may quote a row, so it is not reported.
    const failure =
      error instanceof StoreUnavailableError ? error : new StoreUnavailableError('The ledger cannot be written.');
    this.failures += 1;
    this.options.health.recordFailure(failure);
    this.schedule(Math.min(retryMs.max, retryMs.first * 2 ** (this.failures - 1)));
    throw failure;
  }
}
