import { setTimeout as sleep } from 'node:timers/promises';
import type { Tamper } from './tampering-proxy';

export function deferred(): { readonly tamper: Tamper; release(): void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { tamper: () => released.then(() => null), release: () => release() };
}

export async function waitUntil(condition: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('What the test waits for does not happen.');
    await sleep(2);
  }
}
