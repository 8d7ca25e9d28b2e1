import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from './store';

const firstWaitMs = 100;
const maxWaitMs = 2_000;

/** Runs a statement until the store has answered. Only for what may be carried out twice. */
export async function untilAvailable<Result>(statement: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let wait = firstWaitMs; ; wait = Math.min(maxWaitMs, 2 * wait)) {
    try {
      return await statement();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || signal.aborted) throw error;
    }
    await sleep(wait, undefined, { signal }).catch(() => undefined);
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly bytes: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const maxItems = 100;
const maxBytes = 1_000_000;

/** Gathers what comes while a statement is under way into the next: the busier a store, the more each statement carries. */
export class StatementQueue<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private isRunning = false;

  /** `run` gives a result for each item, in their order. */
  constructor(private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>) {}

  add(item: Item, bytes = 0): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, bytes, resolve, reject });
      if (!this.isRunning) void this.work();
    });
  }

  private async work(): Promise<void> {
    this.isRunning = true;
    // Those who come in the same turn of the event loop go together.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.take();
      try {
        const results = await this.run(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.isRunning = false;
  }

  private take(): readonly Waiting<Item, Result>[] {
    let bytes = 0;
    let count = 0;
    while (count < maxItems && count < this.waiting.length && (count === 0 || bytes < maxBytes)) {
      bytes += this.waiting[count]?.bytes ?? 0;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }
}
