import { setTimeout as sleep } from 'node:timers/promises';
import { type Store, StoreUnavailableError } from '../../store/store';
import type { SharedNames } from '../store/shared-names';
import type { ResultStore, RunningRequest, Verdict } from './request-results';

const retryMs = 1_000;
const maxAttempts = 600;

/** `first` is the ID of the first request with the key, whose result is kept. */
type OpenedRow =
  | { readonly verdict: Exclude<Verdict['kind'], 'KEPT'> }
  | { readonly verdict: 'KEPT'; readonly first: string; readonly result: Buffer };

/** Results in the store, encrypted: processes share them, and they outlive a restart. */
export class StoredResults implements ResultStore {
  constructor(
    private readonly store: Store,
    private readonly names: SharedNames,
    private readonly processName: string,
    private readonly onError: (error: unknown) => void,
  ) {}

  async open(request: RunningRequest): Promise<Verdict> {
    const { id, account, names, isErasure } = request;
    const parameters = [id, this.processName, account, JSON.stringify(names), isErasure];
    const [row] = await this.store
      .query<OpenedRow>('SELECT * FROM request_open($1, $2, $3, $4, $5)', parameters)
      .catch((error: unknown) => {
        // The store may have the request, which will not run.
        void this.close(request, null);
        throw error;
      });
    if (row?.verdict !== 'KEPT') return { kind: row?.verdict ?? 'LOST' };
    const plain = this.names.open(placeOf(row.first), row.result);
    return plain === null ? { kind: 'LOST' } : { kind: 'KEPT', result: plain.toString() };
  }

  close({ id }: RunningRequest, result: string | null): Promise<void> {
    const sealed = result === null ? null : this.names.seal(placeOf(id), Buffer.from(result));
    return this.write(id, sealed, maxAttempts);
  }

  /** Writes a result. If the store is unavailable, retries in the background. Meanwhile other requests with the key wait. */
  private async write(id: string, sealed: Buffer | null, attempts: number): Promise<void> {
    try {
      await this.store.query('SELECT request_close($1, $2)', [id, sealed]);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.onError(error);
      else if (attempts > 1)
        void sleep(retryMs, undefined, { ref: false }).then(() => this.write(id, sealed, attempts - 1));
    }
  }
}

const placeOf = (id: string): string => `request ${id}`;
