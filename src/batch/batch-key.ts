import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyRing } from '../store/key-ring';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
/** Characters of a question's name: enough that two of a batch never share one. */
const nameLength = 32;

/**
 * The key of one batch: it seals what names a person, and names questions, the same in every process. Who destroys it has
 * destroyed the dataset and its results, wherever copies of them lie.
 */
export class BatchKey {
  private readonly sealing: Buffer;
  private readonly naming: Buffer;

  constructor(key: Buffer) {
    this.sealing = derive(key, 'sealing');
    this.naming = derive(key, 'naming');
  }

  /** `place` says what is sealed, so that nothing can be put in the place of something else. */
  seal(place: string, content: string | Buffer): Buffer {
    return encrypt(this.sealing, place, typeof content === 'string' ? Buffer.from(content) : content);
  }

  open(place: string, sealed: Buffer): Buffer {
    return decrypt(this.sealing, place, sealed);
  }

  /** A name that tells nothing of what it stands for. */
  name(text: string): string {
    return createHmac('sha256', this.naming).update(text).digest('base64url').slice(0, nameLength);
  }
}

/** A new key, and how it is kept: sealed by the newest of the operator's keys. */
export function createBatchKey(ring: KeyRing, batch: string): { readonly key: BatchKey; readonly wrapped: Buffer } {
  const bytes = randomBytes(32);
  const { id, wrapping } = ring.newest;
  const version = Buffer.from(id);
  const wrapped = Buffer.concat([Buffer.of(version.length), version, encrypt(wrapping, batch, bytes)]);
  return { key: new BatchKey(bytes), wrapped };
}

/** Null where the operator's keys no longer hold the one that sealed it. */
export function openBatchKey(ring: KeyRing, batch: string, wrapped: Buffer): BatchKey | null {
  const length = wrapped[0] ?? 0;
  const version = ring.find(wrapped.subarray(1, 1 + length).toString());
  if (version === null) return null;
  return new BatchKey(decrypt(version.wrapping, batch, wrapped.subarray(1 + length)));
}

function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `padron batch ${use}`, 32));
}

function encrypt(key: Buffer, place: string, content: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, key, iv).setAAD(Buffer.from(place));
  const text = Buffer.concat([encryption.update(content), encryption.final()]);
  return Buffer.concat([iv, encryption.getAuthTag(), text]);
}

function decrypt(key: Buffer, place: string, sealed: Buffer): Buffer {
  const iv = sealed.subarray(0, ivBytes);
  const decryption = createDecipheriv(cipher, key, iv, { authTagLength: tagBytes })
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decryption.update(sealed.subarray(ivBytes + tagBytes)), decryption.final()]);
}
