import { setTimeout as sleep } from 'node:timers/promises';
import { type Store, StoreUnavailableError } from '../../store/store';
import type { SharedNames } from '../store/shared-names';
import type { ResultStore, RunningRequest, Verdict } from './request-results';

const retryMs = 1_000;
const maxUnwritten = 10_000;

/** `first` is the ID of the first request with the key, whose result is kept. */
type OpenedRow =
  | { readonly verdict: Exclude<Verdict['kind'], 'KEPT'> }
  | { readonly verdict: 'KEPT'; readonly first: string; readonly result: Buffer };

/** Results in the store, encrypted: processes share them, and they outlive a restart. */
export class StoredResults implements ResultStore {
  private readonly unwritten = new Map<string, Buffer | null>();
  private retrying: Promise<void> | null = null;

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

  async close({ id }: RunningRequest, result: string | null): Promise<void> {
    const sealed = result === null ? null : this.names.seal(placeOf(id), Buffer.from(result));
    if (!(await this.write(id, sealed)) && this.unwritten.size < maxUnwritten) this.unwritten.set(id, sealed);
    if (this.unwritten.size > 0) this.retrying ??= this.retry();
  }

  /** Writes the results that the store has missed. Meanwhile other requests with their keys wait. */
  private async retry(): Promise<void> {
    while (this.unwritten.size > 0) {
      await sleep(retryMs, undefined, { ref: false });
      for (const [id, sealed] of this.unwritten) {
        if (!(await this.write(id, sealed))) break;
        this.unwritten.delete(id);
      }
    }
    this.retrying = null;
  }

  /** Returns whether the result is written, or never can be. */
  private async write(id: string, sealed: Buffer | null): Promise<boolean> {
    try {
      await this.store.query('SELECT request_close($1, $2)', [id, sealed]);
      return true;
    } catch (error) {
      if (error instanceof StoreUnavailableError) return false;
      this.onError(error);
      return true;
    }
  }
}

const placeOf = (id: string): string => `request ${id}`;
