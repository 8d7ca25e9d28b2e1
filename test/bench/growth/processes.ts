import { grouped, milliseconds } from '../report';
import type { AccountJob, AccountResult } from '../rig/account-load';
import type { Rig } from '../rig/rig';
import type { Growth } from './growth';
import { Site } from './site';

const counts = [1, 2, 4];
const [warmUpMs, ms] = [8_000, 20_000];
const [concurrency, accounts] = [64, 100];

/** Measures the calls of more and more padrons over one PostgreSQL, under as much load as they take. */
export async function growProcesses(rig: Rig, build: string): Promise<Growth> {
  await rig.latency(20);
  const results = [];
  for (const count of counts) results.push(await measure(rig, build, count));
  return {
    table: {
      title: 'padrons over one PostgreSQL',
      head: ['processes', 'calls a second', 'median', '95 of 100', 'CPU of padron a call', 'CPU of PostgreSQL a call'],
      rows: results.map(({ count, perSecond, p50Ms, p95Ms, padronMs, postgresMs }) => [
        grouped(count),
        grouped(perSecond),
        milliseconds(p50Ms),
        milliseconds(p95Ms),
        `${padronMs.toFixed(2)} ms`,
        `${postgresMs.toFixed(2)} ms`,
      ]),
    },
    chart: {
      title: `padrons over one PostgreSQL, ${concurrency} requests at once`,
      unit: 'processes',
      panels: [
        { title: 'Calls a second', lines: [{ name: '', points: results.map((of) => [of.count, of.perSecond]) }] },
        {
          title: 'Latency (ms)',
          lines: [
            { name: 'median', points: results.map((of) => [of.count, of.p50Ms]) },
            { name: '95 of 100', points: results.map((of) => [of.count, of.p95Ms]) },
          ],
        },
        {
          title: 'CPU of a call (ms)',
          lines: [
            { name: 'padron', points: results.map((of) => [of.count, of.padronMs]) },
            { name: 'PostgreSQL', points: results.map((of) => [of.count, of.postgresMs]) },
          ],
        },
      ],
    },
  };
}

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
      count,
      padronMs: (after.padron - before.padron) / result.calls,
      postgresMs: (after.postgres - before.postgres) / result.calls,
    };
  } finally {
    await site.end();
  }
}
