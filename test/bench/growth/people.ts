import { setTimeout as sleep } from 'node:timers/promises';
import { aliases } from '../documents';
import { inventedNss } from '../rig/recording';
import type { Rig } from '../rig/rig';
import { median } from '../statistics';
import type { Growth } from './chart';
import { Site } from './site';

const sizes = [1, 10, 100, 1_000];
/** A document of 1,000 aliases has more tokens than the default allows. */
const settings = { LIMIT_TOKENS: '25000', MAX_UNITS: '1000' };
const rounds = 7;
/** Entries are written after the answer. Each round waits for that. */
const restMs = 1_500;

/** Measures one operation about more and more people, each time in a fresh process. */
export async function growPeople(rig: Rig, build: string): Promise<Growth> {
  await rig.latency(20);
  const results: Sample[] = [];
  for (const size of sizes) results.push(await measure(rig, build, size));
  const of = (figure: keyof Sample): readonly number[] => results.map((result) => result[figure]);
  return {
    title: 'People in one operation, with a service that takes 20 ms',
    counted: 'people',
    sizes,
    figures: [
      { name: 'calls', panel: null, values: of('calls') },
      { name: 'CPU', unit: 'ms', panel: null, values: of('cpuMs') },
      { name: 'CPU of a person', unit: 'ms', panel: 'CPU of a person', values: of('cpuMsOfPerson') },
      { name: 'time', unit: 'ms', panel: 'Time until the answer', values: of('ms') },
      { name: 'memory', unit: 'MB', panel: 'Memory at most', values: of('megabytes') },
    ],
  };
}

type Sample = Awaited<ReturnType<typeof measure>>;

async function measure(rig: Rig, build: string, size: number) {
  const site = await Site.start(rig, build, 1, settings);
  const query = aliases(size, size);
  let next = 0;
  const ask = async (): Promise<number> => {
    const variables = Object.fromEntries(
      Array.from({ length: size }, (_, index) => [`n${index}`, inventedNss(next++)]),
    );
    const headers = { 'content-type': 'application/json', authorization: 'Bearer bench' };
    const start = performance.now();
    const body = JSON.stringify({ query, variables });
    const text = await (await fetch(site.servers[0]?.url ?? '', { method: 'POST', headers, body })).text();
    const found = text.split('"outcome":"FOUND","evidence"').length - 1;
    if (found !== size) throw new Error(`${found} of ${size} people were found: ${text.slice(0, 2_000)}`);
    return performance.now() - start;
  };
  try {
    // Compiling is not what is measured.
    for (let warmUp = 0; warmUp < Math.max(5, 400 / size); warmUp += 1) await ask();
    await sleep(restMs);
    const count = Math.max(rounds, Math.round(100 / size));
    const [before, callsBefore] = [await site.cpuMs(), await rig.calls()];
    const times: number[] = [];
    for (let round = 0; round < count; round += 1) times.push(await ask());
    await sleep(restMs);
    const [after, calls] = [await site.cpuMs(), await rig.calls()];
    const megabytes = ((await site.servers[0]?.usage())?.peakRss ?? Number.NaN) / 1e6;
    const cpuMs = (after.padron - before.padron) / count;
    return { calls: (calls - callsBefore) / count, cpuMs, cpuMsOfPerson: cpuMs / size, ms: median(times), megabytes };
  } finally {
    await site.end();
  }
}
