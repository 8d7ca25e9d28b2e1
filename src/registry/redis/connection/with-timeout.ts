import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reply } from './redis-client';

export type CommandOutcome = { readonly reply: Reply } | { readonly error: unknown };

/**
 * The outcome of a command, or `late`. A timer also fires when our own process was held up while the reply lay there: two turns
 * of the event loop read what has come before it is called late.
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

/** Also of a command that cannot even be written. */
async function settle(send: () => Promise<Reply>): Promise<CommandOutcome> {
  try {
    return { reply: await send() };
  } catch (error) {
    return { error };
  }
}
