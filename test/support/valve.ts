import { setTimeout as sleep } from 'node:timers/promises';
import type { Tamper } from './tampering-proxy';

/** Keeps answers back until it is opened. */
export function valve(): { readonly tamper: Tamper; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { tamper: () => opened.then(() => null), open: () => open() };
}

const patienceMs = 10_000;

/** Waits for something to come true; a test that waits in vain fails instead of hanging. */
export async function until(reached: () => boolean): Promise<void> {
  const giveUp = performance.now() + patienceMs;
  while (!reached()) {
    if (performance.now() > giveUp) throw new Error('What the test waits for does not happen.');
    await sleep(2);
  }
}
