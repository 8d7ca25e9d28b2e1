import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { batchRates } from './batches';
import { callRates } from './calls';
import { earlyAnswers } from './early-answers';
import { blocks, coldStarts, crowds, linearity } from './extremes';
import { curveNames, measureGrowth } from './growth/growth';
import { ledgerPrices } from './ledgers';
import { measureMatrix, type Plan } from './matrix';
import { report, type Table } from './report';
import { record } from './rig/recording';
import { Rig, type Running } from './rig/rig';
import { storePrices } from './store';
import { floor, missingPackages, padron, peers, type System } from './systems';
import { type Workload, workloadsOf } from './workloads';

const usage = `npm run bench -- [--quick] [--only W1,W4,crowd,cold,linearity,blocks,store,calls,ledger,batch,early] [--without-peers]
  [--peer text]               only peers whose name contains the text
  [--build folder]            the build of padron to measure instead of dist
  [--beside name=folder]...   further builds of padron, to compare
npm run bench -- --growth [people] [processes] [rows] [accounts] [--build folder]
                              writes curves of growth into docs/`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    'without-peers': { type: 'boolean', default: false },
    peer: { type: 'string', default: '' },
    build: { type: 'string', default: join(__dirname, '../../dist') },
    beside: { type: 'string', multiple: true, default: [] },
    growth: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const quick: Plan = { warmUp: 4, rounds: 5, share: 0.12 };
const full: Plan = { warmUp: 8, rounds: 15, share: 0.25 };
const crowdMs = 2_000;
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
  if (options.growth) return measureGrowth(options.build, positionals.length > 0 ? positionals : curveNames);
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
    const [single, , , aliases] = workloads.main;
    const both = [floor, own];
    const rounds = (most: number): number => Math.min(most, plan.rounds);
    const stores = await measure('store', () => storePrices(rig, options.build, waiting, rounds(5)));
    const tables = [
      measured.length === 0 ? null : await measureMatrix(rig, all, measured, plan),
      await measure('early', () => earlyAnswers(rig, options.build, workloads.workerProfiles, 3)),
      await measure('crowd', () => crowds(rig, both, waiting, crowdMs)),
      await measure('cold', () => coldStarts(rig, both, single, rounds(5))),
      await measure('linearity', () => linearity(rig, all.slice(0, 2), aliases, tenfold, plan.rounds)),
      await measure('blocks', () => blocks(rig, both, inline)),
      stores,
      await measure('calls', () => callRates(rounds(3))),
      await measure('ledger', () => ledgerPrices(rig, options.build, single, rounds(6))),
      await measure('batch', () => batchRates(rig, options.build, recording.crowd, rounds(3))),
    ];
    const circumstances = {
      takenAt: new Date().toISOString(),
      node: process.version,
      processors: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
      minutes: (performance.now() - started) / 60_000,
      missing: absent.map((system) => `${system.name} (its packages are not installed)`),
    };
    process.stdout.write(
      report(
        circumstances,
        tables.filter((table) => table !== null),
      ),
    );
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

async function measure(name: string, take: () => Promise<Table | null>): Promise<Table | null> {
  if (!wanted(name)) return null;
  say(name);
  return take();
}

main().catch((error: unknown) => {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
});
