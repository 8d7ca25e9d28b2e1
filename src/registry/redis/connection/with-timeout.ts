import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reply } from './redis-client';

export type CommandOutcome = { readonly reply: Reply } | { readonly error: unknown };

/**
 * Returns the outcome of a command, or `late`. If this process was busy, the timer may fire although the reply has arrived. Two
 * turns of the event loop read such a reply first.
 */
export async function withTimeout(send: () => Promise<Reply>, timeoutMs: number): Promise<CommandOutcome | 'late'> {
  const outcome = settle(send);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(async () => {
      await nextTurn();
      await nextTurn();
      resolve('late');
    }, timeoutMs);
  });
  const first = await Promise.race([outcome, late]);
  clearTimeout(timer);
  return first;
}

async function settle(send: () => Promise<Reply>): Promise<CommandOutcome> {
  try {
    return { reply: await send() };
  } catch (error) {
    return { error };
  }
}
