import { setTimeout as sleep } from 'node:timers/promises';
import { askPriced, type PricedAnswer } from './money';
import type { ProxiedPadron } from './padron-behind-proxy';
import type { TamperingProxy } from './tampering-proxy';

const mostLooks = 1_000;

/** Answers that the service has given, and that are kept from padron until they are let go. */
export interface Hold {
  /** Resolves once so many requests have arrived since the hold began. */
  arrived(count: number): Promise<void>;
  release(): void;
}

/** Holds back the answers of paths that end so; the others pass. Calls are under way for as long as the test likes. */
export function holdAnswers(proxy: TamperingProxy, ending = ''): Hold {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const before = proxy.requests.length;
  proxy.tamper(async (_answer, { path }) => {
    if (path.endsWith(ending)) await released;
    return null;
  });
  return {
    arrived: async (count) => {
      for (let look = 0; proxy.requests.length - before < count; look += 1) {
        if (look === mostLooks) throw new Error(`${proxy.requests.length - before} of ${count} requests have arrived.`);
        await sleep(2);
      }
    },
    release,
  };
}

/** Lets the servers of this process notice that a client has gone: its end comes before what is sent afterwards. */
export async function noticed(url: string): Promise<void> {
  for (let round = 0; round < 3; round += 1) await fetch(new URL('/health/live', url));
}

/**
 * Two requests about a person that are under way together. Both ask for the credit; the second also for the sub-account, whose
 * call is asked in the same breath: by its arrival the second request is known to wait for the credit too.
 */
export async function askTogether(
  padron: ProxiedPadron,
  nss: string,
  creditQuery: string,
  profileQuery: string,
): Promise<readonly [PricedAnswer, PricedAnswer]> {
  const hold = holdAnswers(padron.proxy, 'buscar-credito');
  const first = askPriced(padron, { query: creditQuery, variables: { nss } });
  await hold.arrived(1);
  const second = askPriced(padron, { query: profileQuery, variables: { nss } });
  await hold.arrived(2);
  hold.release();
  return Promise.all([first, second]);
}
