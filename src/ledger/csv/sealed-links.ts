import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Makes and opens links that work for whoever has them, for some minutes. They are sealed, not only signed: an address stands in
 * histories and in the logs of proxies, and says nothing there of a client, a tag or a person.
 */
export class SealedLinks {
  private readonly keys: readonly Buffer[];

  /** The newest secret first: it makes links, all open them. */
  constructor(
    secrets: readonly Buffer[],
    private readonly lifetimeMs: number,
    private readonly now: () => Date,
  ) {
    this.keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'padron ledger links', 32)));
  }

  seal(content: object): string {
    const [key] = this.keys;
    if (key === undefined) throw new Error('Links need a key.');
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce);
    const text = JSON.stringify({ until: this.now().getTime() + this.lifetimeMs, content });
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url');
  }

  /** Null where the link is none of ours, or over. */
  open(link: string): unknown {
    const bytes = Buffer.from(link, 'base64url');
    // Each link has one spelling.
    if (bytes.length <= nonceBytes + tagBytes || bytes.toString('base64url') !== link) return null;
    for (const key of this.keys) {
      const opened = openWith(key, bytes);
      if (opened !== null) return opened.until > this.now().getTime() ? opened.content : null;
    }
    return null;
  }
}

function openWith(key: Buffer, bytes: Buffer): { readonly until: number; readonly content: unknown } | null {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const body = bytes.subarray(nonceBytes, -tagBytes);
    return JSON.parse(Buffer.concat([decipher.update(body), decipher.final()]).toString());
  } catch {
    return null;
  }
}
