import type { LoopFigures } from './rig/processes';
import type { Rig, Running } from './rig/rig';
import { median } from './statistics';
import type { System } from './systems';
import type { Workload } from './workloads';

/** Thousands of requests that wait for a slow upstream at the same time, in a fresh process. */
export interface Crowd {
  readonly system: string;
  readonly requests: number;
  readonly restingRss: number;
  readonly peakRss: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuUs: number;
}

export async function crowd(rig: Rig, system: System, workload: Workload, latencyMs: number): Promise<Crowd> {
  const running = await rig.launch(system);
  try {
    await rig.latency(latencyMs);
    const before = await running.server.usage();
    const { p50, p99 } = await rig.put(running, workload, workload.count, workload.concurrency, true);
    const after = await running.server.usage();
    return {
      system: system.name,
      requests: workload.count,
      restingRss: before.rss,
      peakRss: after.peakRss,
      p50Ms: p50,
      p99Ms: p99,
      cpuUs: ((after.cpuMs - before.cpuMs) * 1_000) / workload.count,
    };
  } finally {
    await running.server.end();
  }
}

/** From the start of the process to its first right answer. */
export interface ColdStart {
  readonly system: string;
  readonly ms: number;
  readonly cpuMs: number;
}

export async function coldStart(rig: Rig, system: System, workload: Workload): Promise<ColdStart> {
  await rig.latency(0);
  const started = performance.now();
  const running = await rig.launch(system);
  try {
    await rig.put(running, workload, 1, 1);
    const ms = performance.now() - started;
    return { system: system.name, ms, cpuMs: (await running.server.usage()).cpuMs };
  } finally {
    await running.server.end();
  }
}

/** CPU of ten times the work in one request, against ten requests' worth. */
export interface Linearity {
  readonly system: string;
  readonly onceUs: number;
  readonly tenfoldUs: number;
  readonly ratio: number;
}

export async function linearity(
  rig: Rig,
  running: Running,
  once: Workload,
  tenfold: Workload,
  rounds: number,
): Promise<Linearity> {
  await rig.latency(0);
  const onceCpuUs: number[] = [];
  const tenfoldCpuUs: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const onceResult = await rig.measure(running, once, tenfold.count * 10, 1);
    const tenfoldResult = await rig.measure(running, tenfold, tenfold.count, 1);
    // The first round warms up.
    if (round === 0) continue;
    onceCpuUs.push(onceResult.cpuUs);
    tenfoldCpuUs.push(tenfoldResult.cpuUs);
  }
  const [onceUs, tenfoldUs] = [median(onceCpuUs), median(tenfoldCpuUs)];
  return { system: running.system.name, onceUs, tenfoldUs, ratio: tenfoldUs / (10 * onceUs) };
}

/** Measures the memory and the event loop of a fresh process under large answers. */
export interface Blocks {
  readonly system: string;
  readonly workload: string;
  readonly restingRss: number;
  readonly peakRss: number;
  readonly loop: LoopFigures;
}

export async function blocks(rig: Rig, system: System, workload: Workload, count: number): Promise<Blocks> {
  await rig.latency(0);
  const running = await rig.launch(system);
  try {
    const { rss } = await running.server.usage();
    // Compiling is not what is looked for.
    await rig.put(running, workload, Math.min(count, 20));
    const loop = await rig.watched(running, workload, count);
    const { peakRss } = await running.server.usage();
    return { system: system.name, workload: workload.name, restingRss: rss, peakRss, loop };
  } finally {
    await running.server.end();
  }
}
