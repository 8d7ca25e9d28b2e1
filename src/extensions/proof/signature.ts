import type { KeyObject } from 'node:crypto';
import { CompactSign, calculateJwkThumbprint, compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';

const alg = 'EdDSA';
/** Type of the signature. No reader of JWTs accepts it. */
const typ = 'padron-proof+jws';

interface PublishedKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: 'sig';
}

/** The keys of `PROOF_KEY`: the first one signs, and all are published. */
export class ProofKeys {
  private constructor(
    private readonly signer: KeyObject,
    readonly published: readonly [PublishedKey, ...PublishedKey[]],
  ) {}

  /** Returns null without a key. */
  static async of(keys: readonly KeyObject[]): Promise<ProofKeys | null> {
    const [signer] = keys;
    const [first, ...older] = await Promise.all(keys.map(toPublished));
    return signer === undefined || first === undefined ? null : new ProofKeys(signer, [first, ...older]);
  }

  get kid(): string {
    return this.published[0].kid;
  }

  sign(content: object): Promise<string> {
    // Facts that are missing are left out, so that the QR code stays small.
    const text = JSON.stringify(content, (_key, value: unknown) => value ?? undefined);
    const jws = new CompactSign(Buffer.from(text));
    return jws.setProtectedHeader({ alg, typ, kid: this.kid }).sign(this.signer);
  }
}

async function toPublished(key: KeyObject): Promise<PublishedKey> {
  const { kty = '', crv = '', x = '' } = key.export({ format: 'jwk' });
  return { kty, crv, x, kid: await calculateJwkThumbprint({ kty, crv, x }), alg, use: 'sig' };
}

/** Returns the content of a signature, and the ID of its key. Rejects if the signature is not of one of the keys. */
export async function readSignature(jws: string, keys: JSONWebKeySet) {
  const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet(keys), { algorithms: [alg] });
  if (protectedHeader.typ !== typ) throw new errors.JWSInvalid('The signature is of another kind.');
  return { content: JSON.parse(Buffer.from(payload).toString()) as unknown, kid: protectedHeader.kid ?? '' };
}
