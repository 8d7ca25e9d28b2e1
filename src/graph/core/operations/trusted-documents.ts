import { createHash } from 'node:crypto';
import { parse } from 'graphql';
import { canonicalText, tokenFingerprint } from './canonical-text';
import { explainRejection } from './document-shape';
import type { PublishedDocument } from './published-document';

const hashPrefix = 'sha256:';

export class TrustedDocuments {
  private readonly texts = new Map<string, string>();
  private readonly canonical = new Map<string, Set<string>>();
  /** Tokens of the longest document, with a `__typename` in each selection set. */
  private maxTokens = 0;

  constructor(documents: readonly PublishedDocument[]) {
    for (const document of documents) this.add(document);
  }

  /** Returns the text that was published under an ID: the key in its file, or the SHA-256 of the text, also with the prefix `sha256:`. */
  find(id: string): string | undefined {
    return this.texts.get(withoutPrefix(id));
  }

  /** Whether a text is a published document, apart from differences that do not change what it does. */
  has(text: string): boolean {
    const candidates = this.canonical.get(tokenFingerprint(text, this.maxTokens) ?? '');
    // A text is parsed only if it has the tokens of a published document.
    if (candidates === undefined || explainRejection(text, this.maxTokens) !== null) return false;
    try {
      return candidates.has(canonicalText(parse(text, { noLocation: true })));
    } catch {
      return false;
    }
  }

  private add({ id, text }: PublishedDocument): void {
    this.texts.set(createHash('sha256').update(text).digest('hex'), text);
    if (id !== null) this.texts.set(withoutPrefix(id), text);
    const document = parse(text, { noLocation: true });
    this.maxTokens = Math.max(this.maxTokens, 2 * (document.tokenCount ?? 0));
    const fingerprint = tokenFingerprint(text) ?? '';
    this.canonical.set(fingerprint, (this.canonical.get(fingerprint) ?? new Set()).add(canonicalText(document)));
  }
}

const withoutPrefix = (id: string): string => (id.startsWith(hashPrefix) ? id.slice(hashPrefix.length) : id);
