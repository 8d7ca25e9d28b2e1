import { StoreBusyError } from '../../store/store';
import { times } from '../../times';

/**
 * Lookups of kept answers for the prices of a request. They fail together if the store fails, or answers none of them for `times.priceWait`. It
 * is then not asked again, so that no price takes longer than that.
 */
export class PriceLookups {
  private failure: unknown = null;
  private readonly waiting = new Set<(failure: unknown) => void>();
  private timer: NodeJS.Timeout | undefined;

  find<Found>(look: () => Promise<Found>): Promise<Found> {
    if (this.failure !== null) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.waiting.add(reject);
      this.timer ??= setTimeout(() => this.fail(new StoreBusyError('Kept answers took too long.')), times.priceWait);
      look()
        .then(resolve, (failure: unknown) => this.fail(failure))
        .finally(() => this.end(reject));
    });
  }

  get hasFailed(): boolean {
    return this.failure !== null;
  }

  private end(reject: (failure: unknown) => void): void {
    this.waiting.delete(reject);
    if (this.waiting.size > 0) return void this.timer?.refresh();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  fail(failure: unknown): void {
    this.failure = failure;
    for (const reject of this.waiting) reject(failure);
  }
}
