import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreSettings } from '../../../src/store/open-store';
import { type EngineName, engines } from '../../support/stores/engines';
import { type PostgresCluster, startPostgres } from '../../support/stores/postgres';
import { runSiege, type SiegeResult } from './run-siege';
import type { SiegeSetup } from './siege';

/** Number of troubles after which a siege ends and is checked. The next one has another seed. */
const troublesPerSiege = 16;
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
