import { ratio, type Table, tidy } from './report';
import type { Rig, Round, Running } from './rig/rig';
import { median, quiet } from './statistics';
import type { System } from './systems';
import type { Workload } from './workloads';

/** Durations of the bench. */
export interface Plan {
  /** Number of times that all requests of a workload are sent to warm up a server. */
  readonly warmUp: number;
  readonly rounds: number;
  /** Share of each workload's requests. */
  readonly share: number;
}

/** One system at one workload and upstream latency: multiples of the floor, which was measured in the same round. */
interface Cell {
  readonly calls: number;
  readonly p50Ratio: number;
  /** Ratio of the CPU time in quiet rounds, because on a busy machine other programs affect the median. */
  readonly quietCpuRatio: number;
}

/** Upstream latency at which CPU is compared, and the one at which waiting is compared. */
const latencies = { busy: 0, waiting: 20 } as const;

/** Measures all systems at each workload. */
export async function measureMatrix(
  rig: Rig,
  all: readonly Running[],
  workloads: readonly Workload[],
  plan: Plan,
): Promise<Table> {
  const columns: ReadonlyMap<System, string>[] = [];
  for (const workload of workloads) {
    const busy = await measureAll(rig, all, workload, latencies.busy, plan);
    const waiting = await measureAll(rig, all, workload, latencies.waiting, plan);
    columns.push(new Map([...busy].map(([system, cell]) => [system, shownCell(cell, waiting.get(system))])));
  }
  return {
    title: 'Systems beside the floor',
    head: ['CPU × / p50 × (calls)', ...workloads.map(({ name, title }) => `${name}: ${title}`)],
    rows: all.map(({ system }) => [system.name, ...columns.map((column) => column.get(system) ?? '–')]),
  };
}

function shownCell({ quietCpuRatio, calls }: Cell, waiting: Cell | undefined): string {
  return `${ratio(quietCpuRatio)} / ${ratio(waiting?.p50Ratio)} (${tidy(calls)})`;
}

/** All systems at one workload and latency: round after round, each system once a round, in an order that turns. */
async function measureAll(
  rig: Rig,
  all: readonly Running[],
  workload: Workload,
  latencyMs: number,
  plan: Plan,
): Promise<ReadonlyMap<System, Cell>> {
  const able = all.filter(({ system }) => system.bodiesOf(workload) !== null);
  await rig.latency(latencyMs);
  const rounds = able.map((): Round[] => []);
  const count = requestsOf(workload, latencyMs, plan.share);
  const concurrency = latencyMs === 0 ? workload.concurrency : Math.min(4, workload.concurrency);
  if (latencyMs === 0) for (const running of able) await rig.warmUp(running, workload, workload.count * plan.warmUp);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (let turn = 0; turn < able.length; turn += 1) {
      const index = (turn + round) % able.length;
      const running = able[index];
      if (running !== undefined) rounds[index]?.push(await rig.measure(running, workload, count, concurrency));
    }
  }
  const [floors = []] = rounds;
  return new Map(able.map(({ system }, index) => [system, toCell(rounds[index] ?? [], floors)]));
}

/** With an upstream that takes its time, fewer requests tell the same. */
function requestsOf({ count, concurrency }: Workload, latencyMs: number, share: number): number {
  const wanted = Math.round(count * share * (latencyMs === 0 ? 1 : 0.25));
  return Math.max(concurrency * 2, wanted);
}

function toCell(rounds: readonly Round[], floors: readonly Round[]): Cell {
  const quietCpu = (of: readonly Round[]): number => quiet(of.map(({ cpuUs }) => cpuUs));
  return {
    calls: median(rounds.map(({ calls }) => calls)),
    p50Ratio: median(rounds.map(({ p50Ms }, index) => p50Ms / (floors[index]?.p50Ms ?? p50Ms))),
    quietCpuRatio: quietCpu(rounds) / quietCpu(floors),
  };
}
