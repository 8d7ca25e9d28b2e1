import { megabytes, milliseconds, ratio, type Table } from './report';
import type { Rig, Running } from './rig/rig';
import { median } from './statistics';
import type { System } from './systems';
import type { Workload } from './workloads';

/** Measures the memory for thousands of requests that wait for a slow upstream at the same time, in fresh processes. */
export async function crowds(
  rig: Rig,
  systems: readonly System[],
  workload: Workload,
  latencyMs: number,
): Promise<Table> {
  const rows: string[][] = [];
  for (const system of systems) {
    const running = await rig.launch(system);
    try {
      await rig.latency(latencyMs);
      const { rss } = await running.server.usage();
      await rig.put(running, workload, workload.count, workload.concurrency, true);
      const { peakRss } = await running.server.usage();
      rows.push([system.name, megabytes(rss), megabytes(peakRss)]);
    } finally {
      await running.server.end();
    }
  }
  const title = `${workload.count} requests waiting at once, upstream ${latencyMs} ms`;
  return { title, head: ['system', 'memory at rest', 'at most'], rows };
}

/** Measures the time from the start of the process to its first right answer. */
export async function coldStarts(
  rig: Rig,
  systems: readonly System[],
  workload: Workload,
  rounds: number,
): Promise<Table> {
  await rig.latency(0);
  const times = new Map(systems.map((system): [System, number[]] => [system, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const system of systems) {
      const started = performance.now();
      const running = await rig.launch(system);
      try {
        await rig.put(running, workload, 1, 1);
        times.get(system)?.push(performance.now() - started);
      } finally {
        await running.server.end();
      }
    }
  }
  const rows = [...times].map(([{ name }, ms]) => [name, milliseconds(median(ms))]);
  return { title: 'From the start of the process to the first right answer', head: ['system', 'time'], rows };
}

/** Compares the CPU of ten times the work in one request with that of ten requests. */
export async function linearity(
  rig: Rig,
  all: readonly Running[],
  once: Workload,
  tenfold: Workload,
  rounds: number,
): Promise<Table> {
  await rig.latency(0);
  const rows: string[][] = [];
  for (const running of all) {
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
    rows.push([running.system.name, ratio(median(tenfoldCpuUs) / (10 * median(onceCpuUs)))]);
  }
  const title = 'CPU of 500 aliases over 100 people, divided by ten times that of 50 over 10';
  return { title, head: ['system', 'ratio'], rows };
}

/** Measures the memory and the event loop of a fresh process under large answers. */
export async function blocks(rig: Rig, systems: readonly System[], workload: Workload): Promise<Table> {
  await rig.latency(0);
  const rows: string[][] = [];
  for (const system of systems) {
    const running = await rig.launch(system);
    try {
      // Compiling is not what is looked for.
      await rig.put(running, workload, workload.count);
      const { maxCpuMs } = await rig.watched(running, workload, workload.count);
      const { peakRss } = await running.server.usage();
      rows.push([system.name, milliseconds(maxCpuMs), megabytes(peakRss)]);
    } finally {
      await running.server.end();
    }
  }
  return { title: `Longest block: ${workload.title}`, head: ['system', 'its own CPU', 'memory at most'], rows };
}
