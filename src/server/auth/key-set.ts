import { setTimeout } from 'node:timers/promises';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type FetchImplementation,
  type JWTVerifyGetKey,
} from 'jose';
import { Agent, request } from 'undici';

/** Keys are fetched again after `freshMs`, and serve for `staleMs` where that fails; callers wait `refreshWaitMs` for newer ones. */
const defaults = { freshMs: 60_000, staleMs: 600_000, fetchTimeoutMs: 5_000, refreshWaitMs: 500 };
/** A set is fetched for key ids that are not in it, but callers may invent those. */
const maxFetchesPerMinute = 10;
const dispatcher = new Agent({ maxResponseSize: 1_000_000 });

/** The public keys of an identity provider. Fetched whole, so that a key which was taken out goes with the next fetch. */
export function remoteKeySet(
  url: string,
  onFailure: () => void,
  times: Partial<typeof defaults> = {},
): JWTVerifyGetKey {
  const { freshMs, staleMs, fetchTimeoutMs, refreshWaitMs } = { ...defaults, ...times };
  let fetches: readonly number[] = [];
  let fetchedAt = 0;
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: fetchTimeoutMs,
    // Counted by ourselves: jose would bound the fetches that succeed only.
    cooldownDuration: 0,
    cacheMaxAge: staleMs,
    [customFetch]: async (...request) => {
      const now = performance.now();
      fetches = fetches.filter((start) => now - start < 60_000);
      if (fetches.length >= maxFetchesPerMinute) throw new Error('too many fetches');
      fetches = [...fetches, now];
      try {
        const response = await fetchKeys(...request);
        fetchedAt = performance.now();
        return response;
      } catch (error) {
        onFailure();
        throw error;
      }
    },
  });
  return async (header, token) => {
    // On use, not by a timer. Where it fails the old keys serve, which jose would not renew before they end.
    if (keys.fresh && performance.now() - fetchedAt >= freshMs) {
      const refreshed = keys.reload().catch(() => undefined);
      await Promise.race([refreshed, setTimeout(refreshWaitMs, undefined, { ref: false })]);
    }
    return keys(header, token);
  };
}

/** By `request`, which bounds the body, unpacks nothing and follows no redirect: what is trusted is the address in the settings. */
const fetchKeys: FetchImplementation = async (url, { signal, headers }) => {
  const { statusCode, body } = await request(url, { signal, headers, dispatcher });
  const keys = await body.json();
  if (statusCode !== 200) throw new Error('not 200');
  // Throws where it is no set of keys, so that the operator hears of it.
  createLocalJWKSet(keys as Parameters<typeof createLocalJWKSet>[0]);
  return Response.json(keys);
};
