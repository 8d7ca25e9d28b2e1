import { setTimeout } from 'node:timers/promises';
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { Agent, request } from 'undici';

/**
 * Keys older than `freshMs` are fetched again in the background, and keys older than `staleMs` are not used. A token with an unknown key
 * waits `newKeyWaitMs` for that key.
 */
const defaults = { freshMs: 60_000, staleMs: 600_000, fetchTimeoutMs: 5_000, newKeyWaitMs: 500, retryMs: 10_000 };
/** Maximum fetches because of unknown keys. Callers can invent unknown keys. */
const maxFetchesPerMinute = 10;
const dispatcher = new Agent({ maxResponseSize: 1_000_000 });

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** Returns the public keys of an identity provider, for jose. Each fetch replaces the whole set, so that a removed key is no longer accepted. */
export function createRemoteKeySet(
  url: string,
  onFailure: () => void,
  times: Partial<typeof defaults> = {},
): JWTVerifyGetKey {
  const keys = new RemoteKeySet(url, onFailure, { ...defaults, ...times });
  return (header, token) => keys.find(header, token);
}

/** A key set that is fetched again in the background. While the keys are not stale, callers do not wait for the provider. */
class RemoteKeySet {
  private keys: KeySet | null = null;
  private fetchedAt = Number.NEGATIVE_INFINITY;
  private startedAt = Number.NEGATIVE_INFINITY;
  private fetching: Promise<void> | null = null;
  /** Times of the fetches of the last minute that a caller waited for. */
  private callerFetches: readonly number[] = [];

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

  /** Waits until the key set is fetched again, but at most `newKeyWaitMs`. */
  private async awaitNewKey(): Promise<void> {
    const fetched = this.fetchForCaller().catch(() => undefined);
    // The wait is counted from the start of the fetch, so callers that arrive while a fetch hangs do not wait for it again.
    const waitMs = this.startedAt + this.times.newKeyWaitMs - performance.now();
    if (waitMs > 0) await Promise.race([fetched, setTimeout(waitMs, undefined, { ref: false })]);
  }

  private async fetchForCaller(): Promise<void> {
    if (this.fetching !== null) return this.fetching;
    const now = performance.now();
    this.callerFetches = this.callerFetches.filter((start) => now - start < 60_000);
    if (this.callerFetches.length >= maxFetchesPerMinute) throw new Error('too many fetches');
    this.callerFetches = [...this.callerFetches, now];
    return this.fetch();
  }

  /** Fetches the key set. Callers that need it at the same time share one fetch. */
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

/** Fetches the key set from the configured URL only: `request` of undici follows no redirect. It does not decompress, and its body is limited. */
export async function fetchKeys(url: string, timeoutMs: number): Promise<KeySet> {
  const headers = { accept: 'application/json, application/jwk-set+json' };
  const { statusCode, body } = await request(url, { headers, dispatcher, signal: AbortSignal.timeout(timeoutMs) });
  const keys = await body.json();
  if (statusCode !== 200) throw new Error('not 200');
  // Throws if the answer is not a key set.
  return createLocalJWKSet(keys as Parameters<typeof createLocalJWKSet>[0]);
}
