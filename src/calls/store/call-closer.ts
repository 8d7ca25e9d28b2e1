import { type Store, StoreBusyError, StoreUnavailableError } from '../../store/store';
import type { StoreHealth } from '../../store/store-health';
import type { ClosedEntry } from './entry-json';
import { closeTogether, insertEntries } from './insert-entries';
import type { Journal, Segment } from './journal';
import { readClosed } from './journal-recovery';

export interface SharedClosing {
  readonly names: readonly string[];
  readonly state: 'ANSWERED' | 'FAILED' | 'RELEASED';
  readonly answer: Buffer | null;
  /** Time until which the answer is kept, by `performance.now()`. */
  readonly until: number;
  readonly operations: readonly string[];
  /** Units that were reserved in the budget of the operation and not used. */
  readonly unused: number;
}

/** Answer that the batch of a row keeps. RELEASED: the call cost nothing, and the question may be asked again. */
export interface KeptAnswer {
  readonly name: string;
  readonly state: 'ANSWERED' | 'UNKNOWN' | 'RELEASED';
  readonly units: number;
  readonly failed: boolean;
  readonly answer: Buffer | null;
}

export interface Closing {
  readonly id: string;
  readonly accounts: readonly string[];
  readonly shared: SharedClosing | null;
  readonly batch: string | null;
  readonly kept: KeptAnswer | null;
  readonly entry: ClosedEntry | null;
}

export interface CloserOptions {
  readonly store: Store;
  readonly health: StoreHealth;
  readonly processName: string;
  readonly journal: Journal | null;
  /** Prepares the store, and recovers the entries of ended processes. Called before anything is written, until it succeeds. */
  readonly recover: (() => Promise<void>) | null;
  /** Time that entries wait, so that several are written together. If it is null, they wait for a full group or for `flush`. */
  readonly delayMs: number | null;
  readonly onLost: (count: number) => void;
}

interface QueuedClosing {
  readonly closing: Omit<Closing, 'entry'>;
  readonly entry: string | null;
  readonly segment: Segment | null;
  readonly settle: (error: StoreUnavailableError | null) => void;
}

/** The closings of one account, or of one batch. They are written in order, and do not wait for those of others. */
class Lane {
  readonly queue: QueuedClosing[] = [];
  added = 0;
  written = 0;
  running: Promise<void> | null = null;
}

const maxGroup = 500;
const maxGroupBytes = 1_000_000;
/** Maximum number of closings in memory while the store is away, without those that have an answer for a batch. Further entries wait in the journal alone, if there is one. */
const maxQueued = 10_000;
/** Maximum bytes of answers in memory. Further closings are written without their answers. */
const maxAnswerBytes = 64_000_000;
const retryMs = { first: 250, max: 2_000 };
/** Statement that tests the store. It writes a row, because a store that cannot be written may still answer readers. */
const probe = 'UPDATE ledger_calendar SET time_zone = time_zone';

/** Closes calls in the store, in groups. Retries while the store is unavailable. Responses do not wait for it. */
export class CallCloser {
  private readonly lanes = new Map<string, Lane>();
  private queued = 0;
  private queuedEntries = 0;
  private answerBytes = 0;
  /** Entries that wait in the journal and not in memory. */
  private unloaded = 0;
  private timer: NodeJS.Timeout | null = null;
  private timerMs = 0;
  private isRecovered: boolean;
  private recovering: Promise<void> | null = null;
  private failures = 0;

  constructor(private readonly options: CloserOptions) {
    this.isRecovered = options.recover === null;
    options.health.onUnavailable = () => this.schedule(retryMs.first);
    if (!this.isRecovered) this.schedule(0);
  }

  get waiting(): number {
    return this.queuedEntries + this.unloaded;
  }

  /** Adds a closing. Its entry is in the journal until it is in the store. Resolves when it is written, or at once if memory is full. */
  add({ entry, ...closing }: Closing): Promise<void> {
    const { journal, delayMs } = this.options;
    const text = entry === null ? null : JSON.stringify(entry);
    const segment = text === null ? null : (journal?.append(`=${text}\n`) ?? null);
    if (this.queued >= maxQueued && closing.kept === null && this.options.health.isUnavailable)
      return Promise.resolve(this.unload(text, segment));
    const key = `${closing.accounts[0]} ${closing.batch ?? ''}`;
    const lane = this.lanes.get(key) ?? new Lane();
    this.lanes.set(key, lane);
    const written = new Promise<void>((resolve, reject) => {
      const settle = (error: Error | null): void => (error === null ? resolve() : reject(error));
      lane.queue.push({ closing: this.withinMemory(closing), entry: text, segment, settle });
    });
    written.catch(() => undefined);
    this.queued += 1;
    if (text !== null) this.queuedEntries += 1;
    lane.added += 1;
    const isUrgent = closing.shared !== null || closing.kept !== null || lane.queue.length >= maxGroup;
    // After a failure, a retry may be running that does not write this lane.
    if (isUrgent || delayMs !== null) this.schedule(this.failures > 0 ? retryMs.max : isUrgent ? 0 : (delayMs ?? 0));
    return written;
  }

  async flush(): Promise<void> {
    await this.prepare();
    const goals = [...this.lanes.values()].map((lane) => ({ lane, goal: lane.added }));
    for (const { lane, goal } of goals) while (lane.written < goal) await this.writeLane(lane);
    if (this.unloaded > 0) await this.writeUnloaded();
  }

