import { setTimeout as sleep } from 'node:timers/promises';
import { times } from '../../../times';
import type { Patience } from '../life/life';

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
      const timer = setTimeout(wake, Math.min(times.callPoll, maxMs));
      listeners.add(wake);
      signal.addEventListener('abort', wake, { once: true });
      if (signal.aborted) wake();
    });
  }

  wake(call: string): void {
    for (const wake of this.waiting.get(call) ?? []) wake();
  }
}

export const pause = ({ signal, maxMs }: Patience): Promise<void> =>
  sleep(Math.min(times.callRetry, maxMs), undefined, { signal }).catch(() => undefined);

/** Returns the result of the work, or null if the patience ends first. */
export async function within<Result>({ signal, maxMs }: Patience, work: Promise<Result>): Promise<Result | null> {
  let end = (): void => undefined;
  const ended = new Promise<null>((resolve) => {
    end = () => resolve(null);
  });
  const timer = setTimeout(end, maxMs);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
