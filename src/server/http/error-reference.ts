import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
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

  /** `docsUrl` is the URL at which the operator publishes docs/. If null, padron serves the reference. */
  constructor(private readonly docsUrl: string | null) {}

  /** Returns the URL of a code's entry, or null if there is none. If padron serves the reference, the URL is relative. */
  urlOf = (code: string): string | null => {
    if (!this.entries.has(code)) return null;
    if (this.docsUrl === null) return `/graphql/errors/${code}`;
    return `${this.docsUrl.replace(/\/$/, '')}/errors.md#${code.toLowerCase()}`;
  };

  /** Adds routes for the reference and for each entry. They need no token, because the reference is public. */
  addRoutes(http: FastifyInstance): void {
    http.decorate('errorUrl', this.urlOf);
    http.get('/graphql/errors.md', (_request, reply) => sendText(reply, this.text));
    http.get<{ Params: { code: string } }>('/graphql/errors/:code', (request, reply) =>
      sendText(reply, this.entries.get(request.params.code.toUpperCase()) ?? null),
    );
  }
}

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
  return reply
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'max-age=3600')
    .type('text/plain; charset=utf-8')
    .send(text);
}
