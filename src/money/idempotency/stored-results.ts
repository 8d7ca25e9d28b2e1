import { setTimeout as sleep } from 'node:timers/promises';
import { retryUntilAvailable } from '../../store/statement-batcher';
import { type Store, StoreUnavailableError } from '../../store/store';
import { times } from '../../times';
import type { SharedNames } from '../answers/shared-names';
import { chunkRows, deleteAt, type PurgeJob } from '../ledger/entries/purge';
import { isTooLarge, type ResultStore, type RunningRequest, type Verdict } from './request-results';

const expired = `SELECT ctid FROM request_results WHERE expires_at < now() ORDER BY expires_at LIMIT ${chunkRows}`;

export const purgeResults: PurgeJob = async (store, signal) => ({
  request_results: await deleteAt(store, signal, 'request_results', expired, []),
});

const maxUnwritten = 10_000;

/** `first` is the ID of the first request with the key, whose result is kept. */
type OpenedRow =
  | { readonly verdict: Exclude<Verdict['kind'], 'KEPT'> }
  | { readonly verdict: 'KEPT'; readonly first: string; readonly result: Buffer };

type ResultOwner = Pick<RunningRequest, 'account' | 'owner'>;

interface Closing extends ResultOwner {
  readonly id: string;
  readonly content: Buffer | null;
  readonly batches: readonly string[];
}

/** Results in the store, encrypted: processes share them, and they outlive a restart. */
export class StoredResults implements ResultStore {
  private readonly unwritten = new Map<string, Closing>();
  private retrying: Promise<void> | null = null;

  constructor(
    private readonly store: Store,
    private readonly names: SharedNames,
    private readonly processName: string,
    /** Returns the bytes that are left for results of an owner, and of all. */
    private readonly bytesLeft: (owner: ResultOwner) => Promise<{ readonly account: number; readonly total: number }>,
    /** Milliseconds that a request waits for a store that does not reply. */
    private readonly waitMs: number,
    private readonly onError: (error: unknown) => void,
    /** Receives the work that a stop waits for. */
    private readonly onRetry: (retrying: Promise<void>) => void,
  ) {}

  async open(request: RunningRequest): Promise<Verdict> {
    const { id, account, names, isErasure } = request;
    const parameters = [id, this.processName, account, JSON.stringify(names), isErasure];
    const open = () => this.store.query<OpenedRow>('SELECT * FROM request_open($1, $2, $3, $4, $5)', parameters);
    const [row] = await retryUntilAvailable(open, AbortSignal.timeout(this.waitMs)).catch((error: unknown) => {
      // The store may have the request, which will not run.
      void this.close(request, null, []);
      throw error;
    });
    if (row?.verdict !== 'KEPT') return { kind: row?.verdict ?? 'LOST' };
    const plain = this.names.open(contextOf(row.first), row.result);
    return plain === null ? { kind: 'LOST' } : { kind: 'KEPT', result: plain.toString() };
  }

  async close(
    { id, account, owner }: RunningRequest,
    result: string | null,
    batches: readonly string[],
  ): Promise<boolean> {
    const toContent = (text: string): Buffer =>
      isTooLarge(text) ? Buffer.alloc(0) : this.names.seal(contextOf(id), Buffer.from(text));
    const content = result === null ? null : toContent(result);
    const closing = { id, account, owner, content, batches };
    const isKept = await this.write(closing);
    if (isKept !== null) return isKept;
    const isWaiting = this.unwritten.size < maxUnwritten;
    if (isWaiting) this.unwritten.set(id, closing);
    this.retrying ??= this.retry();
    this.onRetry(this.retrying);
    return isWaiting && content !== null && content.length > 0;
  }

  /** Writes the results that the store has missed. Meanwhile other requests with their keys wait. */
  private async retry(): Promise<void> {
    while (this.unwritten.size > 0) {
      await sleep(times.resultRetry, undefined, { ref: false });
      for (const [id, closing] of this.unwritten) {
        if ((await this.write(closing)) === null) break;
        this.unwritten.delete(id);
      }
    }
    this.retrying = null;
  }

  /** Returns whether the store keeps the result, or null if it is unavailable. */
  private async write({ id, account, owner, content, batches }: Closing): Promise<boolean | null> {
    try {
      const left = await this.bytesLeft({ account, owner });
      const closing = [id, content, JSON.stringify(batches), owner, left.account, left.total];
      const sql = 'SELECT request_close($1, $2, $3, $4, $5, $6) AS kept';
      const [row] = await this.store.query<{ readonly kept: boolean }>(sql, closing);
      return row?.kept === true;
    } catch (error) {
      if (error instanceof StoreUnavailableError) return null;
      this.onError(error);
      return false;
    }
  }
}

const contextOf = (id: string): string => `request ${id}`;
