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
  /** Called when the store becomes unavailable. The listener has to retry writing until it succeeds. */
  onUnavailable: () => void = () => undefined;
  onAvailable: () => void = () => undefined;

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
    this.onUnavailable();
  }

  /** Records a successful write. Reads do not count, because a store with a full disk still answers readers. */
  recordWrite(): void {
    if (!this.isMarkedUnavailable) return;
    this.isMarkedUnavailable = false;
    this.observer.storeAvailable();
    this.onAvailable();
  }

  watch(store: Store): Store {
    const record = (error: unknown): never => {
      this.recordFailure(error);
      throw error;
    };
    return {
      engine: store.engine,
      get isOpen() {
        return store.isOpen;
      },
      query: (sql, parameters) => store.query<never>(sql, parameters).catch(record),
      read: (sql, parameters) => store.read<never>(sql, parameters).catch(record),
      runLong: (sql, parameters) => store.runLong(sql, parameters).catch(record),
      listen: (channel, onMessage) => store.listen(channel, onMessage),
      close: () => store.close(),
    };
  }
}
