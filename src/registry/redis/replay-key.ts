import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/**
 * One key of REPLAY_KEY, and all that follows from it: the names under which things stand in the store, and the seal of what
 * stands there. Who holds the store without the key learns neither who was asked about nor what was answered.
 */
export class ReplayKey {
  /** The same in every process with this key; says nothing of it. Instances with several keys use them in this order. */
  readonly id: string;
  private readonly naming: Buffer;
  private readonly sealing: Buffer;

  constructor(secret: string) {
    this.naming = derive(secret, 'names');
    this.sealing = derive(secret, 'answers');
    this.id = this.hash('key');
  }

  /** A keyed hash of texts, which cannot be mistaken for another list of texts. */
  hash(...texts: readonly string[]): string {
    return createHmac('sha256', this.naming).update(JSON.stringify(texts)).digest('base64url').slice(0, 22);
  }

  /** Bound to its place: moved elsewhere it does not open. */
  seal(plain: Buffer, place: string): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.sealing, iv).setAAD(Buffer.from(place));
    return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  /** Null where the bytes were not sealed with this key for this place. */
  open(sealed: Buffer, place: string): Buffer | null {
    if (sealed.length < ivBytes + tagBytes) return null;
    const tagStart = sealed.length - tagBytes;
    const decipher = createDecipheriv(algorithm, this.sealing, sealed.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(tagStart));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(ivBytes, tagStart)), decipher.final()]);
    } catch {
      return null;
    }
  }
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'padron replay', purpose, 32));
}
