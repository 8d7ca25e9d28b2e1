import { retryUntilAvailable } from '../../store/statement-batcher';
import { StatementError, type Store, StoreBusyError, type StoreHealth, StoreUnavailableError } from '../../store/store';
import { times } from '../../times';
import type { BudgetLeft } from '../budgets/stored-budgets';
import { type ClosedEntry, unansweredEntry } from '../entries/entry-json';
import { accountsOf, type ReusableAnswer } from './call-opener';
import { within } from './call-waits';

export interface SharedClosing {
  readonly names: readonly string[];
  readonly state: 'ANSWERED' | 'FAILED' | 'RELEASED';
  readonly answer: Buffer | null;
  /** Time until which an ANSWERED call is replayed, by `performance.now()`. */
  readonly until: number;
  readonly operations: readonly string[];
  /** Units that were reserved in the budget of the operation and not used. */
  readonly unused: number;
  /** Where the answer is kept for later requests. Null if it was not charged, or may not be replayed. */
  readonly reuse: ReusableAnswer | null;
}

/** Answer that an operation keeps. RELEASED: none is kept, and the question may be asked again. */
export interface KeptAnswer {
  readonly name: string;
  readonly state: 'ANSWERED' | 'UNKNOWN' | 'RELEASED';
  readonly answer: Buffer | null;
}

export interface Closing {
  readonly id: string;
  readonly accounts: readonly string[];
  readonly shared: SharedClosing | null;
  /** The operation that lasts, and the units that an answer of it saved. */
  readonly operation: string | null;
  readonly saved: number;
  readonly kept: KeptAnswer | null;
  readonly entry: ClosedEntry | null;
}

export interface CloserOptions {
  readonly store: Store;
  readonly health: StoreHealth;
  readonly processName: string;
  readonly onLost: (count: number) => void;
  readonly onBudgets: (budgets: readonly BudgetLeft[]) => void;
}

interface QueuedClosing {
  readonly closing: Closing;
  readonly settle: () => void;
  isWritten: boolean;
}

/** Closings that are written in order, and do not wait for those of other lanes: of an operation, of an account whose rows are locked, or of all others. */
class Lane {
  queue: QueuedClosing[] = [];
  running: Promise<void> | null = null;

  constructor(readonly key: string) {}
}

const maxGroup = 500;
const maxGroupBytes = 1_000_000;
/** Maximum closings in memory while the store is unavailable. Further closings of replays and of unsent calls are lost, those of sent calls never. */
const maxQueued = 10_000;
/** Maximum bytes of answers in memory. Further closings are written without their answers. */
const maxAnswerBytes = 64_000_000;
/** Milliseconds that the store keeps an answer which only those get that wait for it. */
const awaitedMs = 3_000;
const closeSql = 'SELECT call_close($1, $2, $3, $4::json, $5) AS budgets';
const common = 'common';

/** Closes calls in the store, in groups. Retries while the store is unavailable. Responses do not wait for it. */
export class CallCloser {
  private readonly lanes = new Map<string, Lane>();
  private answerBytes = 0;
  private timer: NodeJS.Timeout | null = null;
  private timerMs = 0;
  private failures = 0;
  private readonly expected = new Set<Promise<void>>();
  /** Number of closings that are not written yet. */
  waiting = 0;

  constructor(private readonly options: CloserOptions) {}

  /** Adds a closing. Resolves when it is written or rejected by the store, or at once if memory is full. */
  add(closing: Closing): Promise<void> {
    const isCall = closing.shared !== null || closing.kept !== null;
    const isSent = isCall && closing.entry?.outcome !== 'RELEASED';
    if (!isSent && this.waiting >= maxQueued && this.options.health.isUnavailable) {
      this.options.onLost(1);
      return Promise.resolve();
    }
    const lane = this.laneOf(closing);
    const written = new Promise<void>((settle) => {
      lane.queue.push({ closing: this.withinMemory(closing), settle, isWritten: false });
    });
    this.waiting += 1;
    const isUrgent = isCall || lane.queue.length >= maxGroup;
    // After a failure, a retry may be running that does not write this lane.
    this.schedule(this.failures > 0 ? times.closingRetry.max : isUrgent ? 0 : times.closingDelay);
    return written;
  }

  /** Waits at the end for `added`, which adds a closing when the store has replied, or writes something else. */
  expect(added: Promise<void>): void {
    this.expected.add(added);
    void added.then(() => this.expected.delete(added));
  }

  /** Writes the closings that wait now. */
  async flush(): Promise<void> {
    const queued = [...this.lanes.values()].flatMap(({ queue }) => queue);
    while (queued.some(({ isWritten }) => !isWritten)) await this.writeLanes();
  }

  /** Writes the waiting and the expected closings, and retries for `ms`. The entries of those that are not written then become UNKNOWN. */
  async close(ms: number): Promise<void> {
    const signal = AbortSignal.timeout(ms);
    const write = (): Promise<void> => retryUntilAvailable(() => this.flush(), signal);
    const written = Promise.all([write(), ...this.expected]).then(write);
    await within({ signal, maxMs: ms }, written).catch(() => undefined);
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private withinMemory(closing: Closing): Closing {
    const bytes = closing.shared?.answer?.length ?? 0;
    if (closing.shared === null || this.answerBytes + bytes > maxAnswerBytes)
      return { ...closing, shared: closing.shared && { ...closing.shared, answer: null } };
    this.answerBytes += bytes;
    return closing;
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
      await this.writeLanes();
    } catch {
      const { first, max } = times.closingRetry;
      this.schedule(Math.min(max, first * 2 ** Math.max(0, this.failures - 1)));
    }
  }

