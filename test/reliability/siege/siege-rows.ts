import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreSettings } from '../../../src/store/open-store';
import { type EngineName, engines } from '../../support/stores/engines';
import { type PostgresCluster, startPostgres } from '../../support/stores/postgres';
import { runSiege, type SiegeResult } from './run-siege';
import { foldersOf } from './siege';

/** Number of actions after which a siege ends and is checked. The next one has another seed. */
const actionsPerSiege = 400;
const actionsPerTrouble = 25;
const msPerMinute = 60_000;

export interface SiegeRows {
  readonly rows: readonly (readonly string[])[];
  readonly faults: readonly string[];
}

/** Runs sieges for some minutes, alternately on the two stores. */
export async function siegeRows(minutes: number): Promise<SiegeRows> {
  const results: SiegeResult[] = [];
  const faults: string[] = [];
  const end = performance.now() + minutes * msPerMinute;
  for (let seed = 1; performance.now() < end; seed += 1) {
    const engine = engines[seed % engines.length] ?? 'postgres';
    const result = await siegeOn(engine, seed, (actions) => actions < actionsPerSiege && performance.now() < end);
    results.push(result);
    faults.push(...result.faults.map((fault) => `seed ${seed} on ${engine}: ${fault}`));
  }
  const sum = (figure: (result: SiegeResult) => number): string =>
    String(results.reduce((total, result) => total + figure(result), 0));
  const rows = [
    [`sieges, on ${engines.join(' and ')}`, String(results.length)],
    [
      'random actions; kills, outages of PostgreSQL and new orders of keys',
      `${sum(({ actions }) => actions)}; ${sum(({ troubles }) => troubles)}`,
    ],
    ['questions asked of three processes at once, each paid once', sum(({ askedTogether }) => askedTogether)],
    ['batches, calls of the service', `${sum(({ batches }) => batches)}, ${sum(({ calls }) => calls)}`],
    ['wrong rows, owners and sums', String(faults.length)],
  ];
  return { rows, faults };
}

async function siegeOn(engine: EngineName, seed: number, lasts: (actions: number) => boolean): Promise<SiegeResult> {
  const cluster: PostgresCluster | null = engine === 'postgres' ? await startPostgres() : null;
  const root = mkdtempSync(join(tmpdir(), 'padron-siege-'));
  try {
    const url = await cluster?.createDatabase();
    const folders = url === undefined ? [root] : foldersOf(root, 3);
    const store: StoreSettings = url === undefined ? { kind: 'folder', path: root } : { kind: 'postgres', url };
    const environment = url === undefined ? {} : { DATABASE_URL: url };
    return await runSiege({ store, environment, folders, cluster, seed, actionsPerTrouble, lasts });
  } finally {
    await cluster?.remove();
    rmSync(root, { recursive: true, force: true });
  }
}
