import { waitUntil } from './deferred';
import type { ChangedAnswer, TamperingProxy } from './tampering-proxy';

export interface HeldResponses {
  /** Resolves once so many requests have arrived since then. */
  arrived(count: number): Promise<void>;
  release(): void;
}

/**
 * Holds back the answers of paths with this ending; the others pass. Calls are in flight for as long as the test likes, and end
 * with what the service said, or with another answer.
 */
export function holdResponses(proxy: TamperingProxy, ending = '', ended: ChangedAnswer | null = null): HeldResponses {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrivedBefore = proxy.requests.length;
  proxy.tamper(async (_answer, { path }) => {
    if (!path.endsWith(ending)) return null;
    await released;
    return ended;
  });
  return {
    arrived: (count) => waitUntil(() => proxy.requests.length - arrivedBefore >= count),
    release,
  };
}

/** Lets the servers of this process see that a client has disconnected: that comes before what is sent afterwards. */
export async function waitForDisconnect(url: string): Promise<void> {
  for (let round = 0; round < 3; round += 1) await fetch(new URL('/health/live', url));
}
