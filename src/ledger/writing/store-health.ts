import { type Store, StoreBusyError, StoreUnavailableError } from '../../store/store';

/** Reports when the store of the ledger becomes unavailable, and when it is available again. */
export interface StoreObserver {
  /** `reason` holds no secret. */
  storeUnavailable(reason: string): void;
  storeAvailable(): void;
}

/** Whether the store was available when it was last used, by whichever statement that was. */
export class StoreHealth {
  private isMarked = false;
  /** Called when the store becomes unavailable: it is to be tried until it answers. */
  onUnavailable: () => void = () => undefined;

  constructor(private readonly observer: StoreObserver) {}

  get isAway(): boolean {
    return this.isMarked;
  }

  recordFailure(error: unknown): void {
    if (this.isMarked || !(error instanceof StoreUnavailableError) || error instanceof StoreBusyError) return;
    this.isMarked = true;
    this.observer.storeUnavailable(error.message);
    this.onUnavailable();
  }

  /** Records a successful write. Reads do not count, because a store with a full disk still answers readers. */
  recordWrite(): void {
    if (!this.isMarked) return;
    this.isMarked = false;
    this.observer.storeAvailable();
  }

  /** Returns the store with every failure recorded. */
  watch(store: Store): Store {
    const record = (error: unknown): never => {
      this.recordFailure(error);
      throw error;
    };
    return {
      engine: store.engine,
      query: (sql, parameters) => store.query<never>(sql, parameters).catch(record),
      read: (sql, parameters) => store.read<never>(sql, parameters).catch(record),
      runLong: (sql, parameters) => store.runLong(sql, parameters).catch(record),
      close: () => store.close(),
    };
  }
}
