import type { BatchKey } from '../batch-key';

/** Tokens of callers whose batches may run here: in memory only, unless the operator wants them sealed in the store. */
export class TokenVault {
  private readonly tokens = new Map<string, string>();

  constructor(readonly keepsSealed: boolean) {}

  put(batch: string, token: string): void {
    this.tokens.set(batch, token);
  }

  forget(batch: string): void {
    this.tokens.delete(batch);
  }

  /** What stands in the store; null where nothing may. */
  seal(batch: string, key: BatchKey, token: string): Buffer | null {
    return this.keepsSealed ? key.seal(`${batch} token`, token) : null;
  }

  find(batch: string, key: BatchKey, sealed: Buffer | null): string | null {
    const held = this.tokens.get(batch);
    if (held !== undefined) return held;
    return sealed === null ? null : key.open(`${batch} token`, sealed).toString();
  }
}
