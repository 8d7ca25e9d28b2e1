import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../../src/extensions/sandbox/data/random';
import { openStore, type StoreSettings } from '../../../src/store/open-store';
import { type EngineName, engines } from '../../support/stores/engines';
import { type PostgresCluster, startPostgres } from '../../support/stores/postgres';
import { storeMigrations } from '../../support/stores/store-migrations';
import { Siege, type SiegedBatch, type SiegeSetup, type Spender, spenders } from './siege';
import { askTogether, internUnits, sendBudget, takeAction } from './siege-actions';
import { expectEnded, expectMoney, expectOwnership, expectRows, SiegeFault } from './siege-checks';

export interface SiegeRun extends SiegeSetup {
  readonly store: StoreSettings;
  readonly seed: number;
  /** Whether the siege continues after a number of troubles. */
  readonly lasts: (troubles: number) => boolean;
}

export interface SiegeResult {
  readonly actions: number;
  readonly troubles: number;
  readonly askedTogether: number;
  readonly batches: number;
  readonly calls: number;
  /** Faults that were found. A fault that an action found begins with `action`. */
  readonly faults: readonly string[];
}

/** Takes random actions among troubles, waits until all batches have ended, and compares padron's sums with the service. */
export async function runSiege(run: SiegeRun): Promise<SiegeResult> {
  const siege = await Siege.start(run, seededRandom(`siege ${run.seed}`));
  const faults = new Set<string>();
  const note = async (kind: string, expectation: () => Promise<unknown>): Promise<void> => {
    await expectation().catch((error: unknown) => {
      // A process that restarts takes no connections. With an embedded store it is the only one.
      if (kind === 'action' && isConnectionError(error)) return;
      if (!(error instanceof SiegeFault)) throw error;
      faults.add(kind === '' ? error.message : `${kind}: ${error.message}`);
    });
  };
  try {
    await sendBudget(siege, { client: 'intern', tag: null, period: 'DAY', units: internUnits, alertsAt: [] });
    for (const owner of [...spenders, ...spenders]) await siege.create(owner, 20);
    // One before the first trouble, because all later ones may meet one.
    await note('action', () => askTogether(siege));
    let actions = 0;
    const lasts = (): boolean => run.lasts(siege.troubles);
    const act = async (): Promise<void> => {
      for (; lasts(); actions += 1) {
        await note('action', () => takeAction(siege));
        await sleep(pauseMs);
      }
    };
    const players = Array.from({ length: playerCount }, act);
    while (lasts()) {
      await siege.makeTrouble();
      // With one process, nothing is answered during a trouble.
      await sleep(calmMs);
    }
    await Promise.all(players);
    await settle(siege);
    for (const batch of siege.batches.filter(({ isErased }) => !isErased)) {
      await note('', () => expectRows(siege, batch));
      await note('ownership', () => expectOwnership(siege, batch));
    }
    await note('', () => expectBudgets(siege));
    await siege.end();
    const store = await openStore(run.store, storeMigrations);
    await note('', () => expectEnded(store));
    for (const fault of await expectMoney(siege, store)) faults.add(fault);
    await store.close();
    const { troubles, askedTogether, batches, service } = siege;
    const counts = { actions, troubles, askedTogether, batches: batches.length, calls: service.calls.length };
    return { ...counts, faults: [...faults] };
  } finally {
    await siege.close();
  }
}

/** Clients that act at the same time, and the pause of each after an action. */
const playerCount = 4;
const pauseMs = 150;

const isOver = (state: string): boolean => state === 'DONE' || state === 'CANCELED' || state === 'ERASED';
const settleMs = 180_000;

/** Milliseconds between two troubles. */
const calmMs = 3_000;

const isConnectionError = (error: unknown): boolean =>
  /^(ECONN|EPIPE|UND_ERR_)/.test(String((error as NodeJS.ErrnoException).code));

/** Brings each batch to its end, except batches that a budget stops. */
async function settle(siege: Siege): Promise<void> {
  siege.lossPercent = 0;
  await siege.persist(() =>
    sendBudget(siege, { client: 'payroll', tag: null, period: 'DAY', units: 1_000_000, alertsAt: [] }),
  );
  const end = performance.now() + settleMs;
  for (const batch of siege.batches)
    while (!(await isSettled(siege, batch))) {
      if (performance.now() > end) throw new Error(`A batch of ${batch.owner} did not end: ${batch.id}.`);
      await sleep(100);
    }
}

