/** Error if too many checks are waiting, or this one has waited too long. */
export class CheckQueueFullError extends Error {
  override readonly name = 'CheckQueueFullError';
}

export class CheckQueue {
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly limits: { readonly maxWaiting: number; readonly maxWaitMs: number }) {}

  /** Runs a check. Rejects with the reason of the signal if the client disconnects before its turn. */
  async run<Result>(signal: AbortSignal, check: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    if (this.waiting >= this.limits.maxWaiting) throw new CheckQueueFullError();
    const deadline = AbortSignal.timeout(this.limits.maxWaitMs);
    const abandoned = AbortSignal.any([signal, deadline]);
    this.waiting += 1;
    const turn = this.last.then(() => {
      this.waiting -= 1;
      abandoned.throwIfAborted();
    });
    const result = turn.then(check);
    this.last = result.catch(() => undefined);
    try {
      await unlessAborted(turn, abandoned);
    } catch (error) {
      throw signal.aborted ? error : new CheckQueueFullError();
    }
    return result;
  }
}

function unlessAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const rejectWaiting = (): void => reject(signal.reason);
    signal.addEventListener('abort', rejectWaiting, { once: true });
    turn.then(resolve, reject).finally(() => signal.removeEventListener('abort', rejectWaiting));
  });
}
