import { createHmac, hkdfSync } from 'node:crypto';
import { seal, unseal } from '../../store/sealed-box';

/** Characters of a name: 192 bits, so that two questions of an operation never have the same name. */
const nameLength = 32;

/**
 * The key of an operation that lasts, or of a batch. It encrypts personal data and names questions, in the same way in every process. Destroying
 * it destroys what the operation keeps, including all copies.
 */
export class OperationKey {
  private readonly sealing: Buffer;
  private readonly naming: Buffer;

  constructor(key: Buffer) {
    this.sealing = derive(key, 'sealing');
    this.naming = derive(key, 'naming');
  }

  /** Encrypts content. `place` names where the content is stored. It cannot be decrypted for another place. */
  seal(place: string, content: string | Buffer): Buffer {
    return seal(this.sealing, place, typeof content === 'string' ? Buffer.from(content) : content);
  }

  open(place: string, sealed: Buffer): Buffer {
    const content = unseal(this.sealing, place, sealed);
    if (content === null) throw new Error('Sealed content cannot be decrypted with its key.');
    return content;
  }

  name(text: string): string {
    return createHmac('sha256', this.naming).update(text).digest('base64url').slice(0, nameLength);
  }
}

function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `padron operation ${use}`, 32));
}
