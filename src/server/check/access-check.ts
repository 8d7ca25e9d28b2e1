import type { Config } from '../../config/config';
import { createRemoteKeySet } from '../auth/key-set';
import { type CheckResult, failed, ok, skipped } from './check-result';

const name = 'JWT keys';

/** Fetches the key set of `JWT_JWKS_URL`. */
export async function checkKeySet({ jwt }: Config): Promise<CheckResult> {
  if (jwt === null) return skipped(name, 'JWT_JWKS_URL is not set.');
  if (jwt.jwksUrl === null) return skipped(name, 'JWT_SECRET is set, so no keys are fetched.');
  const { host } = new URL(jwt.jwksUrl);
  try {
    await createRemoteKeySet(jwt.jwksUrl, () => undefined).reload();
    return ok(name, `${host} returns a key set.`);
  } catch {
    return failed(name, `${host} returns no key set. Check JWT_JWKS_URL, the network and the identity provider.`);
  }
}
