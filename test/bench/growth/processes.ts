import type { AccountJob, AccountResult } from '../rig/account-load';
import type { Rig } from '../rig/rig';
import type { Growth } from './chart';
import { Site } from './site';

const counts = [1, 2, 4];
const [warmUpMs, ms] = [8_000, 20_000];
const [concurrency, accounts] = [64, 100];

/** Measures the calls of more and more padrons over one PostgreSQL, under as much load as they take. */
export async function growProcesses(rig: Rig, build: string): Promise<Growth> {
  await rig.latency(20);
  const results: Sample[] = [];
  for (const count of counts) results.push(await measure(rig, build, count));
  const of = (figure: keyof Sample): readonly number[] => results.map((result) => result[figure]);
  return {
    title: `padrons over one PostgreSQL, ${concurrency} requests at once`,
    counted: 'processes',
    sizes: counts,
    figures: [
      { name: 'calls a second', panel: 'Calls a second', values: of('perSecond') },
      { name: 'median', unit: 'ms', panel: 'Latency', values: of('p50Ms') },
      { name: '95 of 100', unit: 'ms', panel: 'Latency', values: of('p95Ms') },
      { name: 'CPU of padron', unit: 'ms', panel: 'CPU of a call', values: of('padronMs') },
      { name: 'CPU of PostgreSQL', unit: 'ms', panel: 'CPU of a call', values: of('postgresMs') },
    ],
  };
}

type Sample = Awaited<ReturnType<typeof measure>>;

async function measure(rig: Rig, build: string, count: number) {
  const site = await Site.start(rig, build, count);
  try {
    const job = { urls: site.servers.map(({ url }) => url), accounts, concurrency, perSecond: null };
    const take = (firstPerson: number, duration: number): Promise<AccountResult> => {
      const task: AccountJob = { ...job, firstPerson, ms: duration };
      return site.load.ask<AccountResult>(task);
    };
    // Compiling is not what is measured.
    const { calls: firstPerson } = await take(0, warmUpMs * Math.max(1, count / 2));
    const before = await site.cpuMs();
    const result = await take(firstPerson + 1_000, ms);
    const after = await site.cpuMs();
    return {
      ...result,
      padronMs: (after.padron - before.padron) / result.calls,
      postgresMs: (after.postgres - before.postgres) / result.calls,
    };
  } finally {
    await site.end();
  }
}
