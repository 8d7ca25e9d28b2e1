import { startProxy, type TamperingProxy } from '../proxies/tampering-proxy';
import { type RunningPadron, runPadron, type Setup } from './padron';

/** A padron that reaches its sandbox through a tampering proxy. */
export interface ProxiedPadron extends RunningPadron {
  readonly proxy: TamperingProxy;
}

/** Replays nothing unless told to: each question is to meet the proxy. */
export async function runPadronBehindProxy(
  environment: Readonly<Record<string, string>> = {},
  setup: Omit<Setup, 'environment' | 'registryUrl'> = {},
): Promise<ProxiedPadron> {
  let target = '';
  const proxy = await startProxy(() => target);
  const registryUrl: Setup['registryUrl'] = (sandbox) => {
    target = sandbox.url;
    return proxy.url;
  };
  const padron = await runPadron({ ...setup, environment: { REPLAY_SECONDS: '0', ...environment }, registryUrl });
  return {
    ...padron,
    proxy,
    stop: async () => {
      // The proxy first: what it still holds would be waited for.
      await proxy.close();
      await padron.stop();
    },
  };
}
