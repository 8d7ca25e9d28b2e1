import type { Engine } from './engine';
import { migrate } from './migrate';
import { type Migration, type Store, type StoreParameter, StoreRefusedError, StoreUnavailableError } from './store';

/** Where rows are kept. `memory`: gone with the process. */
export type StoreSettings =
  | { readonly kind: 'memory' }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Opens a store and brings it up to date. Rejects with `StoreRefusedError` where it cannot be used; a server that is away does not
 * hold up the start, it is tried again by each statement. What is in memory is opened by the first statement.
 */
export async function openStore(settings: StoreSettings, migrations: readonly Migration[]): Promise<Store> {
  const store = new LazyStore(await engineOf(settings), migrations);
  if (settings.kind === 'memory') return store;
  try {
    await store.open();
  } catch (error) {
    const isAway = error instanceof StoreUnavailableError;
    if (isAway && settings.kind === 'postgres') return store;
    await store.close();
    throw isAway ? new StoreRefusedError(`DATA_DIR cannot be used. ${error.message}`) : error;
  }
  return store;
}

/** Only what is wanted is loaded. */
async function engineOf(settings: StoreSettings): Promise<Engine> {
  if (settings.kind === 'postgres') return new (await import('./postgres-engine.js')).PostgresEngine(settings.url);
  const { EmbeddedEngine } = await import('./embedded/embedded-engine.js');
  return new EmbeddedEngine(settings.kind === 'folder' ? settings.path : null);
}

class LazyStore implements Store {
  private opening: Promise<void> | null = null;
  private isClosed = false;

  constructor(
    private readonly engineInUse: Engine,
    private readonly migrations: readonly Migration[],
  ) {}

  get engine(): Store['engine'] {
    return this.engineInUse.name;
  }

  /** Once; again where it failed. */
  open(): Promise<void> {
    this.opening ??= this.openEngine().catch((error: unknown) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  async query<Row extends object>(sql: string, parameters: readonly StoreParameter[] = []): Promise<readonly Row[]> {
    await this.openForUse();
    return (await this.engineInUse.query(sql, parameters)) as readonly Row[];
  }

  async read<Row extends object>(sql: string, parameters: readonly StoreParameter[] = []): Promise<readonly Row[]> {
    await this.openForUse();
    return (await this.engineInUse.read(sql, parameters)) as readonly Row[];
  }

  async runLong(sql: string, parameters: readonly StoreParameter[]): Promise<void> {
    await this.openForUse();
    await this.engineInUse.withSession((session) => session.query(sql, parameters));
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.opening?.catch(() => undefined);
    await this.engineInUse.close();
  }

  private async openForUse(): Promise<void> {
    if (this.isClosed) throw new StoreUnavailableError('The store is closed.');
    try {
      await this.open();
    } catch (error) {
      // It was away at the start. Who runs it may mend what it refuses now, and this process goes on until then.
      throw error instanceof StoreRefusedError ? new StoreUnavailableError(error.message) : error;
    }
  }

  private async openEngine(): Promise<void> {
    await this.engineInUse.connect();
    await this.engineInUse.withSession((session) => migrate(session, this.migrations));
  }
}
