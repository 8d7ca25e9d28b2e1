import { setTimeout } from 'node:timers/promises';
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { Agent, request } from 'undici';

/** Keys are renewed after `freshMs` while they serve on, for `staleMs` at most. A token of an unknown key waits `newKeyWaitMs` for it. */
const defaults = { freshMs: 60_000, staleMs: 600_000, fetchTimeoutMs: 5_000, newKeyWaitMs: 500, retryMs: 10_000 };
/** A set is fetched for keys that are not in it, but callers may invent those. */
const maxFetchesPerMinute = 10;
const dispatcher = new Agent({ maxResponseSize: 1_000_000 });

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** The public keys of an identity provider. Fetched whole, so that a key which was taken out goes with the next fetch. */
export function remoteKeySet(
  url: string,
  onFailure: () => void,
  times: Partial<typeof defaults> = {},
): JWTVerifyGetKey {
  const keys = new RemoteKeySet(url, onFailure, { ...defaults, ...times });
  return (header, token) => keys.find(header, token);
}

/** A key set that is refreshed in the background. While keys are known, callers do not wait for the provider. */
class RemoteKeySet {
  private keys: KeySet | null = null;
  private fetchedAt = Number.NEGATIVE_INFINITY;
  private startedAt = Number.NEGATIVE_INFINITY;
  private fetching: Promise<void> | null = null;
  /** When the set was fetched for the sake of a caller. */
  private wanted: readonly number[] = [];

  constructor(
    private readonly url: string,
    private readonly onFailure: () => void,
    private readonly times: typeof defaults,
  ) {}

  find: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.current();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.awaitNewKey();
      if (this.keys === null || this.keys === keys) throw error;
      return this.keys(header, token);
    }
  };

  private async current(): Promise<KeySet> {
    const now = performance.now();
    const { freshMs, staleMs, retryMs } = this.times;
    if (this.keys !== null && now - this.fetchedAt < staleMs) {
      const isDue = now - this.fetchedAt >= freshMs && now - this.startedAt >= Math.min(freshMs, retryMs);
      if (isDue) this.fetch().catch(() => undefined);
      return this.keys;
    }
    if (this.keys === null) await this.fetchForCaller();
    else await this.awaitNewKey();
    if (this.keys === null || this.fetchedAt < now) throw new Error('no keys');
    return this.keys;
  }

  /** Waits until the key set is refreshed, but at most half a second. */
  private async awaitNewKey(): Promise<void> {
    const fetched = this.fetchForCaller().catch(() => undefined);
    // Those who come while a fetch hangs do not wait for what others have waited for in vain.
    const patience = this.startedAt + this.times.newKeyWaitMs - performance.now();
    if (patience > 0) await Promise.race([fetched, setTimeout(patience, undefined, { ref: false })]);
  }

  private async fetchForCaller(): Promise<void> {
    if (this.fetching !== null) return this.fetching;
    const now = performance.now();
    this.wanted = this.wanted.filter((start) => now - start < 60_000);
    if (this.wanted.length >= maxFetchesPerMinute) throw new Error('too many fetches');
    this.wanted = [...this.wanted, now];
    return this.fetch();
  }

  /** Callers share one fetch. */
  private fetch(): Promise<void> {
    if (this.fetching !== null) return this.fetching;
    this.startedAt = performance.now();
    this.fetching = fetchKeys(this.url, this.times.fetchTimeoutMs)
      .then(
        (keys) => {
          this.keys = keys;
          this.fetchedAt = performance.now();
        },
        (error: unknown) => {
          this.onFailure();
          throw error;
        },
      )
      .finally(() => {
        this.fetching = null;
      });
    return this.fetching;
  }
}

/**
 * Fetches the key set with `request`, which limits the body, does not decompress, and follows no redirect: only the
 * configured URL is trusted.
 */
async function fetchKeys(url: string, timeoutMs: number): Promise<KeySet> {
  const headers = { accept: 'application/json, application/jwk-set+json' };
  const { statusCode, body } = await request(url, { headers, dispatcher, signal: AbortSignal.timeout(timeoutMs) });
  const keys = await body.json();
  if (statusCode !== 200) throw new Error('not 200');
  // Throws if the answer is not a key set.
  return createLocalJWKSet(keys as Parameters<typeof createLocalJWKSet>[0]);
}
