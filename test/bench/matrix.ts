import type { Rig, Round, Running } from './rig/rig';
import { median, quiet } from './statistics';
import type { Workload } from './workloads';

/** Durations of the bench. */
export interface Plan {
  /** Number of times that all requests of a workload are sent to warm up a server. */
  readonly warmUp: number;
  readonly rounds: number;
  /** Share of each workload's requests. */
  readonly share: number;
  readonly latencies: readonly number[];
}

/** One system at one workload and upstream latency. */
export interface Cell {
  readonly workload: string;
  readonly system: string;
  readonly latencyMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuUs: number;
  readonly calls: number;
  /** Medians of the rounds' ratios to the floor, which was measured in the same round. */
  readonly p50Ratio: number;
  readonly cpuRatio: number;
  /** Ratio of the CPU time in quiet rounds, because on a busy machine other programs affect the median. */
  readonly quietCpuUs: number;
  readonly quietCpuRatio: number;
  readonly rounds: readonly Round[];
}

/** From here on an upstream is so slow that everybody is measured at the same time. */
const slowMs = 500;

/** All systems at one workload and latency: round after round, each system once a round, in an order that turns. */
export async function measureAll(
  rig: Rig,
  all: readonly Running[],
  workload: Workload,
  latencyMs: number,
  plan: Plan,
): Promise<readonly Cell[]> {
  const able = all.filter(({ system }) => system.bodiesOf(workload) !== null);
  await rig.latency(latencyMs);
  const rounds = able.map((): Round[] => []);
  const once = async (index: number, count: number, concurrency: number): Promise<void> => {
    const running = able[index];
    if (running !== undefined) rounds[index]?.push(await rig.measure(running, workload, count, concurrency));
  };
  if (latencyMs >= slowMs) {
    await Promise.all(able.map((_, index) => once(index, workload.concurrency, workload.concurrency)));
  } else {
    const count = requestsOf(workload, latencyMs, plan.share);
    const concurrency = latencyMs === 0 ? workload.concurrency : Math.min(4, workload.concurrency);
    if (latencyMs === 0) for (const running of able) await rig.warmUp(running, workload, workload.count * plan.warmUp);
    for (let round = 0; round < plan.rounds; round += 1) {
      for (let turn = 0; turn < able.length; turn += 1) await once((turn + round) % able.length, count, concurrency);
    }
  }
  const [floors = []] = rounds;
  return able.map(({ system }, index) => cell(workload.name, system.name, latencyMs, rounds[index] ?? [], floors));
}

/** With an upstream that takes its time, fewer requests tell the same. */
function requestsOf({ count, concurrency }: Workload, latencyMs: number, share: number): number {
  const wanted = Math.round(count * share * (latencyMs === 0 ? 1 : 0.25));
  return Math.max(concurrency * 2, wanted);
}

function cell(
  workload: string,
  system: string,
  latencyMs: number,
  rounds: readonly Round[],
  floors: readonly Round[],
): Cell {
  const ratio = (of: (round: Round) => number): number =>
    median(rounds.map((round, index) => of(round) / of(floors[index] ?? round)));
  const quietCpu = (of: readonly Round[]): number => quiet(of.map(({ cpuUs }) => cpuUs));
  return {
    workload,
    system,
    latencyMs,
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    cpuUs: median(rounds.map(({ cpuUs }) => cpuUs)),
    calls: median(rounds.map(({ calls }) => calls)),
    p50Ratio: ratio(({ p50Ms }) => p50Ms),
    cpuRatio: ratio(({ cpuUs }) => cpuUs),
    quietCpuUs: quietCpu(rounds),
    quietCpuRatio: quietCpu(rounds) / quietCpu(floors),
    rounds,
  };
}
