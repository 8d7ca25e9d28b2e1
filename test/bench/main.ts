import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { batchRates } from './batches';
import { type EarlyAnswer, earlyAnswers } from './early-answers';
import { blocks, type ColdStart, coldStart, crowd, linearity } from './extremes';
import { ledgerPrices } from './ledgers';
import { type Cell, measureAll, type Plan } from './matrix';
import { type Results, report } from './report';
import { type Recording, record } from './rig/recording';
import { Rig, type Running } from './rig/rig';
import { median } from './statistics';
import { storePrices } from './store';
import { floor, missingPackages, padron, peers, type System } from './systems';
import { type Workload, workloadsOf } from './workloads';

const usage = `npm run bench -- [--quick] [--only W1,W4,crowd,cold,linearity,blocks,store,ledger,batch,early] [--without-peers]
  [--peer text]               only peers whose name contains the text
  [--build folder]            the build of padron to measure instead of dist
  [--beside name=folder]...   further builds of padron, to compare
  [--profile folder]          only padron, with --cpu-prof into the folder`;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    'without-peers': { type: 'boolean', default: false },
    peer: { type: 'string', default: '' },
    build: { type: 'string', default: join(__dirname, '../../dist') },
    beside: { type: 'string', multiple: true, default: [] },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const quick: Plan = { warmUp: 4, rounds: 5, share: 0.12, latencies: [0, 20] };
const full: Plan = { warmUp: 8, rounds: 15, share: 0.25, latencies: [0, 20, 2_000] };
const slowMs = 2_000;
const plan = options.quick ? quick : full;
const only = options.only?.split(',') ?? null;
const wanted = (name: string): boolean => only === null || only.includes(name);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const own = padron('padron', options.build, {});
const builds = options.beside.map((pair) => {
  const [name = '', folder = ''] = pair.split('=');
  return padron(`padron ${name}`, folder, {});
});

