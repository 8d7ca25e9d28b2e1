import { setTimeout as sleep } from 'node:timers/promises';
import { times } from '../times';
import { StoreUnavailableError } from './store';

/** Retries a statement until the store answers. The statement must be idempotent. */
export async function retryUntilAvailable<Result>(
  statement: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const { first, max } = times.statementRetry;
  for (let wait = first; ; wait = Math.min(max, 2 * wait)) {
    try {
      return await statement();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || signal.aborted) throw error;
    }
    await sleep(wait, undefined, { signal }).catch(() => undefined);
  }
}

interface QueuedItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/** Groups the items that arrive while a statement runs into the next statement. A busier store gets larger statements. */
export class StatementBatcher<Item, Result> {
  private readonly queue: QueuedItem<Item, Result>[] = [];
  private isRunning = false;

  /** `run` must return one result per item, in the same order. The next statement does not wait for a result that is a promise. */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>,
    private readonly maxItems = 100,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      if (!this.isRunning) void this.flush();
    });
  }

  private async flush(): Promise<void> {
    this.isRunning = true;
    // Items added in the same turn of the event loop share a statement.
    await Promise.resolve();
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0, this.maxItems);
      try {
        const results = await this.run(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result | Promise<Result>);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.isRunning = false;
  }
}

/** Looks up rows, each by the names of one thing. `read` gets the names of all things that are looked up together. */
export const lookupsByName = <Row extends { readonly name: string }>(
  read: (names: readonly string[]) => Promise<readonly Row[]>,
) =>
  new StatementBatcher<readonly string[], Row | undefined>(async (things) => {
    const byName = new Map((await read(things.flat())).map((row) => [row.name, row]));
    return things.map((names) => names.flatMap((name) => byName.get(name) ?? [])[0]);
  });
