import { hkdfSync } from 'node:crypto';
import { seal, unseal } from '../../store/sealed-box';

const place = 'ledger link';

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
    const text = JSON.stringify({ until: this.now().getTime() + this.lifetimeMs, content });
    return seal(key, place, Buffer.from(text)).toString('base64url');
  }

  /** Returns null if the link was not made here, or has expired. */
  open(link: string): unknown {
    const bytes = Buffer.from(link, 'base64url');
    // Each link has one spelling.
    if (bytes.toString('base64url') !== link) return null;
    for (const key of this.keys) {
      const text = unseal(key, place, bytes);
      if (text === null) continue;
      const { until, content } = JSON.parse(text.toString()) as { readonly until: number; readonly content: unknown };
      return until > this.now().getTime() ? content : null;
    }
    return null;
  }
}
