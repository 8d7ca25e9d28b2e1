/** Milliseconds between polls, in case a message is lost. */
const pollMs = 400;

/** Questions that wait for the call of another instance, by their names in the store. */
export class WaitList {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** Resolves when the question is answered, when `signal` aborts, or when it is time to poll: after `maxMs` at the latest. */
  wait(name: string, signal: AbortSignal, maxMs: number): Promise<void> {
    return new Promise((resolve) => {
      const listeners = this.waiting.get(name) ?? new Set();
      this.waiting.set(name, listeners);
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        listeners.delete(wake);
        if (listeners.size === 0 && this.waiting.get(name) === listeners) this.waiting.delete(name);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(pollMs, maxMs));
      listeners.add(wake);
      signal.addEventListener('abort', wake, { once: true });
      if (signal.aborted) wake();
    });
  }

  wake(name: string): void {
    for (const wake of this.waiting.get(name) ?? []) wake();
  }

  wakeAll(): void {
    for (const name of [...this.waiting.keys()]) this.wake(name);
  }
}
