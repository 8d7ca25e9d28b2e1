import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { Agent, request } from 'undici';

/** A removed key is accepted for `cacheMaxAge` at most. Callers can invent unknown keys, so they cause one fetch per `cooldownDuration`. */
const defaults = { cacheMaxAge: 600_000, cooldownDuration: 6_000, timeoutDuration: 5_000 };
const dispatcher = new Agent({ maxResponseSize: 1_000_000 });

/** The public keys of an identity provider. `reload` throws if the provider returns no key set. */
export type RemoteKeySet = JWTVerifyGetKey & { reload(): Promise<void> };

/** Returns the keys of an identity provider. Each fetch replaces the whole set. `onFailure` is called after a fetch that failed. */
export function createRemoteKeySet(
  url: string,
  onFailure: () => void,
  times: Partial<typeof defaults> = {},
): RemoteKeySet {
  const keys = createRemoteJWKSet(new URL(url), { ...defaults, ...times, [customFetch]: fetchKeys });
  const reload = async (): Promise<void> => {
    try {
      await keys.reload();
    } catch (error) {
      onFailure();
      throw error;
    }
  };
  const find: JWTVerifyGetKey = async (header, token) => {
    // jose would fetch a stale set too, but the failure could not be told from an unknown key.
    if (!keys.fresh) await reload();
    return keys(header, token);
  };
  return Object.assign(find, { reload });
}

/** Fetches from the configured URL only: `request` of undici follows no redirect. It does not decompress, and its body is limited. */
async function fetchKeys(url: string, { signal }: { readonly signal: AbortSignal }): Promise<Response> {
  const headers = { accept: 'application/json, application/jwk-set+json' };
  const { statusCode, body } = await request(url, { headers, dispatcher, signal });
  return new Response(await body.text(), { status: statusCode });
}
