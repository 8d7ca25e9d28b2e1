import { setTimeout as sleep } from 'node:timers/promises';
import { type PriceList, PriceListError, readPriceList } from '../../../registry/endpoint/price-list';
import { type Store, UnusableStoreError } from '../../../store/store';
import { times } from '../../../times';

const newestSql = 'SELECT list FROM price_lists ORDER BY version DESC LIMIT 1';

/** Puts a list that is newer than all others. Nothing changes otherwise. */
const putSql = `INSERT INTO price_lists (version, list)
  SELECT $1, $2 WHERE $1 > coalesce((SELECT max(version) FROM price_lists), 0) ON CONFLICT DO NOTHING RETURNING pg_notify('padron', '')`;

/** Counts the live processes that still price by an older list. A process of a version without price lists has none. */
const behindSql = `SELECT count(*)::integer AS count FROM processes
  WHERE seen_at > clock_timestamp() - $2 * interval '1 millisecond' AND (settings->>'PRICE_LIST')::integer < $1`;

export interface PriceObserver {
  /** A newer list is in force. `isOwn`: this process has put it into the store. */
  pricesChanged(version: number, isOwn: boolean): void;
}

/** Keeps the list of this process and that of its store the same: the newer one of both. */
export class StoredPrices {
  /** No call is opened by an older list than this: it may have been replaced before its request began, or padron does not understand its successor. */
  private oldest = 0;

  constructor(
    private readonly store: Store,
    private readonly holder: { prices: PriceList },
    private readonly observer: PriceObserver,
  ) {}

  /**
   * Agrees with the store before this process serves. A new list is in force when every live process prices by it, so that no old price is shown
   * after a new one.
   */
  async begin(): Promise<void> {
    const { version, text } = this.holder.prices;
    const isPut = version > 0 && (await this.store.query(putSql, [version, text])).length > 0;
    if (isPut) {
      this.observer.pricesChanged(version, true);
      return this.waitForOthers(version);
    }
    const newest = await this.newest();
    if (newest?.version === version && newest.text !== text)
      throw new UnusableStoreError(
        `PRICE_LIST: the store has another list of version ${version}. Raise the version of the list that you have changed.`,
      );
    this.replace(newest);
  }

  /** Whether a request that began with a list may pay by it. */
  isInForce({ version }: PriceList): boolean {
    return version >= this.oldest;
  }

  /** Takes the store's newest list after a time without the store, in which others may have priced by it. */
  async comeBack(): Promise<void> {
    this.replace(await this.newest());
  }

  /** Takes the store's newest list, which has this version, if it is newer than that of this process. */
  async follow(version: number | null): Promise<void> {
    if (version === null || version <= Math.max(this.holder.prices.version, this.oldest)) return;
    try {
      this.take(await this.newest());
    } catch (error) {
      if (error instanceof UnusableStoreError) this.oldest = version;
      throw error;
    }
  }

  private async newest(): Promise<PriceList | null> {
    const [row] = await this.store.query<{ readonly list: string }>(newestSql);
    try {
      return row === undefined ? null : readPriceList(row.list, null);
    } catch (error) {
      if (!(error instanceof PriceListError)) throw error;
      throw new UnusableStoreError(
        `PRICE_LIST: this version of padron does not understand the list of the store. Update padron, or put a list with a higher version. ${error.message}`,
      );
    }
  }

  private replace(list: PriceList | null): void {
    if (list !== null && list.version > this.holder.prices.version) this.oldest = list.version;
    this.take(list);
  }

  private take(list: PriceList | null): void {
    if (list === null || list.version <= this.holder.prices.version) return;
    this.holder.prices = list;
    this.observer.pricesChanged(list.version, false);
  }

  private async waitForOthers(version: number): Promise<void> {
    for (const began = performance.now(); performance.now() - began < times.lease; await sleep(times.pricesPoll)) {
      const [behind] = await this.store.query<{ readonly count: number }>(behindSql, [version, times.lease]);
      if (behind?.count === 0) return;
    }
  }
}
