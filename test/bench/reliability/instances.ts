import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { type Sandbox, startSandbox } from '../../../src/extensions/sandbox/service';
import { type PadronProcess, startProcess } from '../../support/processes/process';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import { startRoundRobin } from './round-robin';

interface InstancesOptions {
  readonly count: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Processes of padron behind a balancer, over one service whose ledger is in view. */
export interface Instances {
  readonly count: number;
  /** The graph, by way of the balancer. */
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly proxy: TamperingProxy;
  /** The graph of one of them. */
  urlOf(index: number): string;
  /** Sets how long each answer of the service takes. The service has charged for it by then. */
  setDelay(ms: number): void;
  /** `kill -9`; the balancer notices. */
  kill(index: number): Promise<void>;
  /** SIGTERM; the balancer notices when the process has ended. */
  terminate(index: number): Promise<number | null>;
  /** Starts one that has ended, and lets it take part again. */
  start(index: number): Promise<void>;
  /** Units that the service has taken. */
  paid(): number;
  /** Calls that have reached the service, charged or not. */
  calls(): number;
  stop(): Promise<void>;
}

export async function startInstances(options: InstancesOptions): Promise<Instances> {
  const { count, settings = {} } = options;
  const sandbox = await startSandbox({ slowMs: 2_000 });
  const proxy = await startProxy(sandbox.url);
  const balancer = await startRoundRobin();
  const running: (PadronProcess | null)[] = Array.from({ length: count }, () => null);
  const urls: string[] = Array.from({ length: count }, () => '');
  const balance = (): void => balancer.setServers(urls.filter((_, index) => running[index] !== null).map(originOf));
  const remove = (index: number): void => {
    running[index] = null;
    balance();
  };
  const start = async (index: number): Promise<void> => {
    const environment = { PORT: '0', LOG_LEVEL: 'info', REGISTRY_URL: proxy.url, ...settings };
    const started = startProcess(environment);
    const url = await started.address();
    if (url === '') throw new Error(`padron does not start: ${started.output()}`);
    urls[index] = url;
    running[index] = started;
    balance();
  };
  const processOf = (index: number): PadronProcess => {
    const process = running[index];
    if (process == null) throw new Error(`Instance ${index} does not run.`);
    return process;
  };
  const stop = async (): Promise<void> => {
    const ending = running.filter((process) => process !== null);
    for (const { child } of ending) child.kill('SIGKILL');
    await Promise.all(ending.map((process) => process.ended()));
    await balancer.close();
    await proxy.close();
    await sandbox.close();
  };
  const started = await Promise.allSettled(running.map((_, index) => start(index)));
  for (const result of started) {
    if (result.status === 'fulfilled') continue;
    await stop();
    throw result.reason;
  }
  return {
    count,
    url: `${balancer.url}/graphql`,
    sandbox,
    proxy,
    urlOf: (index) => urls[index] ?? '',
    setDelay: (ms) =>
      proxy.tamper(async () => {
        // A test that is over does not wait for it.
        await sleep(ms, undefined, { ref: false });
        return null;
      }),
    kill: async (index) => {
      const killed = processOf(index);
      remove(index);
      killed.child.kill('SIGKILL');
      await killed.ended();
    },
    terminate: async (index) => {
      const terminated = processOf(index);
      terminated.child.kill('SIGTERM');
      const code = await terminated.ended();
      remove(index);
      return code;
    },
    start,
    paid: () => sandbox.spent(SANDBOX_TOKEN),
    calls: () => sandbox.calls.length,
    stop,
  };
}

const originOf = (url: string): string => new URL(url).origin;
