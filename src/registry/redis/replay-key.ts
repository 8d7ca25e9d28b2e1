import { createHmac, hkdfSync } from 'node:crypto';
import { ivBytes, seal, tagBytes, unseal } from '../../store/sealed-box';

/**
 * A key of REPLAY_KEY. It names and encrypts the entries in Redis. Without the key, a reader of Redis learns neither the person of a
 * question nor its answer.
 */
export class ReplayKey {
  /** Identifies the key in every process without revealing it. Instances with several keys use them in the order of their ids. */
  readonly id: string;
  private readonly nameKey: Buffer;
  private readonly answerKey: Buffer;

  constructor(secret: string) {
    this.nameKey = derive(secret, 'names');
    this.answerKey = derive(secret, 'answers');
    this.id = this.hash('key');
  }

  hash(...texts: readonly string[]): string {
    return createHmac('sha256', this.nameKey).update(JSON.stringify(texts)).digest('base64url').slice(0, 22);
  }

  /** Encrypts content for one name. Under another name it cannot be decrypted. */
  seal(plain: Buffer, name: string): Buffer {
    const sealed = seal(this.answerKey, name, plain);
    const ciphertextStart = ivBytes + tagBytes;
    return Buffer.concat([
      sealed.subarray(0, ivBytes),
      sealed.subarray(ciphertextStart),
      sealed.subarray(ivBytes, ciphertextStart),
    ]);
  }

  /** Returns null if the bytes were not sealed with this key for this name. */
  open(sealed: Buffer, name: string): Buffer | null {
    // In Redis the tag is last. This order may not change, because instances of different versions share the entries.
    const parts = [sealed.subarray(0, ivBytes), sealed.subarray(-tagBytes), sealed.subarray(ivBytes, -tagBytes)];
    return unseal(this.answerKey, name, Buffer.concat(parts));
  }
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'padron replay', purpose, 32));
}
