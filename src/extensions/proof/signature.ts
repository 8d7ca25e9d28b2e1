import type { KeyObject } from 'node:crypto';
import {
  CompactSign,
  calculateJwkThumbprint,
  compactVerify,
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
} from 'jose';

const alg = 'EdDSA';
/** Type of the signature. No reader of JWTs accepts it. */
const typ = 'padron-proof+jws';

/** The keys of `PROOF_KEY`: the first one signs, and the public parts of all are published. */
export interface ProofKeys {
  readonly published: JSONWebKeySet;
  sign(content: object): Promise<string>;
}

export async function createProofKeys(keys: readonly KeyObject[]): Promise<ProofKeys | null> {
  const [signer] = keys;
  if (signer === undefined) return null;
  const published = await Promise.all(keys.map(toPublished));
  const header = { alg, typ, kid: published[0]?.kid ?? '' };
  return {
    published: { keys: published },
    sign: (content) => {
      // Facts that are missing are left out, so that the QR code stays small.
      const text = JSON.stringify(content, (_key, value: unknown) => value ?? undefined);
      return new CompactSign(Buffer.from(text)).setProtectedHeader(header).sign(signer);
    },
  };
}

async function toPublished(key: KeyObject) {
  const { kty = '', crv = '', x = '' } = key.export({ format: 'jwk' });
  return { kty, crv, x, kid: await calculateJwkThumbprint({ kty, crv, x }), alg, use: 'sig' };
}

/** Returns the signed content. Rejects with a `JOSEError` if none of the keys signed it. */
export async function readSignature(jws: string, keys: JSONWebKeySet): Promise<unknown> {
  const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet(keys), { algorithms: [alg] });
  if (protectedHeader.typ !== typ) throw new errors.JWSInvalid('The signature is of another kind.');
  return JSON.parse(Buffer.from(payload).toString());
}
