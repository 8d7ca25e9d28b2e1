import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../support/stores/postgres';
import { ratio, type Table, whole } from './report';
import type { Rig } from './rig/rig';
import { median, quiet } from './statistics';
import { padron, type System } from './systems';
import type { Workload } from './workloads';

const DATA_KEYS = '0123456789abcdef'.repeat(3);
/** Entries are written after a second. Each round waits for that, also without a ledger. */
const restMs = 1_500;
/** Rounds of one process last at least a second, because a statement for few entries is more expensive for each entry. */
const rounds = 6;

/**
 * Measures the CPU time that a ledger adds to a request, including the writing of its entries. Without a ledger, and with one on each
 * engine, in turn: fresh processes each time, since one is compiled better than the next.
 */
export async function ledgerPrices(rig: Rig, build: string, workload: Workload, launches: number): Promise<Table> {
  const cluster = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'padron-bench-'));
  const prices: number[][] = [[], [], []];
  try {
    await rig.latency(0);
    for (let launch = 0; launch < launches; launch += 1) {
      const systems = systemsOf(build, await cluster.createDatabase(), join(folder, String(launch)));
      for (let turn = 0; turn < systems.length; turn += 1) {
        const index = (turn + launch) % systems.length;
        const system = systems[index];
        if (system !== undefined) prices[index]?.push(await priceOf(rig, system, workload));
      }
    }
  } finally {
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  const [without = []] = prices;
  const rows = systemsOf(build, '', '').map(({ name }, index) => {
    const own = prices[index] ?? [];
    // Each beside the one without a ledger that ran next to it.
    const besideNone = own.map((cpuUs, launch) => cpuUs / (without[launch] ?? Number.NaN));
    return [name, whole(median(own)), ratio(median(besideNone))];
  });
  return { title: 'What a ledger takes of a single credit', head: ['system', 'CPU µs', 'beside no ledger'], rows };
}

function systemsOf(build: string, DATABASE_URL: string, folder: string): readonly System[] {
  return [
    padron('no ledger', build, {}, restMs),
    padron('ledger in PostgreSQL', build, { DATABASE_URL, DATA_KEYS }, restMs),
    padron('ledger embedded', build, { DATA_KEYS, DATA_DIR: join(folder, 'embedded') }, restMs),
  ];
}

async function priceOf(rig: Rig, system: System, workload: Workload): Promise<number> {
  const running = await rig.launch(system);
  try {
    // Compiling is not what is looked for.
    await rig.warmUp(running, workload, 5 * workload.count);
    const used: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      used.push((await rig.measure(running, workload, workload.count)).cpuUs);
    return quiet(used);
  } finally {
    await running.server.end();
  }
}
