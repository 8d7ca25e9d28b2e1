import { type Store, StoreBusyError, StoreUnavailableError } from './store';

export interface StoreObserver {
  /** `reason` does not contain secrets. */
  storeUnavailable(reason: string): void;
  storeAvailable(): void;
}

/** Health of the store. A statement that does not reach the store marks it as unavailable, and a successful write as available. */
export class StoreHealth {
  private isMarkedUnavailable = false;
  private isEnded = false;

  constructor(private readonly observer: StoreObserver) {}

  get isUnavailable(): boolean {
    return this.isMarkedUnavailable;
  }

  /** Ends the reports. A statement that runs while the process closes its connections says nothing about the store. */
  end(): void {
    this.isEnded = true;
  }

  recordFailure(error: unknown): void {
    if (
      this.isEnded ||
      this.isMarkedUnavailable ||
      !(error instanceof StoreUnavailableError) ||
      error instanceof StoreBusyError
    )
      return;
    this.isMarkedUnavailable = true;
    this.observer.storeUnavailable(error.message);
  }

  /** Records a successful write. Reads do not count, because a store with a full disk still answers readers. */
  recordWrite(): void {
    if (!this.isMarkedUnavailable) return;
    this.isMarkedUnavailable = false;
    this.observer.storeAvailable();
  }

  watch(store: Store): Store {
    const record = (error: unknown): never => {
      this.recordFailure(error);
      throw error;
    };
    return {
      engine: store.engine,
      get connections() {
        return store.connections;
      },
      get isOpen() {
        return store.isOpen;
      },
      query: (sql, parameters) => store.query<never>(sql, parameters).catch(record),
      queryAhead: (sql, parameters) => store.queryAhead<never>(sql, parameters).catch(record),
      read: (sql, parameters) => store.read<never>(sql, parameters).catch(record),
      runLong: (sql, parameters) => store.runLong(sql, parameters).catch(record),
      listen: (channel, onMessage) => store.listen(channel, onMessage),
      close: () => store.close(),
    };
  }
}
