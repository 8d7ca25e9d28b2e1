import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { request } from 'undici';
import type { ExplorerSettings, SandboxGuide } from '../../../schema/explorer-settings';
import { acceptsPage } from '../http/content-negotiation';
import { sendError } from '../http/http-error';
import type { Services } from '../services';
import { explorerFolder, isExplorerFile, renderExplorerPage } from './page';
import { createExplorerTabs } from './tabs';

/** Policy that only allows resources of this server. The editor needs `'unsafe-inline'` styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "worker-src 'self'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Options for the files. The build compresses them, and their names contain hashes of their content. */
const fileOptions = {
  root: explorerFolder,
  serve: false,
  preCompressed: true,
  index: false,
  dotfiles: 'deny',
  acceptRanges: false,
  immutable: true,
  maxAge: '1y',
} as const;

/** Adds routes for the explorer's files. Returns a hook for `/graphql` that serves the page to browsers. */
export function addExplorer(
  http: FastifyInstance,
  { config, now, serviceUrl }: Pick<Services, 'config' | 'now' | 'serviceUrl'>,
): onRequestHookHandler {
  const readGuide = guideReader(serviceUrl);
  http.get('/graphql/explorer/settings.json', async (_request, reply) => {
    const guide = await readGuide();
    return withSecurityHeaders(reply)
      .header('cache-control', 'no-store')
      .send(toSettings(config, guide, now()));
  });
  http.register(fastifyStatic, fileOptions);
  http.get<{ Params: { name: string } }>('/graphql/explorer/:name', (request, reply) => {
    const { name } = request.params;
    if (!isExplorerFile(name)) return sendError(reply, 404, 'The explorer has no such file.');
    return withSecurityHeaders(reply).header('vary', 'accept-encoding, origin').sendFile(name);
  });
  return (request, reply, done) => {
    if (isPageRequest(request)) sendPage(request, reply);
    else done();
  };
}

/** Whether a browser opens the page. Other GET requests have an operation. */
function isPageRequest({ method, headers, query }: FastifyRequest): boolean {
  if (method !== 'GET' || !acceptsPage(headers.accept)) return false;
  return !['query', 'extensions', 'documentId'].some((name) => name in (query as object));
}

function sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { html, etag } = renderExplorerPage();
  withSecurityHeaders(reply).header('cache-control', 'no-cache').header('etag', etag).header('vary', 'accept, origin');
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type('text/html; charset=utf-8').send(html);
}

function withSecurityHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', contentSecurityPolicy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer');
}

function toSettings(config: Services['config'], guide: SandboxGuide | null, now: Date): ExplorerSettings {
  const { registryUrl, registryToken, jwt } = config;
  const token = registryToken === null ? guide?.tokens[0]?.token : undefined;
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    tabs: createExplorerTabs(headers, guide, now),
    headers: JSON.stringify(headers, null, 2),
    needsToken: token === undefined && (registryToken === null || jwt !== null),
    service: registryUrl === null ? 'embedded-sandbox' : guide === null ? 'remote' : 'remote-sandbox',
    timeZone: config.data.timeZone,
    sandbox: guide,
  };
}

const timeoutMs = 3_000;
/** Milliseconds that a result is reused. */
const reuseMs = 30_000;

const peopleFile = join(__dirname, '../..', '..', 'schema', 'examples', 'people.csv');

/**
 * Returns a function that fetches the guide of a sandbox, or null from any other service. A sandbox identifies itself in a header. The
 * request has no token, and is only sent over plain HTTP, which is all that the sandbox supports.
 */
function guideReader(serviceUrl: string): () => Promise<SandboxGuide | null> {
  const url = new URL('/sandbox/guide', serviceUrl);
  let guide: Promise<SandboxGuide | null> = Promise.resolve(null);
  let fetchedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (url.protocol === 'http:' && now - fetchedAt > reuseMs) {
      fetchedAt = now;
      guide = fetchGuide(url);
    }
    return guide;
  };
}

async function fetchGuide(url: URL): Promise<SandboxGuide | null> {
  try {
    const { statusCode, headers, body } = await request(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (statusCode === 200 && headers['x-registry-service'] === 'sandbox')
      return { ...((await body.json()) as SandboxGuide), peopleCsv: readFileSync(peopleFile, 'utf8') };
    await body.dump();
  } catch {
    // The service is unavailable, so it is treated as any other service.
  }
  return null;
}
