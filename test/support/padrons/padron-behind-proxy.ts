import { startProxy, type TamperingProxy } from '../proxies/tampering-proxy';
import { type RunningPadron, runPadron, type Setup } from './padron';

export interface ProxiedPadron extends RunningPadron {
  readonly proxy: TamperingProxy;
}

/** Answers are not replayed by default, so that each question reaches the proxy. */
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
      // The proxy is stopped first, because padron would wait for the requests that it holds.
      await proxy.close();
      await padron.stop();
    },
  };
}
