import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { request } from 'undici';
import type { ExplorerSettings, SandboxGuide } from '../../../schema/explorer-settings';
import type { Config } from '../../config/settings';
import { acceptsPage, isPreflighted } from '../../server/http/content-negotiation';
import { sendError } from '../../server/http/http-error';
import { createExplorerTabs } from './tabs';

/** Folder of the built explorer, relative to both `src` and `dist`. */
const explorerFolder = join(__dirname, '../..', '..', 'dist', 'explorer');

interface Manifest {
  readonly inputs: string;
  readonly script: string;
  readonly style: string;
  readonly parts: readonly string[];
  readonly files: readonly string[];
}

/** Reads the manifest of the build each time, because the build may finish after the server has started. Returns null without a build. */
function readManifest(): Manifest | null {
  try {
    return JSON.parse(readFileSync(join(explorerFolder, 'manifest.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** Whether the name is a file of the build, and not the compressed form of one. Only such files are served. */
function isExplorerFile(name: string): boolean {
  return readManifest()?.files.includes(name) === true && !/\.(br|gz)$/.test(name);
}

/** Returns the page. It has no inline script, and its paths are relative. */
function renderExplorerPage(): { readonly html: string; readonly etag: string } {
  const manifest = readManifest();
  const html = manifest === null ? renderPage(notBuilt, '') : renderPage(container, renderHead(manifest));
  return { html, etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"` };
}

const container =
  '<div id="explorer">padron…<noscript> The explorer needs JavaScript. El explorador necesita JavaScript.</noscript></div>';
const notBuilt =
  '<p>The graph accepts POST requests here. Its explorer has not been built yet: run <code>npm run build</code>, then reload this page.</p>';

function renderHead({ script, style, parts }: Manifest): string {
  return [
    `<link rel="stylesheet" href="graphql/explorer/${style}">`,
    ...parts.map((part) => `<link rel="modulepreload" href="graphql/explorer/${part}">`),
    `<script type="module" src="graphql/explorer/${script}"></script>`,
  ].join('\n');
}

function renderPage(body: string, head: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>padron</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

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
  config: Config,
  serviceUrl: string,
  now: () => Date,
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

/** Whether a browser opens the page, also by a link with an operation. Programs that send an operation by GET need another header. */
function isPageRequest({ method, headers, query }: FastifyRequest): boolean {
  if (method !== 'GET' || !acceptsPage(headers.accept)) return false;
  const hasOperation = ['query', 'extensions', 'documentId'].some((name) => name in (query as object));
  return !hasOperation || !(isPreflighted(headers) || 'content-type' in headers);
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

function toSettings(config: Config, guide: SandboxGuide | null, now: Date): ExplorerSettings {
  const { registryUrl, registryToken, jwt } = config;
  const token = registryToken === null ? guide?.tokens[0]?.token : undefined;
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    tabs: createExplorerTabs(headers, guide, now),
    headers: JSON.stringify(headers, null, 2),
    needsToken: token === undefined && (registryToken === null || jwt !== null),
    service: registryUrl === null ? 'embedded-sandbox' : guide === null ? 'remote' : 'remote-sandbox',
    timeZone: config.data.timeZone,
    purposes: config.purpose.allowed,
    needsPurpose: config.purpose.rule === 'required',
    batchesCallAny: (config.extensions.batch as { readonly endpoints?: string } | undefined)?.endpoints === 'any',
    replaySeconds: config.replaySeconds,
    reuseDays: config.data.store === null ? 0 : config.reuseDays,
    sandbox: guide,
  };
}

const timeoutMs = 3_000;
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
