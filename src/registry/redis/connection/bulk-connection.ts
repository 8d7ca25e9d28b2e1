import type { RedisClient, Reply } from './redis-client';
import { withTimeout } from './with-timeout';

const baseTimeoutMs = 250;
/** Throughput of a slow network. An answer of 10 MB gets two seconds more than `baseTimeoutMs`. */
const bytesPerMs = 5_000;

/**
 * Connection for large answers, which would delay small ones. It has its own timeout and reconnects separately,
 * because the store may be available although a large answer is late.
 */
export class BulkConnection {
  constructor(private readonly client: RedisClient) {}

  get isReady(): boolean {
    return this.client.isReady;
  }

  /** Sends a command that transfers `bytes`. Returns null if it fails, or gets no reply in the time for so many bytes. */
  async ask(send: (client: RedisClient) => Promise<Reply>, bytes: number): Promise<{ readonly reply: Reply } | null> {
    if (!this.client.isReady) return null;
    const outcome = await withTimeout(() => send(this.client), baseTimeoutMs + bytes / bytesPerMs);
    if (outcome === 'late') this.client.reconnect();
    return outcome === 'late' || 'error' in outcome ? null : outcome;
  }
}
