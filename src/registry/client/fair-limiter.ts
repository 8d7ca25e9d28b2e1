import { setMaxListeners } from 'node:events';

export type AcquireFailure = 'TOO_MANY_CALLS' | 'CALLER_GONE';

/** A call that can be aborted. Its signal is only read if the call has to wait. */
export interface Abortable {
  readonly signal: AbortSignal;
}

type StartCall = () => void;

interface Queue {
  running: number;
  /** Waiting calls by request. The order of the map is the order of turns. */
  readonly waiting: Map<object, StartCall[]>;
}

/** Limits the running calls of an account. Its requests take turns, so that one with many calls cannot block the others. */
export class FairLimiter {
  private readonly queues = new Map<string, Queue>();

  /** A call waits for its turn for at most `maxWaitMs`. */
  constructor(
    private limit: number,
    private readonly maxWaitMs: number,
  ) {}

  /** Sets the limit. A higher limit starts waiting calls. Under a lower limit no call starts until enough have ended. */
  setLimit(limit: number): void {
    this.limit = limit;
    for (const queue of this.queues.values()) {
      while (queue.running < limit && queue.waiting.size > 0) this.startNext(queue);
    }
  }

  /**
   * Resolves to null when the call may start, or to the reason why it will not. Returns null if it may start at once. After null the
   * caller has to `release`.
   */
  acquire(account: string, request: object, call: Abortable): Promise<AcquireFailure | null> | null {
    const queue = this.queue(account);
    if (queue.running >= this.limit) return this.wait(queue, request, call.signal);
    queue.running += 1;
    return null;
  }

  hasRoom(account: string): boolean {
    return (this.queues.get(account)?.running ?? 0) < this.limit;
  }

  release(account: string): void {
    const queue = this.queue(account);
    queue.running -= 1;
    if (queue.running < this.limit) this.startNext(queue);
    if (queue.running === 0 && queue.waiting.size === 0) this.queues.delete(account);
  }

  state(): { readonly running: number; readonly waiting: number } {
    let running = 0;
    let waiting = 0;
    for (const queue of this.queues.values()) {
      running += queue.running;
      for (const calls of queue.waiting.values()) waiting += calls.length;
    }
    return { running, waiting };
  }

  private wait(queue: Queue, request: object, signal: AbortSignal): Promise<AcquireFailure | null> {
    return new Promise((resolve) => {
      const settle = (failure: AcquireFailure | null): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        resolve(failure);
      };
      const start = (): void => {
        queue.running += 1;
        settle(null);
      };
      const leave = (failure: AcquireFailure): void => {
        remove(queue, request, start);
        settle(failure);
      };
      const onAbort = (): void => leave('CALLER_GONE');
      add(queue, request, start);
      // One request may have hundreds of calls in a queue, and Node warns at the eleventh listener.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', onAbort);
      const timer = setTimeout(() => leave('TOO_MANY_CALLS'), this.maxWaitMs);
    });
  }

  private startNext(queue: Queue): void {
    const [next] = queue.waiting;
    if (next === undefined) return;
    const [request, waiting] = next;
    const start = waiting.shift();
    queue.waiting.delete(request);
    // The request is now behind the others.
    if (waiting.length > 0) queue.waiting.set(request, waiting);
    start?.();
  }

  private queue(account: string): Queue {
    const existing = this.queues.get(account);
    if (existing !== undefined) return existing;
    const queue: Queue = { running: 0, waiting: new Map() };
    this.queues.set(account, queue);
    return queue;
  }
}

function add(queue: Queue, request: object, start: StartCall): void {
  const waiting = queue.waiting.get(request);
  if (waiting === undefined) queue.waiting.set(request, [start]);
  else waiting.push(start);
}

function remove(queue: Queue, request: object, start: StartCall): void {
  const waiting = queue.waiting.get(request) ?? [];
  const index = waiting.indexOf(start);
  if (index >= 0) waiting.splice(index, 1);
  if (waiting.length === 0) queue.waiting.delete(request);
}
