import { startPostgres } from '../support/stores/postgres';
import { milliseconds, type Table, whole } from './report';
import type { Rig, Running } from './rig/rig';
import { median } from './statistics';
import { padron, type System } from './systems';
import type { Workload } from './workloads';

/** The cost of a shared store for a new question, and its savings for one that another instance has asked. */
interface StorePrice {
  readonly system: string;
  /** One at a time. */
  readonly liveP50Ms: number;
  /** Times of one request, with sixteen at once. */
  readonly cpuUs: number;
  /** Asked of a second instance; null where nothing is shared. */
  readonly takenP50Ms: number | null;
}

/** Requests one at a time, and as many as fill the processor; none is put twice to one process. */
const [alone, together, atOnce] = [400, 1_600, 16];
const upstreamMs = 5;
const DATA_KEYS = '0123456789abcdef'.repeat(3);

/** Measures with PostgreSQL and without a store, in turn, in a new process each time. */
export async function storePrices(rig: Rig, build: string, workload: Workload, rounds: number): Promise<Table> {
  const cluster = await startPostgres();
  const replay = { REPLAY_SECONDS: '300' };
  const prices: StorePrice[][] = [[], []];
  try {
    for (let round = 0; round < rounds; round += 1) {
      // A separate database, so that a round finds no answers of another one.
      const DATABASE_URL = await cluster.createDatabase();
      const shared = { ...replay, DATABASE_URL, DATA_KEYS };
      const systems = [
        padron('padron, alone', build, replay),
        padron('padron, a store between instances', build, shared),
      ];
      for (const [index, system] of systems.entries())
        prices[index]?.push(await priceOf(rig, system, workload, index === 1));
    }
  } finally {
    await cluster.remove();
  }
  return {
    title: 'A store between instances, on this machine (upstream 5 ms)',
    head: ['system', 'p50, one at a time', 'CPU µs, 16 at once, upstream 0 ms', 'p50 of a second instance'],
    rows: prices.map(toRow),
  };
}

async function priceOf(rig: Rig, system: System, workload: Workload, isShared: boolean): Promise<StorePrice> {
  const first = await rig.launch(system);
  try {
    await rig.latency(0);
    // Compiling is not what is looked for.
    await rig.put(first, workload, together, atOnce);
    const busy = await rig.measure(first, workload, together, atOnce);
    await rig.latency(upstreamMs);
    const live = await rig.measure(first, workload, alone, 1);
    const taken = isShared ? await takenBySecond(rig, system, workload) : null;
    return {
      system: system.name,
      liveP50Ms: live.p50Ms,
      cpuUs: busy.cpuUs,
      takenP50Ms: taken?.p50Ms ?? null,
    };
  } finally {
    await first.server.end();
  }
}

/** The same requests from the first on, asked of a process that has not asked them. */
async function takenBySecond(rig: Rig, system: System, workload: Workload) {
  const second: Running = await rig.launch(system);
  try {
    await rig.put(second, workload, together, atOnce);
    return await rig.measure(second, workload, alone, 1);
  } finally {
    await second.server.end();
  }
}

function toRow(prices: readonly StorePrice[]): readonly string[] {
  const of = (figure: (price: StorePrice) => number | null): number =>
    median(prices.map(figure).filter((value) => value !== null));
  return [
    prices[0]?.system ?? '',
    milliseconds(of(({ liveP50Ms }) => liveP50Ms)),
    whole(of(({ cpuUs }) => cpuUs)),
    milliseconds(of(({ takenP50Ms }) => takenP50Ms)),
  ];
}
