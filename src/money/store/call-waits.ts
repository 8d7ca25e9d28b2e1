/** Milliseconds between polls, in case a notification is lost or cannot be received. */
const pollMs = 400;

export class CallWaits {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** Resolves when the call has ended, when `signal` aborts, or when it is time to ask the store again: after `maxMs` at the latest. */
  wait(call: string, signal: AbortSignal, maxMs: number): Promise<void> {
    return new Promise((resolve) => {
      const listeners = this.waiting.get(call) ?? new Set();
      this.waiting.set(call, listeners);
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        listeners.delete(wake);
        if (listeners.size === 0 && this.waiting.get(call) === listeners) this.waiting.delete(call);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(pollMs, maxMs));
      listeners.add(wake);
      signal.addEventListener('abort', wake, { once: true });
      if (signal.aborted) wake();
    });
  }

  wake(call: string): void {
    for (const wake of this.waiting.get(call) ?? []) wake();
  }
}