  /** Writes the waiting closings. Entries that are not written within `ms` stay in the journal. */
  async close(ms: number): Promise<void> {
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
    await Promise.race([this.flush().catch(() => undefined), timeout]);
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private withinMemory(closing: QueuedClosing['closing']): QueuedClosing['closing'] {
    const bytes = closing.shared?.answer?.length ?? 0;
    if (closing.shared === null || this.answerBytes + bytes > maxAnswerBytes)
      return { ...closing, shared: closing.shared && { ...closing.shared, answer: null } };
    this.answerBytes += bytes;
    return closing;
  }

  /** Keeps an entry only in the journal, because memory is full. If the journal does not have it, the entry is lost. */
  private unload(text: string | null, segment: Segment | null): void {
    if (text === null) return;
    if (segment === null || this.options.journal?.isBroken !== false) {
      this.options.onLost(1);
      return;
    }
    segment.unloadedLines += 1;
    this.unloaded += 1;
  }

  private schedule(ms: number): void {
    if (this.timer !== null) {
      if (ms >= this.timerMs) return;
      clearTimeout(this.timer);
    }
    this.timerMs = ms;
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.write();
    }, ms).unref();
  }

  /** Writes every lane. A failure is retried later. */
  private async write(): Promise<void> {
    try {
      await this.prepare();
      if (this.queued === 0 && this.options.health.isUnavailable) await this.run(() => this.options.store.query(probe));
      await Promise.all([...this.lanes.values()].map((lane) => this.writeLane(lane)));
      if (this.unloaded > 0) await this.writeUnloaded();
    } catch {
      this.schedule(Math.min(retryMs.max, retryMs.first * 2 ** Math.max(0, this.failures - 1)));
    }
  }

  private prepare(): Promise<void> {
    if (this.isRecovered) return Promise.resolve();
    this.recovering ??= this.run(async () => {
      await this.options.store.query(probe);
      await this.options.recover?.();
      this.isRecovered = true;
    }).finally(() => {
      this.recovering = null;
    });
    return this.recovering;
  }

  private writeLane(lane: Lane): Promise<void> {
    lane.running ??= this.drain(lane).finally(() => {
      lane.running = null;
      if (lane.queue.length === 0) for (const [key, other] of this.lanes) if (other === lane) this.lanes.delete(key);
    });
    return lane.running;
  }

  private async drain(lane: Lane): Promise<void> {
    while (lane.queue.length > 0) {
      const group = takeGroup(lane.queue);
      const lost = await this.run(() => this.writeGroup(group));
      const entriesLost = lost.filter(({ entry }) => entry !== null).length;
      if (entriesLost > 0) this.options.onLost(entriesLost);
      lane.queue.splice(0, group.length);
      lane.written += group.length;
      this.queued -= group.length;
      const rejection = new StoreUnavailableError('The store rejected the answer.');
      for (const item of group) {
        if (item.entry !== null) this.queuedEntries -= 1;
        if (item.segment !== null) this.options.journal?.release(item.segment);
        this.answerBytes -= item.closing.shared?.answer?.length ?? 0;
        item.settle(lost.includes(item) ? rejection : null);
      }
    }
  }

  private writeGroup(group: readonly QueuedClosing[]): Promise<readonly QueuedClosing[]> {
    const { store, processName } = this.options;
    const { accounts = [], batch = null } = group[0]?.closing ?? {};
    return closeTogether({ store, processName, accounts, batch }, group, toJson);
  }

  private async writeUnloaded(): Promise<void> {
    const { store, processName, onLost, journal } = this.options;
    for (const segment of journal?.unloadedSegments() ?? []) {
      const count = segment.unloadedLines;
      const lost = await this.run(() => insertEntries(store, processName, readClosed(segment.file)));
      if (lost > 0) onLost(lost);
      segment.unloadedLines = 0;
      this.unloaded -= count;
      journal?.release(segment, count);
    }
  }

  private async run<Result>(statement: () => Promise<Result>): Promise<Result> {
    try {
      const result = await statement();
      this.failures = 0;
      this.options.health.recordWrite();
      return result;
    } catch (error) {
      // The message of any other error may quote a row, so it is not reported.
      const failure =
        error instanceof StoreUnavailableError ? error : new StoreUnavailableError('The ledger cannot be written.');
      if (!(failure instanceof StoreBusyError)) this.failures += 1;
      this.options.health.recordFailure(failure);
      throw failure;
    }
  }
}

function takeGroup(queue: readonly QueuedClosing[]): readonly QueuedClosing[] {
  let bytes = 0;
  let count = 0;
  while (count < Math.min(maxGroup, queue.length) && (count === 0 || bytes < maxGroupBytes)) {
    const { shared, kept } = queue[count]?.closing ?? {};
    bytes += (shared?.answer?.length ?? 0) + (kept?.answer?.length ?? 0);
    count += 1;
  }
  return queue.slice(0, count);
}

function toJson({ closing: { id, shared, kept }, entry }: QueuedClosing): string {
  const valid = shared === null ? 0 : shared.until - performance.now();
  // An expired answer only ends the wait of others.
  const state = shared?.state === 'ANSWERED' && valid <= 0 ? 'FAILED' : shared?.state;
  const rest = {
    id,
    ...(shared === null ? {} : { ...shared, state, valid: Math.max(0, valid), answer: base64(shared.answer) }),
    ...(kept === null ? {} : { kept: { ...kept, answer: base64(kept.answer) } }),
  };
  return entry === null ? JSON.stringify(rest) : `${JSON.stringify(rest).slice(0, -1)},"entry":${entry}}`;
}

const base64 = (bytes: Buffer | null): string | null => bytes?.toString('base64') ?? null;
