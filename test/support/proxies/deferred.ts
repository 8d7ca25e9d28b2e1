import { setTimeout as sleep } from 'node:timers/promises';
import type { Tamper } from './tampering-proxy';

export function deferred(): { readonly tamper: Tamper; release(): void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { tamper: () => released.then(() => null), release: () => release() };
}

/**
 * Waits until a condition is true, for longer than a busy machine needs. The longer that takes, the less often it is checked, because many
 * conditions ask padron or a store.
 */
export async function waitUntil(condition: () => boolean | Promise<boolean>, timeoutMs = 120_000): Promise<void> {
  const began = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - began;
    if (waited > timeoutMs) throw new Error('What the test waits for does not happen.');
    await sleep(Math.min(50, 2 + waited / 20));
  }
}
