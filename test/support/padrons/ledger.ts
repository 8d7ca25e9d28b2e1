import { batchMigrations } from '../../../src/batch/sql/migrations';
import { ledgerMigrations } from '../../../src/ledger/tables';
import { openStore, type StoreSettings } from '../../../src/store/open-store';
import type { Store } from '../../../src/store/store';
import type { EngineRig } from '../stores/engines';
import { type RunningPadron, runPadron, type Setup } from './padron';

/** A row of the ledger, as far as tests look at it. */
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

/** A padron with a ledger on an engine, and a way to read it once the padron has stopped. */
export interface KeptPadron {
  readonly environment: Readonly<Record<string, string>>;
  readonly store: StoreSettings;
  start(setup?: Setup): Promise<RunningPadron>;
  /** Opens the store while `use` runs. An embedded store must not be open in another process. */
  read<Result>(use: (store: Store) => Promise<Result>): Promise<Result>;
  /** The same of a store that is elsewhere. */
  readFrom<Result>(settings: StoreSettings, use: (store: Store) => Promise<Result>): Promise<Result>;
  rows(): Promise<readonly LedgerRow[]>;
}

export async function keptPadron(rig: EngineRig, more: Readonly<Record<string, string>> = {}): Promise<KeptPadron> {
  const { store: settings, environment } = await rig.settings();
  const read = <Result>(use: (store: Store) => Promise<Result>): Promise<Result> => readFrom(settings, use);
  const readFrom = async <Result>(location: StoreSettings, use: (store: Store) => Promise<Result>): Promise<Result> => {
    const store = await openStore(location, [...ledgerMigrations, ...batchMigrations]);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
  return {
    environment: { ...environment, ...more },
    store: settings,
    start: async (setup = {}) => {
      const padron = await runPadron({ ...setup, environment: { ...environment, ...more, ...setup.environment } });
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
