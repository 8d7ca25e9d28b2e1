import type { KeyObject } from 'node:crypto';
import {
  type CompactJWSHeaderParameters,
  CompactSign,
  calculateJwkThumbprint,
  compactVerify,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
} from 'jose';

const alg = 'EdDSA';
/** Type of the signature. No reader of JWTs accepts it. */
const typ = 'padron-proof+jws';

/** Returns the set of the public keys, with their IDs. */
export async function toKeySet(keys: readonly KeyObject[]): Promise<JSONWebKeySet> {
  const publish = async (key: KeyObject) => {
    const { kty = '', crv = '', x = '' } = key.export({ format: 'jwk' });
    return { kty, crv, x, kid: await calculateJwkThumbprint({ kty, crv, x }), alg, use: 'sig' };
  };
  return { keys: await Promise.all(keys.map(publish)) };
}

export function sign(content: object, key: KeyObject, kid: string): Promise<string> {
  // Facts that are missing are left out, so that the QR code stays small.
  const text = JSON.stringify(content, (_key, value: unknown) => value ?? undefined);
  return new CompactSign(Buffer.from(text)).setProtectedHeader({ alg, typ, kid }).sign(key);
}

/** Returns the signed content. Rejects with `JWKSInvalid` if the key is damaged, otherwise with another `JOSEError` if none of them signed it. */
export async function readSignature(jws: string, keys: JSONWebKeySet): Promise<unknown> {
  // Decoders ignore other characters and unused bits, so that two texts can be the same signature.
  const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;
  if (!jws.split('.').every(isCanonical)) throw new errors.JWSInvalid('The signature is not in base64url.');
  const { keys: published } = createLocalJWKSet(keys).jwks();
  const keyOf = async (header: CompactJWSHeaderParameters, token: FlattenedJWSInput) => {
    const key = published.find(({ kid }) => kid === header.kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    // The ID of an undamaged key is its thumbprint.
    if ((await calculateJwkThumbprint(key).catch(() => null)) !== key.kid) throw new errors.JWKSInvalid();
    return createLocalJWKSet({ keys: [key] })(header, token);
  };
  const { payload, protectedHeader } = await compactVerify(jws, keyOf, { algorithms: [alg] });
  if (protectedHeader.typ !== typ) throw new errors.JWSInvalid('The signature is of another kind.');
  return JSON.parse(Buffer.from(payload).toString());
}
