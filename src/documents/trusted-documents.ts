import { createHash } from 'node:crypto';
import { countTokens, parseCanonical, tokenFingerprint } from './canonical-text';
import type { PublishedDocument } from './published-document';

const hashPrefix = 'sha256:';

/** The documents that a frontend has published, by their IDs and by their texts. */
export class TrustedDocuments {
  private readonly texts = new Map<string, string>();
  /** Canonical texts by their fingerprint. A text with an unknown fingerprint is not parsed. */
  private readonly canonical = new Map<string, Set<string>>();
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
    const fingerprint = tokenFingerprint(text, this.maxTokens);
    const candidates = fingerprint === null ? undefined : this.canonical.get(fingerprint);
    if (candidates === undefined) return false;
    // The text has the tokens of a published document in some order, so it is small enough to be parsed.
    const canonical = parseCanonical(text);
    return canonical !== null && candidates.has(canonical);
  }

  private add({ id, text }: PublishedDocument): void {
    this.texts.set(createHash('sha256').update(text).digest('hex'), text);
    if (id !== null) this.texts.set(withoutPrefix(id), text);
    const fingerprint = tokenFingerprint(text, Number.POSITIVE_INFINITY);
    const canonical = parseCanonical(text);
    if (fingerprint === null || canonical === null) return;
    this.maxTokens = Math.max(this.maxTokens, countTokens(fingerprint));
    this.canonical.set(fingerprint, (this.canonical.get(fingerprint) ?? new Set()).add(canonical));
  }
}

const withoutPrefix = (id: string): string => (id.startsWith(hashPrefix) ? id.slice(hashPrefix.length) : id);
