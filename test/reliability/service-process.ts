import { request } from 'undici';
import { startSandbox } from '../../src/sandbox/service';
import { startProcess } from '../support/process';
import { startProxy, type TamperingProxy } from '../support/tampering-proxy';

/** A padron in a process of its own, so that what is measured is padron's, over a service that this process can disturb. */
export interface MeasuredPadron {
  readonly url: string;
  readonly proxy: TamperingProxy;
  /** Megabytes that the process of padron holds in memory. */
  resident(): Promise<number>;
  stop(): Promise<void>;
}

export async function startMeasured(settings: Readonly<Record<string, string>> = {}): Promise<MeasuredPadron> {
  const sandbox = await startSandbox();
  const proxy = await startProxy(sandbox.url);
  const padron = startProcess({ PORT: '0', LOG_LEVEL: 'error', REGISTRY_URL: proxy.url, ...settings });
  const url = await padron.address();
  return {
    url,
    proxy,
    resident: async () => {
      const response = await request(url.replace('graphql', 'metrics'));
      const bytes = /^process_resident_memory_bytes (\d+)/m.exec(await response.body.text())?.[1];
      return Math.round(Number(bytes) / 1_048_576);
    },
    stop: async () => {
      padron.child.kill('SIGTERM');
      await padron.ended();
      await proxy.close();
      await sandbox.close();
    },
  };
}
