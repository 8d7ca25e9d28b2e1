import { request } from 'undici';
import { startSandbox } from '../../../src/sandbox/service';
import { startProcess } from '../../support/processes/process';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';

/** A padron in a process of its own, so that what is measured is padron's, over a service that this process can disturb. */
export interface MeasuredPadron {
  readonly url: string;
  readonly proxy: TamperingProxy;
  /** Megabytes that the process of padron holds in memory. */
  resident(): Promise<number>;
  /** Seconds of processor time that it has taken, in all of its threads. */
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
