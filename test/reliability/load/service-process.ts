import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { startSandbox } from '../../../src/sandbox/service';
import { startProcess } from '../../support/processes/process';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';

/** padron in a separate process, which is measured, with a service behind a proxy. */
export interface MeasuredPadron {
  readonly url: string;
  readonly proxy: TamperingProxy;
  /** Returns the resident memory in megabytes. */
  resident(): Promise<number>;
  /** Returns the processor time of all threads in seconds. */
  processorSeconds(): Promise<number>;
  stop(): Promise<void>;
}

export async function startMeasured(settings: Readonly<Record<string, string>> = {}): Promise<MeasuredPadron> {
  const sandbox = await startSandbox();
  const proxy = await startProxy(sandbox.url);
  const padron = startProcess({ PORT: '0', LOG_LEVEL: 'error', REGISTRY_URL: proxy.url, ...settings });
  const url = await padron.address();
  const metric = async (name: string): Promise<number> => {
    const response = await request(url.replace('graphql', 'metrics'));
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(await response.body.text())?.[1]);
  };
  return {
    url,
    proxy,
    resident: async () => Math.round((await metric('process_resident_memory_bytes')) / 1_048_576),
    processorSeconds: () => metric('process_cpu_seconds_total'),
    stop: async () => {
      padron.child.kill('SIGTERM');
      await padron.ended();
      await proxy.close();
      await sandbox.close();
    },
  };
}

/** Returns the peak memory of padron in megabytes until a promise settles. */
export async function measurePeak({ resident }: MeasuredPadron, work: Promise<unknown>, everyMs = 10): Promise<number> {
  let isDone = false;
  const watched = work.finally(() => {
    isDone = true;
  });
  let peak = 0;
  while (!isDone) {
    peak = Math.max(peak, await resident());
    await sleep(everyMs);
  }
  await watched;
  return Math.max(peak, await resident());
}
