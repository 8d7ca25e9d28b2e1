import type { BatchKey } from '../batch-key';

/** Tokens of callers whose batches may run here: in memory only, unless the operator wants them sealed in the store. */
export class TokenVault {
  private readonly tokens = new Map<string, string>();
  private readonly changes = new Map<string, Promise<unknown>>();

  constructor(readonly keepsSealed: boolean) {}

  /** Holds the token from before the batch begins to run. Returns whether it began. */
  give(batch: string, token: string, begin: () => Promise<boolean>): Promise<boolean> {
    return this.change(batch, async () => {
      const wasHeld = this.tokens.has(batch);
      this.tokens.set(batch, token);
      // If the store does not answer, the batch may have begun: the token stays.
      const began = await begin();
      if (!began && !wasHeld) this.tokens.delete(batch);
      return began;
    });
  }

  /** Forgets the token of a batch if `isOver` finds that the batch cannot run any more. Returns what `isOver` found. */
  forgetIf(batch: string, isOver: () => Promise<boolean>): Promise<boolean> {
    return this.change(batch, async () => {
      const over = await isOver();
      if (over) this.tokens.delete(batch);
      return over;
    });
  }

  /** Returns the encrypted token, or null if tokens are not stored. */
  seal(batch: string, key: BatchKey, token: string): Buffer | null {
    return this.keepsSealed ? key.seal(`${batch} token`, token) : null;
  }

  find(batch: string, key: BatchKey, sealed: Buffer | null): string | null {
    const held = this.tokens.get(batch);
    if (held !== undefined) return held;
    return sealed === null ? null : key.open(`${batch} token`, sealed).toString();
  }

  /** Makes the changes of one batch one after the other: the end of one run must not take the token of the next. */
  private change(batch: string, make: () => Promise<boolean>): Promise<boolean> {
    const change = (this.changes.get(batch) ?? Promise.resolve()).then(make);
    const settled = change
      .catch(() => undefined)
      .then(() => {
        if (this.changes.get(batch) === settled) this.changes.delete(batch);
      });
    this.changes.set(batch, settled);
    return change;
  }
}
