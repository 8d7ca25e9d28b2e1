import { join } from 'node:path';
import { type Server, startServer } from '../../bench/rig/processes';
import type { HttpAnswer } from '../../support/requests/http';

/** The built padron, as users run it. */
export const padronProgram = join(__dirname, '../../../dist/main.js');

/** What one request took of the process that answered it. */
export interface Cost {
  readonly answer: HttpAnswer;
  readonly cpuMs: number;
  /** The longest that the event loop was held by the process's own work. */
  readonly heldMs: number;
}

/** The built padron, as users run it, in a process of its own whose CPU time, memory and event loop can be watched. */
export function startWatched(
  settings: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<Server> {
  return startServer({
    program: padronProgram,
    flags,
    environment: {
      NODE_ENV: 'test',
      PORT: '0',
      LOG_LEVEL: 'error',
      ...settings,
    },
  });
}

/** One request, and what it took. */
export async function measureCost(padron: Server, send: (url: string) => Promise<HttpAnswer>): Promise<Cost> {
  const before = await padron.usage();
  await padron.watch();
  const answer = await send(padron.url);
  const { maxCpuMs } = await padron.endWatch();
  const after = await padron.usage();
  return { answer, cpuMs: after.cpuMs - before.cpuMs, heldMs: maxCpuMs };
}
