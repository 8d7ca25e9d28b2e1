import type { BatchKey } from '../open-batch';

/** Tokens of the callers whose batches run in this process. They are only in memory, unless the operator set `BATCH_TOKENS=sealed`. */
export class TokenStore {
  private readonly tokens = new Map<string, string>();
  private readonly changes = new Map<string, Promise<unknown>>();

  /** If `isSealed`, the tokens are also stored, so that any process can run the batches. */
  constructor(readonly isSealed: boolean) {}

  /** Holds the token in memory, then starts the batch. Deletes the token if the batch did not start. Returns whether it started. */
  hold(batch: string, token: string, start: () => Promise<boolean>): Promise<boolean> {
    return this.change(batch, async () => {
      const wasHeld = this.tokens.has(batch);
      this.tokens.set(batch, token);
      // If `start` rejects, the batch may have started all the same, so the token stays.
      const isStarted = await start();
      if (!isStarted && !wasHeld) this.tokens.delete(batch);
      return isStarted;
    });
  }

  deleteIf(batch: string, isOver: () => Promise<boolean>): Promise<boolean> {
    return this.change(batch, async () => {
      const over = await isOver();
      if (over) this.tokens.delete(batch);
      return over;
    });
  }

  seal(batch: string, key: BatchKey, token: string): Buffer | null {
    return this.isSealed ? key.seal(`${batch} token`, token) : null;
  }

  get(batch: string, key: BatchKey, sealed: Buffer | null): string | null {
    const held = this.tokens.get(batch);
    if (held !== undefined) return held;
    return sealed === null ? null : key.open(`${batch} token`, sealed).toString();
  }

  /** Runs the changes of one batch one after another, so that the end of one run does not delete the token of the next. */
  private change(batch: string, run: () => Promise<boolean>): Promise<boolean> {
    const change = (this.changes.get(batch) ?? Promise.resolve()).then(run);
    const settled = change
      .catch(() => undefined)
      .then(() => {
        if (this.changes.get(batch) === settled) this.changes.delete(batch);
      });
    this.changes.set(batch, settled);
    return change;
  }
}
