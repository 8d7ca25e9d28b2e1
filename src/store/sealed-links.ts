import type { KeyRing } from './key-ring';
import { seal, unseal } from './sealed-box';

/**
 * Links that anyone who has them can use until they expire. They are encrypted because URLs are stored in histories and in the logs of
 * proxies, which must not learn about a client, a tag or a person.
 */
export class SealedLinks {
  constructor(
    private readonly ring: KeyRing,
    private readonly now: () => Date,
  ) {}

  create(place: string, lifetimeMs: number, content: object = {}): string {
    const text = JSON.stringify({ until: this.now().getTime() + lifetimeMs, content });
    return seal(this.ring.newest.links, place, Buffer.from(text)).toString('base64url');
  }

  /** Returns the content of a link, or null if it leads to another place, was not made with one of the keys, or has expired. */
  open(place: string, link: unknown): unknown {
    if (typeof link !== 'string') return null;
    const bytes = Buffer.from(link, 'base64url');
    // Node ignores characters that are not base64url. Only the spelling of `create` is accepted.
    if (bytes.toString('base64url') !== link) return null;
    for (const { links } of this.ring.versions) {
      const text = unseal(links, place, bytes);
      if (text === null) continue;
      const { until, content } = JSON.parse(text.toString()) as { readonly until: number; readonly content: unknown };
      return until > this.now().getTime() ? content : null;
    }
    return null;
  }
}