async function isSettled(siege: Siege, batch: SiegedBatch): Promise<boolean> {
  const client = siege.as(batch.owner);
  const { state, reason, progress } = await siege.persist(() => client.get(batch.id));
  if (state === 'ERASED') batch.isErased = true;
  if (isOver(state)) return state !== 'CANCELED' || progress.waiting === 0;
  if (state === 'PAUSED' && reason?.code === 'BUDGET_EXHAUSTED' && batch.owner === 'intern') return true;
  if (state === 'READY')
    await client.change(`startRegistryBatch(id: "${batch.id}", maxUnits: 1000, earlierAnswers: PAY_AGAIN)`);
  if (state === 'PAUSED') await client.change(`resumeRegistryBatch(id: "${batch.id}", maxUnits: 1000)`);
  return false;
}

interface ShownBudget {
  readonly client: Spender | null;
  readonly units: number;
  readonly spentUnits: number;
  readonly uncertainUnits: number;
}

/** Expects the budgets to count the service's charges, and the budget that never changed not to be exceeded. */
async function expectBudgets(siege: Siege): Promise<void> {
  const query = '{ registryBudgets { client units spentUnits uncertainUnits } }';
  const { registryBudgets } = await siege.as('auditor').ask(query);
  for (const client of spenders) {
    const budget = (registryBudgets as readonly ShownBudget[]).find((shown) => shown.client === client);
    if (budget === undefined) continue;
    const people = siege.batches.filter(({ owner }) => owner === client).flatMap((batch) => batch.people);
    const charged = [...siege.charges([...people, ...siege.asked[client]]).values()].reduce(
      (sum, units) => sum + units,
      0,
    );
    const { units, spentUnits, uncertainUnits } = budget;
    if (charged < spentUnits || charged > spentUnits + uncertainUnits)
      throw new SiegeFault(`budget of ${client}: charged ${charged}, spent ${spentUnits}, uncertain ${uncertainUnits}`);
    if (client === 'intern' && charged > units) throw new SiegeFault(`intern was charged ${charged} of ${units}`);
  }
}

/** Number of troubles after which a siege ends and is checked. The next one has another seed. */
const troublesPerSiege = 16;
const msPerMinute = 60_000;

/** Runs sieges for some minutes, alternately on the two stores. */
export async function siegeRows(
  minutes: number,
): Promise<{ readonly rows: readonly (readonly string[])[]; readonly faults: readonly string[] }> {
  const results: SiegeResult[] = [];
  const faults: string[] = [];
  const end = performance.now() + minutes * msPerMinute;
  for (let seed = 1; performance.now() < end; seed += 1) {
    const engine = engines[seed % engines.length] ?? 'postgres';
    const result = await siegeOn(engine, seed, (troubles) => troubles < troublesPerSiege && performance.now() < end);
    results.push(result);
    faults.push(...result.faults.map((fault) => `seed ${seed} on ${engine}: ${fault}`));
  }
  const sum = (figure: (result: SiegeResult) => number): string =>
    String(results.reduce((total, result) => total + figure(result), 0));
  const rows = [
    [`sieges, on ${engines.join(' and ')}`, String(results.length)],
    [
      'random actions; kills and stops of processes, outages of PostgreSQL, restarts with other keys',
      `${sum(({ actions }) => actions)}; ${sum(({ troubles }) => troubles)}`,
    ],
    ['questions asked of three processes at once, each paid once', sum(({ askedTogether }) => askedTogether)],
    ['batches, calls of the service', `${sum(({ batches }) => batches)}, ${sum(({ calls }) => calls)}`],
    ['wrong rows, owners and sums', String(faults.length)],
  ];
  return { rows, faults };
}

async function siegeOn(engine: EngineName, seed: number, lasts: (troubles: number) => boolean): Promise<SiegeResult> {
  const cluster: PostgresCluster | null = engine === 'postgres' ? await startPostgres() : null;
  const folder = mkdtempSync(join(tmpdir(), 'padron-siege-'));
  try {
    return await runSiege({ ...(await setupOf(cluster, folder)), seed, lasts });
  } finally {
    cluster?.thaw();
    await cluster?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function setupOf(
  cluster: PostgresCluster | null,
  folder: string,
): Promise<SiegeSetup & { readonly store: StoreSettings }> {
  if (cluster === null) {
    const environment = { DATA_DIR: folder };
    return { store: { kind: 'folder', path: folder }, environment, folder, processes: 1, server: null };
  }
  const role = 'besieged';
  const url = await cluster.createDatabase(role);
  const store = { kind: 'postgres', url } as const;
  return { store, environment: { DATABASE_URL: url }, folder, processes: 3, server: { cluster, role } };
}
