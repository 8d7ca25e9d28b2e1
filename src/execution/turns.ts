/** What large operations may do in one turn of the event loop, all together. */
const maxTurnMs = 10;
/** The clock is looked at once in so many steps. */
const stepsPerLook = 16;
/** Steps of one operation that never wait: most operations are smaller. */
const freeSteps = 100;
/** Steps of an operation whose answer takes some milliseconds to be written. */
const manySteps = 5_000;

/** The turns of the event loop, as the large operations of the process share them. */
class EventLoopTurns {
  private steps = 0;
  private startedAt: number | null = null;
  private isOver = false;
  private isScheduled = false;
  /** Operations that have work for a later turn; each in its turn does one piece of it. */
  private readonly waiting: OperationTurns[] = [];

  isUsedUp(): boolean {
    if (this.isOver) return true;
    this.steps += 1;
    if (this.steps % stepsPerLook !== 0) return false;
    const now = performance.now();
    if (this.startedAt === null) this.start(now);
    else this.isOver = now - this.startedAt > maxTurnMs;
    return this.isOver;
  }

  add(operation: OperationTurns): void {
    this.waiting.push(operation);
    this.schedule();
  }

  private start(now: number): void {
    this.startedAt = now;
    this.isOver = false;
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.run());
  }

  private run(): void {
    this.isScheduled = false;
    this.startedAt = null;
    this.isOver = false;
    if (this.waiting.length > 0) this.start(performance.now());
    for (let operation = this.waiting.shift(); operation !== undefined; operation = this.waiting.shift()) {
      if (operation.runNext()) this.waiting.push(operation);
      if (this.isUsedUp()) return;
    }
  }
}

const turns = new EventLoopTurns();

/** One operation's part in the turns: a small one never waits for a large one. */
export class OperationTurns {
  private steps = 0;
  private isRunning = false;
  /** Work that was broken off, the last of these first, and work that came to it: the order stays what it would be without turns. */
  private readonly brokenOff: (() => void)[] = [];
  private added: (() => void)[] = [];
  private next = 0;
  private readonly rest: (() => void)[] = [];
  /** Whether what comes next waits, since what comes before it does. */
  hasStopped = false;

  /** Whether what comes next is to be deferred. */
  isUsedUp(): boolean {
    this.steps += 1;
    if (this.steps > freeSteps && !this.hasStopped) this.hasStopped = turns.isUsedUp();
    return this.hasStopped;
  }

  /** Whether the operation has come to be a very large one. */
  get isLarge(): boolean {
    return this.steps > manySteps;
  }

  /** Does the work in a later turn: before all that waits, if it is the rest of what is being done. */
  defer(work: () => void): void {
    if (this.isRunning) {
      this.rest.push(work);
      return;
    }
    if (!this.hasWork) turns.add(this);
    this.added.push(work);
  }

  /** Does one piece of what waits; whether there is more. */
  runNext(): boolean {
    this.hasStopped = false;
    this.isRunning = true;
    (this.brokenOff.pop() ?? this.takeAdded())?.();
    this.isRunning = false;
    for (let work = this.rest.pop(); work !== undefined; work = this.rest.pop()) this.brokenOff.push(work);
    return this.hasWork;
  }

  private takeAdded(): (() => void) | undefined {
    const work = this.added[this.next];
    this.next += 1;
    if (this.next < this.added.length) return work;
    this.added = [];
    this.next = 0;
    return work;
  }

  private get hasWork(): boolean {
    return this.brokenOff.length > 0 || this.added.length > 0;
  }
}
