import { waitUntil } from './deferred';
import type { ArrivedRequest, ChangedAnswer, TamperingProxy } from './tampering-proxy';

/**
 * Holds back the answers of paths with this ending, or of some requests; the others pass. Calls are in flight for as long as the test
 * likes, and end with what the service said, or with another answer.
 */
export function holdResponses(
  proxy: TamperingProxy,
  which: string | ((request: ArrivedRequest) => boolean) = '',
  ended: ChangedAnswer | null = null,
) {
  let end = (_answer: ChangedAnswer | null): void => undefined;
  const released = new Promise<ChangedAnswer | null>((resolve) => {
    end = resolve;
  });
  const isHeld = typeof which === 'string' ? ({ path }: ArrivedRequest) => path.endsWith(which) : which;
  const count = (): number => (typeof which === 'string' ? proxy.requests : proxy.requests.filter(which)).length;
  const before = count();
  proxy.tamper((_answer, request) => (isHeld(request) ? released : null));
  return {
    /** Resolves once so many requests have arrived since then. */
    arrived: (requests: number) => waitUntil(() => count() - before >= requests),
    release: (answer: ChangedAnswer | null = ended): void => end(answer),
  };
}

/** Lets the servers of this process see that a client has disconnected: that comes before what is sent afterwards. */
export async function waitForDisconnect(url: string): Promise<void> {
  for (let round = 0; round < 3; round += 1) await fetch(new URL('/health/live', url));
}
