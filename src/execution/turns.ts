/** What large operations may do in one turn of the event loop. */
const maxTurnMs = 10;
/** The clock is looked at once in so many steps. */
const stepsPerLook = 16;
/** Steps of one operation that never wait: most operations are smaller. */
const freeSteps = 100;
/** Steps of an operation whose answer takes some milliseconds to be written. */
const manySteps = 5_000;

/** Large work of the whole process, of which only so much is done in one turn of the event loop: the rest waits for the next one. */
class EventLoopTurns {
  private steps = 0;
  private startedAt: number | null = null;
  private isOver = false;
  private isScheduled = false;
  private waiting: (() => void)[] = [];
  private next = 0;

  /** Whether what comes next should wait. */
  isUsedUp(): boolean {
    if (this.isOver) return true;
    this.steps += 1;
    if (this.steps % stepsPerLook !== 0) return false;
    const now = performance.now();
    if (this.startedAt === null) this.start(now);
    else this.isOver = now - this.startedAt > maxTurnMs;
    return this.isOver;
  }

  /** Does the work in a later turn, in the order of the calls. */
  defer(work: () => void): void {
    this.waiting.push(work);
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
    if (this.waiting.length === 0) return;
    this.start(performance.now());
    for (let work = this.waiting[this.next]; work !== undefined; work = this.waiting[this.next]) {
      this.next += 1;
      work();
      if (this.isUsedUp()) return;
    }
    this.waiting = [];
    this.next = 0;
  }
}

const turns = new EventLoopTurns();

/** The part of one operation in the turns: a small one never waits for a large one. */
export class OperationTurns {
  private steps = 0;

  isUsedUp(): boolean {
    this.steps += 1;
    return this.steps > freeSteps && turns.isUsedUp();
  }

  /** Whether the operation has come to be a very large one. */
  get isLarge(): boolean {
    return this.steps > manySteps;
  }

  defer(work: () => void): void {
    turns.defer(work);
  }
}
