import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../../../src/extensions/sandbox/service';
import { type Server, startServer } from '../../bench/rig/processes';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import type { HttpAnswer } from '../../support/requests/http';

export const padronProgram = join(__dirname, '../../../dist/main.js');

/** padron in a process whose CPU time, memory and event loop are measured, with a service behind a proxy. */
export interface MeasuredPadron extends Server {
  readonly proxy: TamperingProxy;
}

export async function startMeasured(
  settings: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<MeasuredPadron> {
  const sandbox = await startSandbox();
  const proxy = await startProxy(sandbox.url);
  const padron = await startServer({
    program: padronProgram,
    flags,
    environment: { NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'error', REGISTRY_URL: proxy.url, ...settings },
  });
  return {
    ...padron,
    proxy,
    end: async () => {
      await padron.end();
      await proxy.close();
      await sandbox.close();
    },
  };
}

/** Cost of a request to the process that answered it. */
export interface Cost {
  readonly answer: HttpAnswer;
  readonly cpuMs: number;
  /** Longest time for which the process blocked its event loop. */
  readonly heldMs: number;
}

export async function measureCost(padron: Server, send: (url: string) => Promise<HttpAnswer>): Promise<Cost> {
  const before = await padron.usage();
  await padron.watch();
  const answer = await send(padron.url);
  const { maxCpuMs } = await padron.endWatch();
  const after = await padron.usage();
  return { answer, cpuMs: after.cpuMs - before.cpuMs, heldMs: maxCpuMs };
}

/** Returns the resident memory in megabytes. */
export async function residentMegabytes(padron: Server): Promise<number> {
  const { rss } = await padron.usage();
  return Math.round(rss / 1_048_576);
}

/** Returns the peak memory of padron in megabytes until a promise settles. */
export async function measurePeak(padron: Server, work: Promise<unknown>, everyMs = 10): Promise<number> {
  let isDone = false;
  const watched = work.finally(() => {
    isDone = true;
  });
  let peak = 0;
  while (!isDone) {
    peak = Math.max(peak, await residentMegabytes(padron));
    await sleep(everyMs);
  }
  await watched;
  return Math.max(peak, await residentMegabytes(padron));
}
