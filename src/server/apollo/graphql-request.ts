import type { FastifyRequest } from 'fastify';
import { findOperationName } from '../../graph/core/operations/trusted-documents';
import { isObject, parseJson } from '../../identifiers/json-value';

type Fields = Readonly<Record<string, unknown>>;

export class GraphqlRequest {
  private constructor(
    readonly body: unknown,
    /** The query string with its `?`, or ''. */
    readonly search: string,
  ) {}

  static of({ method, url, body }: FastifyRequest): GraphqlRequest {
    const request = new GraphqlRequest(method === 'GET' ? undefined : body, searchOf(url));
    // Some clients send an empty name for an operation without one.
    return request.field('operationName') === '' ? request.withoutName() : request;
  }

  private withoutName(): GraphqlRequest {
    if (this.body !== undefined)
      return new GraphqlRequest({ ...toFields(this.body), operationName: null }, this.search);
    const parameters = new URLSearchParams(this.search);
    parameters.delete('operationName');
    return new GraphqlRequest(undefined, `?${parameters}`);
  }

  /** The text of the operation, or '' if there is no text. Apollo Server rejects anything else. */
  get text(): string {
    return textOf(this.field('query'));
  }

  get operationName(): string | null {
    return textOf(this.field('operationName')) || findOperationName(this.text);
  }

  /** Whether the request names its operation by a `documentId`, as in GraphQL over HTTP. */
  get hasDocumentId(): boolean {
    return textOf(this.field('documentId')) !== '';
  }

  /** IDs of the operation: `documentId`, and the hash of Apollo's persisted queries. */
  get ids(): readonly string[] {
    const hash = toFields(this.extensions.persistedQuery).sha256Hash;
    return [textOf(this.field('documentId')), textOf(hash)].filter((id) => id !== '');
  }

  withText(query: string): GraphqlRequest {
    const { persistedQuery: _id, ...extensions } = this.extensions;
    if (this.body !== undefined) return new GraphqlRequest({ ...toFields(this.body), query, extensions }, this.search);
    const parameters = new URLSearchParams(this.search);
    parameters.set('query', query);
    parameters.set('extensions', JSON.stringify(extensions));
    return new GraphqlRequest(undefined, `?${parameters}`);
  }

  private get extensions(): Fields {
    const extensions = this.field('extensions');
    return toFields(this.body === undefined ? parseJson(textOf(extensions)) : extensions);
  }

  private field(name: string): unknown {
    return this.body === undefined ? new URLSearchParams(this.search).get(name) : toFields(this.body)[name];
  }
}

/** Returns the query string. Fastify is not used for this, because it also begins a query string at a `#`. */
function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const toFields = (value: unknown): Fields => (isObject(value) ? value : {});
