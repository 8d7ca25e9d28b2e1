import { openStore, type StoreSettings } from '../../../src/store/open-store';
import type { Store } from '../../../src/store/store';
import type { EngineRig } from '../stores/engines';
import { storeMigrations } from '../stores/store-migrations';
import { type RunningPadron, runPadron, type Setup } from './padron';

export interface LedgerRow {
  readonly id: string;
  readonly at: Date;
  readonly account: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly operation: string | null;
  readonly request_id: string | null;
  readonly endpoint: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly units: number;
  readonly price: number;
  readonly billing: string;
  readonly served_from: string;
  readonly validation_code: string | null;
}

/** A padron that has a store for its ledger and has not been started. The store can be read before and after it runs. */
export interface PreparedPadron {
  readonly environment: Readonly<Record<string, string>>;
  readonly store: StoreSettings;
  start(setup?: Setup): Promise<RunningPadron>;
  /** Opens the store while `use` runs. An embedded store can only be opened while no padron runs on it. */
  read<Result>(use: (store: Store) => Promise<Result>): Promise<Result>;
  readFrom<Result>(settings: StoreSettings, use: (store: Store) => Promise<Result>): Promise<Result>;
  rows(): Promise<readonly LedgerRow[]>;
}

export async function preparePadron(
  rig: EngineRig,
  settings: Readonly<Record<string, string>> = {},
): Promise<PreparedPadron> {
  const { store: location, environment } = await rig.settings();
  const read = <Result>(use: (store: Store) => Promise<Result>): Promise<Result> => readFrom(location, use);
  const readFrom = async <Result>(from: StoreSettings, use: (store: Store) => Promise<Result>): Promise<Result> => {
    const store = await openStore(from, storeMigrations);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
  return {
    environment: { ...environment, ...settings },
    store: location,
    start: async (setup = {}) => {
      const padron = await runPadron({ ...setup, environment: { ...environment, ...settings, ...setup.environment } });
      let stopping: Promise<void> | null = null;
      const stop = (): Promise<void> => {
        stopping ??= padron.stop();
        return stopping;
      };
      rig.atEnd(stop);
      return { ...padron, stop };
    },
    read,
    readFrom,
    rows: () => read((store) => store.query<LedgerRow>('SELECT * FROM ledger_entries ORDER BY id')),
  };
}
