import { migrate, type OtherProcesses } from './migrate';
import type { Engine, Session } from './store';
import { type Migration, type Store, type StoreParameter, StoreUnavailableError, UnusableStoreError } from './store';

/** Location of the store. Rows in `memory` are lost when the process ends. */
export type StoreSettings =
  | { readonly kind: 'memory' }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Opens a store and migrates it. Rejects with `UnusableStoreError` if the store cannot be used. If a database server is unavailable,
 * the store is returned anyway and each statement tries to connect again. So it is if this process may not migrate PostgreSQL. The first
 * statement opens a store in memory. Without `processes`, a breaking migration waits for no process.
 */
export async function openStore(
  settings: StoreSettings,
  migrations: readonly Migration[],
  processes: OtherProcesses | null = null,
  mayMigrate = true,
): Promise<Store> {
  const isShared = settings.kind === 'postgres';
  const engine = await createEngine(settings);
  const migrateIn = (session: Session) =>
    migrate(session, migrations, isShared ? processes : null, mayMigrate || !isShared);
  const store = new LazyStore(engine, migrateIn, settings.kind === 'memory');
  if (settings.kind === 'memory') return store;
  try {
    await store.open();
  } catch (error) {
    const isUnavailable = error instanceof StoreUnavailableError;
    if (isUnavailable && isShared) return store;
    await store.close();
    throw isUnavailable ? new UnusableStoreError(`DATA_DIR cannot be used. ${error.message}`) : error;
  }
  return store;
}

/** Names a store without the user and the password. */
export const placeOf = (settings: Exclude<StoreSettings, { readonly kind: 'memory' }>): string =>
  settings.kind === 'folder' ? settings.path : `PostgreSQL at ${new URL(settings.url).host || 'a local socket'}`;

/** Creates the engine for a location. Only the module of that engine is loaded. */
export async function createEngine(settings: StoreSettings): Promise<Engine> {
  if (settings.kind === 'postgres') return new (await import('./postgres-engine.js')).PostgresEngine(settings.url);
  const { EmbeddedEngine } = await import('./embedded/embedded-engine.js');
  return new EmbeddedEngine(settings.kind === 'folder' ? settings.path : null);
}

class LazyStore implements Store {
  isOpen = false;
  private opening: Promise<void> | null = null;
  private isClosed = false;

  constructor(
    private readonly engineInUse: Engine,
    private readonly migrateIn: (session: Session) => Promise<unknown>,
    private readonly isInMemory: boolean,
  ) {}

  get engine(): Store['engine'] {
    return this.engineInUse.name;
  }

  get connections(): Store['connections'] {
    return this.engineInUse.connections;
  }

  /** Opens the engine once. After a failure the next call tries again. */
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

  async queryAhead<Row extends object>(
    sql: string,
    parameters: readonly StoreParameter[] = [],
  ): Promise<readonly Row[]> {
    await this.openForUse();
    return (await this.engineInUse.queryAhead(sql, parameters)) as readonly Row[];
  }

  async runLong(sql: string, parameters: readonly StoreParameter[]): Promise<void> {
    await this.openForUse();
    await this.engineInUse.withSession((session) => session.query(sql, parameters));
  }

  listen(channel: string, onMessage: (message: string) => void): () => Promise<void> {
    return this.engineInUse.listen?.(channel, onMessage) ?? (async () => undefined);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    // A store in memory has no data to protect, so an opening that is still running is not awaited.
    if (this.isOpen || !this.isInMemory) await this.opening?.catch(() => undefined);
    await this.engineInUse.close();
  }

  private async openForUse(): Promise<void> {
    if (this.isClosed) throw new StoreUnavailableError('The store is closed.');
    try {
      await this.open();
    } catch (error) {
      // The store was unavailable at the start. The operator can still fix why it is unusable, so this process keeps running.
      throw error instanceof UnusableStoreError ? new StoreUnavailableError(error.message) : error;
    }
  }

  private async openEngine(): Promise<void> {
    await this.engineInUse.connect();
    await this.engineInUse.withSession(this.migrateIn);
    this.isOpen = true;
  }
}
