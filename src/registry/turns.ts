import { setMaxListeners } from 'node:events';
import type { Deadline } from './deadline';

/** Why no turn came. */
export type NoTurn = 'DEADLINE' | 'CALLER_GONE';

interface Waiting {
  /** False when it is too late for this one: the turn is another's. */
  start(): boolean;
}

interface Line {
  running: number;
  /** Who waits, by request; the Map's order is the order of turns. */
  readonly waiting: Map<object, Waiting[]>;
}

/** Lines are kept when nobody is in them, up to so many: made anew for each request, they would be garbage that lives on. */
const mostLines = 1_000;

/** Bounds the calls under way per account; the requests of one account take turns, so that a wide one cannot starve a small one. */
export class Turns {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly limit: number) {}

  /** Resolves when the call may start (null) or with the reason why it never will. Whoever gets null must `release`. */
  take(
    account: string,
    request: object,
    deadline: Deadline,
    signal: AbortSignal,
  ): Promise<NoTurn | null> | NoTurn | null {
    if (signal.aborted) return 'CALLER_GONE';
    const line = this.line(account);
    if (line.running < this.limit) {
      line.running += 1;
      return null;
    }
    return new Promise((resolve) => this.wait(line, request, deadline, signal, resolve));
  }

  release(account: string): void {
    const line = this.line(account);
    line.running -= 1;
    this.startNext(line);
    if (this.lines.size > mostLines && isIdle(line)) this.lines.delete(account);
  }

  state(): { readonly running: number; readonly waiting: number } {
    let running = 0;
    let waiting = 0;
    for (const line of this.lines.values()) {
      running += line.running;
      for (const queue of line.waiting.values()) waiting += queue.length;
    }
    return { running, waiting };
  }

  private wait(
    line: Line,
    request: object,
    deadline: Deadline,
    signal: AbortSignal,
    resolve: (reason: NoTurn | null) => void,
  ) {
    const settle = (reason: NoTurn | null): void => {
      deadline.whenExpired(null);
      signal.removeEventListener('abort', leave);
      resolve(reason);
    };
    const entry: Waiting = {
      start: () => {
        const inTime = deadline.allows(0);
        if (inTime) line.running += 1;
        settle(inTime ? null : 'DEADLINE');
        return inTime;
      },
    };
    const drop = (reason: NoTurn): void => {
      const queue = line.waiting.get(request) ?? [];
      const index = queue.indexOf(entry);
      if (index >= 0) queue.splice(index, 1);
      if (queue.length === 0) line.waiting.delete(request);
      settle(reason);
    };
    const leave = (): void => drop('CALLER_GONE');
    const queue = line.waiting.get(request);
    if (queue === undefined) line.waiting.set(request, [entry]);
    else queue.push(entry);
    // One request may have hundreds of calls in a queue, and Node warns of an eleventh listener.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', leave);
    deadline.whenExpired(() => drop('DEADLINE'));
  }

  private startNext(line: Line): void {
    for (const [request, queue] of line.waiting) {
      const entry = queue.shift();
      line.waiting.delete(request);
      // Behind the others: the loop comes back to it as long as no one starts.
      if (queue.length > 0) line.waiting.set(request, queue);
      if (entry?.start()) return;
    }
  }

  private line(account: string): Line {
    const known = this.lines.get(account);
    if (known !== undefined) return known;
    if (this.lines.size >= mostLines) this.dropOldestIdle();
    const line: Line = { running: 0, waiting: new Map() };
    this.lines.set(account, line);
    return line;
  }

  private dropOldestIdle(): void {
    for (const [account, line] of this.lines) {
      if (isIdle(line)) return void this.lines.delete(account);
    }
  }
}

const isIdle = ({ running, waiting }: Line): boolean => running === 0 && waiting.size === 0;
