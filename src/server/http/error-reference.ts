import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../../config/settings';
import type { CodeEntry } from '../../identifiers/code-entry';
import type { Language } from '../../identifiers/text';
import { acceptsPage, negotiateLanguage } from './content-negotiation';
import { sendError } from './http-error';

/** Path of the error reference, relative to both `src` and `dist`. */
const file = join(__dirname, '../../../docs/errors.md');

export class ErrorReference {
  private readonly text = readReference();
  private readonly entries: ReadonlyMap<string, string> = toEntries(this.text ?? '');

  constructor(
    private readonly config: Pick<Config, 'docsUrl' | 'subgraphSecret'>,
    private readonly codes: readonly CodeEntry[],
  ) {}

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

  private spanishOf(code: string): string | null {
    return this.codes.find((entry) => entry.code === code)?.spanish ?? null;
  }

  /** Adds routes for the reference and for each entry. They need no token, because the reference is public. */
  addRoutes(http: FastifyInstance): void {
    http.decorate('errorUrl', this.urlOf);
    http.get('/graphql/errors.md', (_request, reply) => sendText(reply, this.text));
    http.get<{ Params: { code: string } }>('/graphql/errors/:code', ({ params, headers }, reply) => {
      const code = params.code.toUpperCase();
      const entry = this.entries.get(code) ?? null;
      reply.header('vary', 'accept, accept-language, origin');
      if (entry === null || !acceptsPage(headers.accept)) return sendText(reply, entry);
      const page = renderErrorPage(code, entry, this.spanishOf(code), negotiateLanguage(headers['accept-language']));
      return send(reply.header('content-security-policy', pagePolicy), page, 'text/html');
    });
  }
}

const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'";

const style = `body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
th, td { padding: 4px 12px 4px 0; text-align: left; vertical-align: top; }`;

function readReference(): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

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

/** Returns an entry of the error reference as a page. In Spanish it begins with the message of the code, if there is one. */
function renderErrorPage(code: string, entry: string, spanish: string | null, language: Language): string {
  const heading = `<h1><code>${code}</code></h1>`;
  const message = spanish === null ? '' : `<p>${toInline(spanish)}</p>`;
  const english = `<section lang="en">\n${toHtml(entry.slice(entry.indexOf('\n')))}\n</section>`;
  const body = language === 'es' ? `${message}\n<p>La explicación completa está en inglés:</p>\n${english}` : english;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${code} – padron</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
${heading}
${body}
</main>
</body>
</html>
`;
}

/** Converts the part of Markdown that the entries use: paragraphs, lists and tables. */
function toHtml(markdown: string): string {
  return markdown
    .trim()
    .split(/\n\n+|\n(?=\*\*)/)
    .map((block) => {
      if (block.startsWith('| ')) return toTable(block);
      const [first = '', ...items] = `\n${block}`.split(/\n- /);
      const list = items.map((item) => `<li>${toInline(item)}</li>\n`).join('');
      return [first.trim() && `<p>${toInline(first.trim())}</p>`, list && `<ul>\n${list}</ul>`]
        .filter(Boolean)
        .join('\n');
    })
    .join('\n');
}

function toTable(block: string): string {
  const rows = block.split('\n').filter((row) => !row.startsWith('|---'));
  const cells = (row: string, tag: string): string =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => `<${tag}>${toInline(cell.trim())}</${tag}>`)
      .join('');
  const [head = '', ...body] = rows;
  return `<table>\n<tr>${cells(head, 'th')}</tr>\n${body.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')}\n</table>`;
}

/** Links lead to other codes. The other documents are not served, so only the text of their links remains. */
function toInline(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\[([^\]]+)\]\(#([a-z_]+)\)/g, (_link, label, anchor) => `<a href="${anchor.toUpperCase()}">${label}</a>`)
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}
