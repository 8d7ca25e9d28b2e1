import { type RunningPadron, runPadron } from './padron';
import { type ProxiedPadron, runPadronBehindProxy } from './padron-behind-proxy';

type Settings = Readonly<Record<string, string>>;

export interface SharingPadrons {
  readonly first: ProxiedPadron;
  readonly second: RunningPadron;
  readonly proxy: ProxiedPadron['proxy'];
  add(settings?: Settings): Promise<RunningPadron>;
  /** Calls that have reached the service or its replacement. */
  calls(): number;
  stop(): Promise<void>;
}

/** Starts two padrons behind one proxy. `settings` name the store that they share. */
export async function startSharingPadrons(
  settings: Settings = {},
  settingsOfSecond: Settings = {},
): Promise<SharingPadrons> {
  const environment = { REPLAY_SECONDS: '60', ...settings };
  const first = await runPadronBehindProxy(environment);
  const running: RunningPadron[] = [first];
  const add = async (besides: Settings = {}): Promise<RunningPadron> => {
    const registryUrl = () => first.proxy.url;
    const padron = await runPadron({ environment: { ...environment, ...besides }, registryUrl });
    running.push(padron);
    return padron;
  };
  return {
    first,
    second: await add(settingsOfSecond),
    proxy: first.proxy,
    add,
    calls: () => first.proxy.requests.length,
    stop: async () => {
      for (const padron of running) await padron.stop();
    },
  };
}
