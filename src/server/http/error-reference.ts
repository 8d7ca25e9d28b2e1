import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../../config/config';
import { acceptsPage, negotiateLanguage } from './content-negotiation';
import { renderErrorPage } from './error-page';
import { sendError } from './http-error';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the URL of a code in the error reference, or null if the code has no entry. */
    errorUrl?: (code: string) => string | null;
  }
}

/** Path of the error reference, relative to both `src` and `dist`. */
const file = join(__dirname, '../../../docs/errors.md');

/** The error reference (docs/errors.md), which explains each code. */
export class ErrorReference {
  private readonly text = readReference();
  private readonly entries: ReadonlyMap<string, string> = toEntries(this.text ?? '');

  constructor(private readonly config: Pick<Config, 'docsUrl' | 'subgraphSecret'>) {}

  /**
   * Returns the URL of a code's entry, or null if there is none. If padron serves the reference, the URL is relative. Behind a router
   * such a URL would lead to the router, so there is none.
   */
  urlOf = (code: string): string | null => {
    const { docsUrl, subgraphSecret } = this.config;
    if (!this.entries.has(code)) return null;
    if (docsUrl === null) return subgraphSecret === null ? `/graphql/errors/${code}` : null;
    return `${docsUrl.replace(/\/$/, '')}/errors.md#${code.toLowerCase()}`;
  };

  /** Adds routes for the reference and for each entry. They need no token, because the reference is public. */
  addRoutes(http: FastifyInstance): void {
    http.decorate('errorUrl', this.urlOf);
    http.get('/graphql/errors.md', (_request, reply) => sendText(reply, this.text));
    http.get<{ Params: { code: string } }>('/graphql/errors/:code', ({ params, headers }, reply) => {
      const code = params.code.toUpperCase();
      const entry = this.entries.get(code) ?? null;
      reply.header('vary', 'accept, accept-language, origin');
      if (entry === null || !acceptsPage(headers.accept)) return sendText(reply, entry);
      const page = renderErrorPage(code, entry, negotiateLanguage(headers['accept-language']));
      return send(reply.header('content-security-policy', pagePolicy), page, 'text/html');
    });
  }
}

const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'";

/** Returns the error reference, or null if padron was deployed without its documents. */
function readReference(): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Returns the text below the heading of each code. */
function toEntries(text: string): ReadonlyMap<string, string> {
  const sections = text.split(/^(?=##+ )/m).map((section) => `${section.trim()}\n`);
  return new Map(
    sections.flatMap((section) => [...section.matchAll(/^### `([A-Z_]+)`/g)].map(([, code = '']) => [code, section])),
  );
}

function sendText(reply: FastifyReply, text: string | null): FastifyReply {
  if (text === null) return sendError(reply, 404, 'The error reference has no such code.');
  return send(reply, text, 'text/plain');
}

function send(reply: FastifyReply, text: string, type: string): FastifyReply {
  return reply
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'max-age=3600')
    .type(`${type}; charset=utf-8`)
    .send(text);
}
