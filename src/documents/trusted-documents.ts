import { createHash } from 'node:crypto';
import { explainRejection } from '../graph/operations/document-shape';
import { canonicalText, countTokens, findOperationName, parseNormalized, tokenFingerprint } from './canonical-text';
import type { PublishedDocument } from './published-document';
import { PublishedQuery } from './published-query';

const hashPrefix = 'sha256:';

/** The documents that a frontend has published, by their IDs and by their texts. */
export class TrustedDocuments {
  private readonly texts = new Map<string, string>();
  /** Canonical texts by their fingerprint. */
  private readonly canonical = new Map<string, Set<string>>();
  /** Published queries by their names. */
  private readonly queries = new Map<string, PublishedQuery[]>();
  private maxTokens = 0;

  constructor(documents: readonly PublishedDocument[]) {
    for (const document of documents) this.add(document);
  }

  /** Returns the text that was published under an ID: the key in its file, or the SHA-256 of the text, also with the prefix `sha256:`. */
  find(id: string): string | undefined {
    return this.texts.get(withoutPrefix(id));
  }

  /** Whether a text is a published document, apart from differences that do not change what it does, or a part of a published query. */
  has(text: string): boolean {
    const fingerprint = tokenFingerprint(text, this.maxTokens);
    if (fingerprint === null) return false;
    const candidates = this.canonical.get(fingerprint);
    const queries = (this.queries.get(findOperationName(text) ?? '') ?? []).filter(
      ({ maxTokens }) => countTokens(fingerprint) <= maxTokens,
    );
    // A text is parsed only if it has the tokens of a published document, or the name of a published query and not many more tokens.
    if (candidates === undefined && queries.length === 0) return false;
    const document = explainRejection(text, Number.POSITIVE_INFINITY) === null ? parseNormalized(text) : null;
    if (document === null) return false;
    return candidates?.has(canonicalText(document)) === true || queries.some((query) => query.hasPart(document));
  }

  private add({ id, text }: PublishedDocument): void {
    this.texts.set(createHash('sha256').update(text).digest('hex'), text);
    if (id !== null) this.texts.set(withoutPrefix(id), text);
    const fingerprint = tokenFingerprint(text, Number.POSITIVE_INFINITY);
    const document = parseNormalized(text);
    if (fingerprint === null || document === null) return;
    const query = PublishedQuery.of(document);
    if (query !== null) this.queries.set(query.name, [...(this.queries.get(query.name) ?? []), query]);
    this.maxTokens = Math.max(this.maxTokens, countTokens(fingerprint), query?.maxTokens ?? 0);
    this.canonical.set(fingerprint, (this.canonical.get(fingerprint) ?? new Set()).add(canonicalText(document)));
  }
}

const withoutPrefix = (id: string): string => (id.startsWith(hashPrefix) ? id.slice(hashPrefix.length) : id);
