import { retryUntilAvailable } from '../../../store/statement-batcher';
import {
  StatementError,
  type Store,
  StoreBusyError,
  type StoreHealth,
  StoreUnavailableError,
} from '../../../store/store';
import { times } from '../../../times';
import type { BudgetLeft } from '../../ledger/budgets/stored-budgets';
import type { ClosedEntry } from '../../ledger/entries/entry-json';
import { accountsOf } from './call-opener';
import { within } from './call-waits';
import { answerBytesOf, base64, type Closing, isToBeKept, toJson, toUnanswered } from './closing';

export interface CloserOptions {
  readonly store: Store;
  readonly health: StoreHealth;
  readonly processName: string;
  readonly onEntry: (entry: ClosedEntry) => void;
  readonly onLost: (count: number) => void;
  /** Receives the number of answers that were to be kept for later requests, and are not. */
  readonly onUnkept: (count: number) => void;
  readonly onBudgets: (budgets: readonly BudgetLeft[]) => void;
}

interface QueuedClosing {
  readonly closing: Closing;
  readonly settle: (isKept: boolean) => void;
  isWritten: boolean;
  isKept: boolean;
}

interface CloseReply {
  readonly budgets: readonly BudgetLeft[] | null;
  readonly kept: readonly string[] | null;
}

/** Closings that are written in order, and do not wait for those of other lanes: of an operation, of an account whose rows are locked, or of all others. */
class Lane {
  queue: QueuedClosing[] = [];
  running: Promise<void> | null = null;

  constructor(readonly key: string) {}
}

const maxGroup = 500;
const maxGroupBytes = 1_000_000;
/** The same for a group that ends with answers of early responses. */
const maxEarlyBytes = 4_000_000;
/** Maximum closings in memory while the store is unavailable. Further closings of replays and of unsent calls are lost, those of sent calls never. */
const maxQueued = 10_000;
/** Bytes of answers in memory above which no further call is opened. Those of the calls that run then are added. */
const maxAnswerBytes = 64_000_000;
const closeSql = 'SELECT * FROM call_close($1, $2, $3, $4::json, $5)';
const common = 'common';

/** Closes calls in the store, in groups. Retries while the store is unavailable. Responses do not wait for it. */
export class CallCloser {
  private readonly lanes = new Map<string, Lane>();
  private answerBytes = 0;
  private readonly waitingForRoom: (() => void)[] = [];
  private timer: NodeJS.Timeout | null = null;
  private timerMs = 0;
  private failures = 0;
  private readonly expected = new Set<Promise<void>>();
  /** Number of closings that are not written yet. */
  waiting = 0;

  constructor(private readonly options: CloserOptions) {}

  /**
   * Adds a closing. Resolves when it is written or rejected by the store, or at once if memory is full: whether its answer is kept for later
   * requests.
   */
  add(closing: Closing): Promise<boolean> {
    if (closing.entry !== null) this.options.onEntry(closing.entry);
    const isCall = closing.shared !== null || closing.kept !== null;
    const isSent = isCall && closing.entry?.outcome !== 'RELEASED';
    if (!isSent && this.waiting >= maxQueued && this.options.health.isUnavailable) {
      this.options.onLost(1);
      return Promise.resolve(false);
    }
    const lane = this.laneOf(closing);
    const written = new Promise<boolean>((settle) => {
      lane.queue.push({ closing, settle, isWritten: false, isKept: false });
    });
    this.answerBytes += answerBytesOf(closing);
    this.waiting += 1;
    const isUrgent = isCall || lane.queue.length >= maxGroup;
    // After a failure, a retry may be running that does not write this lane.
    this.schedule(this.failures > 0 ? times.closingRetry.max : isUrgent ? 0 : times.closingDelay);
    return written;
  }

  /** Whether so many bytes of answers wait that calls should not be opened. */
  get isFull(): boolean {
    return this.answerBytes >= maxAnswerBytes;
  }

  room(): Promise<void> {
    return this.isFull ? new Promise((resolve) => this.waitingForRoom.push(resolve)) : Promise.resolve();
  }

  /** Waits at the end for `added`, which adds a closing when the store has replied, or writes something else. */
  expect(added: Promise<void>): void {
    this.expected.add(added);
    void added.then(() => this.expected.delete(added));
  }

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
      let lost: readonly QueuedClosing[];
      try {
        lost = await this.run(() => this.writeGroup(group));
      } catch (error) {
        if (lane.key === common && error instanceof StoreBusyError) this.divide(lane);
        throw error;
      }
      if (lost.length > 0) this.options.onLost(lost.length);
      const unkept = group.filter(({ closing, isKept }) => isToBeKept(closing) && !isKept);
      if (unkept.length > 0) this.options.onUnkept(unkept.length);
      lane.queue.splice(0, group.length);
      this.waiting -= group.length;
      for (const item of group) {
        item.isWritten = true;
        this.answerBytes -= answerBytesOf(item.closing);
        item.settle(item.isKept);
      }
      if (!this.isFull) for (const resolve of this.waitingForRoom.splice(0)) resolve();
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
  private async writeGroup(group: readonly QueuedClosing[]): Promise<readonly QueuedClosing[]> {
    const [first] = group;
    if (first === undefined) return [];
    try {
      const kept = await this.writeTogether(group.map(({ closing }) => closing));
      for (const item of group) item.isKept = kept.includes(item.closing.id);
      return [];
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
    }
    if (group.length > 1) {
      const middle = Math.ceil(group.length / 2);
      return [...(await this.writeGroup(group.slice(0, middle))), ...(await this.writeGroup(group.slice(middle)))];
    }
    if (first.closing.shared !== null) await this.writeUnanswered(first.closing);
    return group;
  }

  private async writeUnanswered(closing: Closing): Promise<void> {
    try {
      await this.writeTogether([toUnanswered(closing)]);
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
    }
  }

  /** Returns the calls whose answers are kept for later requests. */
  private async writeTogether(closings: readonly Closing[]): Promise<readonly string[]> {
    const { store, processName, onBudgets } = this.options;
    const [{ operation }] = closings as readonly [Closing];
    // Beside the rest, which the statement reads several times.
    const answers = closings.map(({ shared }) => base64(shared?.answer ?? null));
    const parameters = [processName, accountsOf(closings), operation, JSON.stringify(closings.map(toJson)), answers];
    const [row] = await store.query<CloseReply>(closeSql, parameters);
    onBudgets(row?.budgets ?? []);
    return row?.kept ?? [];
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
  // The answer of an early response, which has no entry, is there as soon as its call has ended.
  const isEarly = (index: number): boolean => queue[index]?.closing.entry === null;
  while (
    count < Math.min(maxGroup, queue.length) &&
    (count === 0 || bytes < (isEarly(count) ? maxEarlyBytes : maxGroupBytes))
  ) {
    bytes += answerBytesOf(queue[count]?.closing);
    count += 1;
  }
  return queue.slice(0, count);
}
