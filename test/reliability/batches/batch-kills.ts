import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { type Sandbox, startSandbox } from '../../../src/extensions/sandbox/service';
import { type PadronProcess, startProcess } from '../../support/processes/process';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import { BatchClient, CREDIT } from '../../support/requests/batches';
import { paidTwice } from '../../support/sandbox/paid-twice';
import { type Dataset, toCsv } from './dataset';

/** Latency of the service, during which a kill interrupts calls. */
const answerMs = 30;

export interface KillRun {
  readonly dataset: Dataset;
  readonly environment: Readonly<Record<string, string>>;
  readonly workers: number;
  readonly kills: number;
  /** Runs instead of each kill, for example to stop the store. */
  readonly disturb?: () => Promise<void>;
}

export interface KillResult {
  readonly paidTwice: readonly string[];
  readonly service: number;
  readonly spent: number;
  readonly uncertain: number;
  readonly unknown: number;
  readonly ended: number;
  readonly kills: number;
}

/** Runs a batch to its end while its processes are killed at regular progress. */
export async function runKilled(run: KillRun): Promise<KillResult> {
  const sandbox = await startSandbox();
  const proxy = await startProxy(sandbox.url);
  proxy.tamper(async () => {
    await new Promise((resolve) => setTimeout(resolve, answerMs));
    return null;
  });
  const fleet = new Fleet(run, proxy);
  try {
    await fleet.start();
    return await drive(run, fleet, sandbox);
  } finally {
    await fleet.stop();
    await proxy.close();
    await sandbox.close();
  }
}

async function drive({ dataset, kills, disturb }: KillRun, fleet: Fleet, sandbox: Sandbox): Promise<KillResult> {
  const total = dataset.rows.length;
  const { batch } = await fleet.client.create({ operation: CREDIT, key: 'kills' });
  await fleet.client.upload(batch.uploadUrl, toCsv(dataset));
  await fleet.client.until(batch.id, 'READY');
  await fleet.client.change(`startRegistryBatch(id: "${batch.id}", maxUnits: ${total})`);
  let killed = 0;
  for (let goal = total / (kills + 2); killed < kills; goal += total / (kills + 2)) {
    await fleet.untilEnded(batch.id, goal);
    await (disturb?.() ?? fleet.kill(killed % fleet.size));
    killed += 1;
  }
  await fleet.untilEnded(batch.id, total);
  const { progress } = await fleet.client.until(batch.id, 'DONE');
  return {
    paidTwice: paidTwice(sandbox.calls),
    service: sandbox.spent(SANDBOX_TOKEN),
    spent: progress.spentUnits,
    uncertain: progress.uncertainUnits,
    unknown: progress.unknown,
    ended: progress.done + progress.failed + progress.unknown,
    kills: killed,
  };
}

/** The processes of one run. A killed process is replaced. */
class Fleet {
  private readonly processes: PadronProcess[] = [];
  private readonly urls: string[] = [];

  constructor(
    private readonly run: KillRun,
    private readonly proxy: TamperingProxy,
  ) {}

  get size(): number {
    return this.processes.length;
  }

  /** Returns a client of the newest process. */
  get client(): BatchClient {
    return new BatchClient({ url: this.urls.at(-1) ?? '' });
  }

  async start(): Promise<void> {
    for (let index = 0; index < this.run.workers; index += 1) await this.spawn();
  }

  async kill(index: number): Promise<void> {
    const [victim] = this.processes.splice(index, 1);
    this.urls.splice(index, 1);
    victim?.child.kill('SIGKILL');
    await victim?.ended();
    await this.spawn();
  }

  async stop(): Promise<void> {
    for (const { child } of this.processes) child.kill('SIGKILL');
    await Promise.all(this.processes.map((process) => process.ended()));
  }

  /** Waits until a number of rows has ended. */
  async untilEnded(id: string, rows: number): Promise<void> {
    for (;;) {
      const { state, reason, progress } = await this.client.get(id);
      if (progress.rows - progress.waiting >= rows) return;
      if (state !== 'RUNNING') throw new Error(`The batch is ${state} (${reason?.code}).`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  private async spawn(): Promise<void> {
    const settings = { PORT: '0', LOG_LEVEL: 'error', BATCH_CONCURRENCY: '16', REGISTRY_URL: this.proxy.url };
    const process = startProcess({ ...settings, ...this.run.environment });
    const url = await process.address();
    if (url === '') throw new Error(`padron did not start: ${process.output()}`);
    this.processes.push(process);
    this.urls.push(url);
  }
}
