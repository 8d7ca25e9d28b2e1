import { type ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { explainRejection } from '../../graph/operations/document-shape';
import { negotiateContentType } from '../http/content-negotiation';
import { HttpError } from '../http/http-error';
import { createRequestContext, type Delivery, type RequestContext } from '../request-context';
import type { Services } from '../services';
import { inOperationSpan } from '../telemetry/operation-span';
import { createApolloServer } from './apollo-server';

/**
 * Headers that Apollo Server reads, besides `accept`: the content type, and headers that a form or an image of another
 * site cannot send.
 */
const forwardedHeaders = ['content-type', 'x-apollo-operation-name', 'apollo-require-preflight'];

/**
 * Passes Fastify's requests to Apollo Server, and sends its responses. Apollo's own integration package is not used because it responds
 * with 500 to a malformed Host header.
 */
export class GraphqlHandler {
  private readonly apollo: ApolloServer<RequestContext>;

  constructor(private readonly services: Services) {
    this.apollo = createApolloServer(services);
  }

  start(): Promise<void> {
    return this.apollo.start();
  }

  stop(): Promise<void> {
    return this.apollo.stop();
  }

  handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return inOperationSpan(request, reply, () => this.respond(request, reply));
  }

  private async respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const contentType = negotiateContentType(request.headers.accept);
    if (contentType === null)
      throw new HttpError(406, 'The response is JSON. Accept application/json or application/graphql-response+json.');
    const reason = explainRejection(getDocumentText(request), this.services.config.limits.tokens);
    if (reason !== null) throw new HttpError(400, reason, 'GRAPHQL_PARSE_FAILED');
    const delivery: Delivery = { contentType: `${contentType}; charset=utf-8`, chunks: null };
    const response = await this.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: request.method,
        headers: pickHeaders(request, contentType),
        search: getSearch(request.url),
        body: request.body,
      },
      context: async () => createRequestContext(this.services, request, delivery),
    });
    await send(response, delivery, reply);
  }
}

/** Returns the text of the document, or '' if it is not a text, which Apollo rejects. */
function getDocumentText({ method, url, body }: FastifyRequest): string {
  if (method === 'GET') return new URLSearchParams(getSearch(url)).get('query') ?? '';
  const fields = body as { readonly query?: unknown } | null | undefined;
  return typeof fields?.query === 'string' ? fields.query : '';
}

function pickHeaders({ headers }: FastifyRequest, contentType: string): HeaderMap {
  const forwarded = new HeaderMap([['accept', contentType]]);
  for (const name of forwardedHeaders) {
    const value = headers[name];
    if (value !== undefined) forwarded.set(name, String(value));
  }
  return forwarded;
}

/** Returns the query string. Fastify is not used for this, because it also begins a query string at a `#`. */
function getSearch(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}

async function send(response: HTTPGraphQLResponse, { chunks }: Delivery, reply: FastifyReply): Promise<void> {
  reply.code(response.status ?? 200).header('cache-control', 'no-store');
  for (const [name, value] of response.headers) if (name !== 'cache-control') reply.header(name, value);
  if (chunks !== null) return void reply.send(chunks);
  if (response.body.kind === 'complete') return void reply.send(response.body.string);
  // No operation of this graph is streamed. If a library streams anyway, the parts are sent as one response.
  let text = '';
  for await (const part of response.body.asyncIterator) text += part;
  reply.send(text);
}
