import { createHmac, hkdfSync } from 'node:crypto';
import { ivBytes, seal, tagBytes, unseal } from '../../store/sealed-box';

/**
 * One key of REPLAY_KEY: it names what is in Redis, and seals it. Anyone with Redis and without the key learns neither whom a question
 * was about nor what was answered.
 */
export class ReplayKey {
  /** The same in every process with this key; reveals nothing of it. Instances with several keys use them in this order. */
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

  /** Encrypts content for a place: moved to another place, it does not open. */
  seal(plain: Buffer, place: string): Buffer {
    const sealed = seal(this.sealing, place, plain);
    const textStart = ivBytes + tagBytes;
    return Buffer.concat([
      sealed.subarray(0, ivBytes),
      sealed.subarray(textStart),
      sealed.subarray(ivBytes, textStart),
    ]);
  }

  /** Returns null if the bytes were not sealed with this key for this place. */
  open(sealed: Buffer, place: string): Buffer | null {
    // In Redis the tag is last, for instances of every version that share it.
    const parts = [sealed.subarray(0, ivBytes), sealed.subarray(-tagBytes), sealed.subarray(ivBytes, -tagBytes)];
    return unseal(this.sealing, place, Buffer.concat(parts));
  }
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'padron replay', purpose, 32));
}