async function main(): Promise<void> {
  if (options.help) return say(usage);
  const started = performance.now();
  say('recording the answers of the sandbox');
  const recording = await record();
  const workloads = workloadsOf(recording);
  const rig = await Rig.start(recording);
  const all: Running[] = [];
  try {
    const { tenfold, inline, crowd: waiting } = workloads;
    const measured = workloads.main.filter(({ name }) => wanted(name));
    await learnFromFloor(rig, [...workloads.main, tenfold, inline, waiting]);
    if (options.profile !== undefined) {
      const named = [...measured, ...(only?.includes('crowd') ? [waiting] : [])];
      return await profile(rig, named, options.profile);
    }
    const candidates = options['without-peers'] ? [] : peers.filter(({ name }) => name.includes(options.peer));
    const absent = candidates.filter((system) => missingPackages(system).length > 0);
    const present = candidates.filter((system) => !absent.includes(system));
    for (const system of absent) say(`without ${system.name}: run \`npm ci --prefix test/bench\``);
    const systems = [
      floor,
      own,
      ...builds,
      padron('padron, replay on', options.build, { REPLAY_SECONDS: '30' }),
      padron('padron, within a budget', options.build, { MAX_UNITS: '1000000' }),
      ...present,
    ];
    for (const system of systems) all.push(await launchAndLearn(rig, system, workloads.main));
    const stores = wanted('store') ? await store(rig, waiting) : [];
    const results: Results = {
      takenAt: new Date().toISOString(),
      node: process.version,
      processors: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
      missing: [...absent.map((system) => `${system.name} (its packages are not installed)`)],
      stores,
      ledgers: wanted('ledger') ? await ledger(rig, workloads.main[0]) : [],
      batches: wanted('batch') ? await batch(rig, recording) : [],
      early: wanted('early') ? await early(rig, workloads.workerProfiles) : [],
      cells: await matrix(rig, all, measured),
      linearity: wanted('linearity') ? await linear(rig, all, workloads.main[3], tenfold) : [],
      crowds: wanted('crowd') ? await each([floor, own], (system) => crowd(rig, system, waiting, slowMs)) : [],
      coldStarts: wanted('cold') ? await cold(rig, [floor, own, ...present], workloads.main[0]) : [],
      blocks: wanted('blocks') ? await blocked(rig, [inline, ...workloads.main.slice(2)]) : [],
      minutes: (performance.now() - started) / 60_000,
    };
    writeFileSync(join(__dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
    process.stdout.write(report(results, measured));
  } finally {
    await Promise.all(all.map(({ server }) => server.end()));
    await rig.end();
  }
}

/** A separate floor, because code optimized for huge answers would slow the measured one. */
async function learnFromFloor(rig: Rig, workloads: readonly Workload[]): Promise<void> {
  const teacher = await rig.launch(floor);
  for (const workload of workloads) await rig.learn(teacher, workload);
  await teacher.server.end();
}

async function launchAndLearn(rig: Rig, system: System, workloads: readonly Workload[]): Promise<Running> {
  const running = await rig.launch(system);
  if (system.generated) for (const workload of workloads) await rig.learn(running, workload);
  return running;
}

async function matrix(rig: Rig, all: readonly Running[], workloads: readonly Workload[]): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  for (const workload of workloads) {
    for (const latencyMs of plan.latencies) {
      say(`${workload.name} at ${latencyMs} ms`);
      cells.push(...(await measureAll(rig, all, workload, latencyMs, plan)));
    }
  }
  return cells;
}

async function linear(rig: Rig, all: readonly Running[], once: Workload | undefined, tenfold: Workload) {
  say('linearity');
  const able = all.filter(({ system }) => system === floor || system === own);
  return once === undefined ? [] : each(able, (running) => linearity(rig, running, once, tenfold, plan.rounds));
}

async function cold(rig: Rig, systems: readonly System[], workload: Workload | undefined) {
  say('cold starts');
  if (workload === undefined) return [];
  const starts: ColdStart[] = [];
  const able = systems.filter(({ generated }) => !generated);
  for (let round = 0; round < Math.min(5, plan.rounds); round += 1) {
    for (const system of able) starts.push(await coldStart(rig, system, workload));
  }
  return able.map(({ name }) => {
    const systemStarts = starts.filter(({ system }) => system === name);
    return {
      system: name,
      ms: median(systemStarts.map(({ ms }) => ms)),
      cpuMs: median(systemStarts.map(({ cpuMs }) => cpuMs)),
    };
  });
}

function store(rig: Rig, workload: Workload) {
  say('the price of a store between instances');
  return storePrices(rig, options.build, workload, Math.min(5, plan.rounds));
}

function ledger(rig: Rig, workload: Workload | undefined) {
  say('the price of a ledger');
  return workload === undefined ? [] : ledgerPrices(rig, options.build, workload, Math.min(6, plan.rounds));
}

function early(rig: Rig, bodies: readonly string[]): Promise<readonly EarlyAnswer[]> {
  say('a profile with one slow registry');
  return earlyAnswers(rig, options.build, bodies, 3);
}

function batch(rig: Rig, { crowd: identifiers }: Recording) {
  say('batches beside bare calls');
  return batchRates(rig, options.build, identifiers, Math.min(3, plan.rounds));
}

function blocked(rig: Rig, workloads: readonly Workload[]) {
  say('blocks of the event loop');
  const systems = [floor, own];
  return each(
    workloads.flatMap((workload) => systems.map((system) => ({ system, workload }))),
    ({ system, workload }) => blocks(rig, system, workload, Math.max(12, Math.round(workload.count * plan.share))),
  );
}

/** A fresh padron for each workload, so that each has a separate profile. */
async function profile(rig: Rig, workloads: readonly Workload[], folder: string): Promise<void> {
  for (const workload of workloads) {
    say(`profile of ${workload.name}`);
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${workload.name}.cpuprofile`];
    const running = await rig.launch(own, flags);
    const isCrowd = workload.name === 'crowd';
    await rig.latency(isCrowd ? slowMs : 0);
    await rig.put(running, workload, workload.count * (isCrowd ? 1 : 3), workload.concurrency, isCrowd);
    await running.server.end();
  }
}

async function each<Item, Result>(items: readonly Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}

main().catch((error: unknown) => {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
});