  /** Writes every lane. Rejects if one fails, when all have ended. */
  private async writeLanes(): Promise<void> {
    const lanes = await Promise.allSettled([...this.lanes.values()].map((lane) => this.writeLane(lane)));
    for (const result of lanes) if (result.status === 'rejected') throw result.reason;
  }

  private laneOf({ accounts: [account = ''], operation }: Closing): Lane {
    if (operation !== null) return this.openLane(`${account} ${operation}`);
    return this.lanes.get(account) ?? this.openLane(common);
  }

  private openLane(key: string): Lane {
    const lane = this.lanes.get(key) ?? new Lane(key);
    this.lanes.set(key, lane);
    return lane;
  }

  private writeLane(lane: Lane): Promise<void> {
    lane.running ??= this.drain(lane).finally(() => {
      lane.running = null;
      if (lane.queue.length === 0) this.lanes.delete(lane.key);
    });
    return lane.running;
  }

  private async drain(lane: Lane): Promise<void> {
    while (lane.queue.length > 0) {
      const group = takeGroup(lane.queue);
      let lost: readonly Closing[];
      try {
        lost = await this.run(() => this.writeGroup(group.map(({ closing }) => closing)));
      } catch (error) {
        if (lane.key === common && error instanceof StoreBusyError) this.divide(lane);
        throw error;
      }
      if (lost.length > 0) this.options.onLost(lost.length);
      lane.queue.splice(0, group.length);
      this.waiting -= group.length;
      for (const item of group) {
        item.isWritten = true;
        this.answerBytes -= item.closing.shared?.answer?.length ?? 0;
        item.settle();
      }
    }
  }

  /** Gives each account its own lane until it is written, because the rows of one of them are locked. */
  private divide(lane: Lane): void {
    for (const item of lane.queue) this.openLane(item.closing.accounts[0] ?? '').queue.push(item);
    lane.queue = [];
    this.schedule(0);
  }

  /**
   * Closes calls in one statement. If the store rejects it, each half is tried separately, so that only the closings at fault are lost.
   * Returns these.
   */
  private async writeGroup(group: readonly Closing[]): Promise<readonly Closing[]> {
    const [first] = group;
    if (first === undefined) return [];
    try {
      await this.writeTogether([first, ...group.slice(1)]);
      return [];
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
    }
    if (group.length > 1) {
      const middle = Math.ceil(group.length / 2);
      return [...(await this.writeGroup(group.slice(0, middle))), ...(await this.writeGroup(group.slice(middle)))];
    }
    if (first.shared !== null) await this.writeUnanswered(first);
    return group;
  }

  /** Ends a call whose answer or entry cannot be stored, as one that may have been charged. */
  private async writeUnanswered(closing: Closing): Promise<void> {
    try {
      await this.writeTogether([toUnanswered(closing)]);
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
    }
  }

  private async writeTogether(closings: readonly [Closing, ...Closing[]]): Promise<void> {
    const { store, processName, onBudgets } = this.options;
    const [{ operation }] = closings;
    const hasReuse = closings.some(({ shared }) => (shared?.reuse ?? null) !== null);
    const parameters = [processName, accountsOf(closings), operation, JSON.stringify(closings.map(toJson)), hasReuse];
    const [row] = await store.query<{ readonly budgets: readonly BudgetLeft[] | null }>(closeSql, parameters);
    onBudgets(row?.budgets ?? []);
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

function toUnanswered({ shared, kept, entry, ...closing }: Closing): Closing {
  return {
    ...closing,
    shared:
      shared?.state === 'ANSWERED'
        ? { ...shared, state: 'FAILED', answer: null }
        : shared && { ...shared, answer: null },
    kept: kept === null || kept.state === 'RELEASED' ? kept : { ...kept, state: 'UNKNOWN', answer: null },
    entry: entry === null || entry.outcome === 'RELEASED' ? entry : { ...unansweredEntry(entry), subjects: [] },
  };
}

function toJson({ id, shared, kept, entry, saved }: Closing): object {
  const left = shared === null ? 0 : shared.until - performance.now();
  // If it has expired meanwhile, the answer of a call is only for those who wait for it.
  const expired = entry === null ? 'RELEASED' : 'FAILED';
  const state = shared?.state === 'ANSWERED' && left <= 0 ? expired : shared?.state;
  const valid = state === 'ANSWERED' ? left : awaitedMs;
  return {
    id,
    ...(shared === null ? {} : { ...shared, state, valid, answer: base64(shared.answer) }),
    ...(kept === null ? {} : { kept: { ...kept, answer: base64(kept.answer) } }),
    ...(entry === null ? {} : { entry }),
    ...(saved === 0 ? {} : { saved }),
  };
}

const base64 = (bytes: Buffer | null): string | null => bytes?.toString('base64') ?? null;
