import type { RedisClient, Reply } from './redis-client';
import { withTimeout } from './with-timeout';

const baseTimeoutMs = 250;
/** A slow network's: ten megabytes may take two seconds more. */
const bytesPerMs = 5_000;

/**
 * Connection for large answers, which would delay small ones. It has its own timeout and reconnects separately: a late
 * large answer says nothing about the store.
 */
export class BulkConnection {
  constructor(private readonly client: RedisClient) {}

  get isReady(): boolean {
    return this.client.isReady;
  }

  /** Sends a command. Returns null if there is no answer in time for so many bytes. */
  async ask(send: (client: RedisClient) => Promise<Reply>, bytes: number): Promise<{ readonly reply: Reply } | null> {
    if (!this.client.isReady) return null;
    const outcome = await withTimeout(() => send(this.client), baseTimeoutMs + bytes / bytesPerMs);
    if (outcome === 'late') this.client.reconnect();
    return outcome === 'late' || 'error' in outcome ? null : outcome;
  }
}
