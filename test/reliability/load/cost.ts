import { join } from 'node:path';
import { type Server, startServer } from '../../bench/rig/processes';
import type { HttpAnswer } from '../../support/requests/http';

export const padronProgram = join(__dirname, '../../../dist/main.js');

/** Cost of a request to the process that answered it. */
export interface Cost {
  readonly answer: HttpAnswer;
  readonly cpuMs: number;
  /** Longest time for which the process blocked its event loop. */
  readonly heldMs: number;
}

/** Starts the built padron in a process whose CPU time, memory and event loop are measured. */
export function startWatched(
  settings: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<Server> {
  return startServer({
    program: padronProgram,
    flags,
    environment: { NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'error', ...settings },
  });
}

export async function measureCost(padron: Server, send: (url: string) => Promise<HttpAnswer>): Promise<Cost> {
  const before = await padron.usage();
  await padron.watch();
  const answer = await send(padron.url);
  const { maxCpuMs } = await padron.endWatch();
  const after = await padron.usage();
  return { answer, cpuMs: after.cpuMs - before.cpuMs, heldMs: maxCpuMs };
}
