import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring';

const algorithm = 'aes-256-gcm';
export const ivBytes = 12;
export const tagBytes = 16;

/** Encrypts content. `context` is authenticated with it (AAD): `unseal` rejects content that was sealed for another context. */
export function seal(key: Buffer, context: string, content: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** Returns null if the bytes were not sealed with this key for this context. */
export function unseal(key: Buffer, context: string, sealed: Buffer): Buffer | null {
  if (sealed.length < ivBytes + tagBytes) return null;
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
  } catch {
    return null;
  }
}

/**
 * Links that anyone who has them can use until they expire. They are encrypted because URLs are stored in histories and in the logs of
 * proxies, which must not learn about a client, a tag or a person.
 */
export class SealedLinks {
  constructor(
    private readonly ring: KeyRing,
    private readonly now: () => Date,
  ) {}

  create(context: string, lifetimeMs: number, content: object = {}): string {
    const text = JSON.stringify({ until: this.now().getTime() + lifetimeMs, content });
    return seal(this.ring.newest.links, context, Buffer.from(text)).toString('base64url');
  }

  /** Returns the content of a link. Returns null if it was made for another context, was not made with one of the keys, or has expired. */
  open(context: string, link: unknown): unknown {
    if (typeof link !== 'string') return null;
    const bytes = Buffer.from(link, 'base64url');
    // Node ignores characters that are not base64url. Only the spelling of `create` is accepted.
    if (bytes.toString('base64url') !== link) return null;
    for (const { links } of this.ring.versions) {
      const text = unseal(links, context, bytes);
      if (text === null) continue;
      const { until, content } = JSON.parse(text.toString()) as { readonly until: number; readonly content: unknown };
      return until > this.now().getTime() ? content : null;
    }
    return null;
  }
}
