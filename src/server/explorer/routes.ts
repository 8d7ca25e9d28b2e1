import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { SANDBOX_TOKEN } from '../../sandbox/accounts/accounts';
import { sendError } from '../http/http-error';
import type { Services } from '../services';
import { explorerFolder, explorerPage, isExplorerFile } from './page';
import { RemoteSandbox } from './remote-sandbox';
import { sandboxGuide } from './sandbox-guide';
import type { ExplorerSettings } from './settings';
import { explorerTabs } from './tabs';

/** Nothing from elsewhere, and no script but our files. `'unsafe-inline'` styles are the editor's, which measures by them. */
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

/** The build compresses its files ahead of time, and names them by what they hold. */
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

/** Serves the explorer's files, and its page by a hook for the address of the graph. */
export function addExplorer(
  http: FastifyInstance,
  { config, now }: Pick<Services, 'config' | 'now'>,
): onRequestHookHandler {
  const remoteSandbox = new RemoteSandbox(config.registryUrl);
  http.get('/graphql/explorer/settings.json', async (_request, reply) => {
    const service = config.registryUrl === null ? 'embedded-sandbox' : await findService(remoteSandbox);
    return withSecurityHeaders(reply)
      .header('cache-control', 'no-store')
      .send(toSettings(config, service, now()));
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

/** Whether a browser opens the address, rather than a client that asks something. */
function isPageRequest({ method, headers, query }: FastifyRequest): boolean {
  if (method !== 'GET' || !/(^|,)\s*text\/html\b/.test(headers.accept ?? '')) return false;
  return !['query', 'extensions'].some((name) => name in (query as object));
}

function sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { html, etag } = explorerPage();
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

async function findService(remoteSandbox: RemoteSandbox): Promise<ExplorerSettings['service']> {
  return (await remoteSandbox.isThere()) ? 'remote-sandbox' : 'remote';
}

function toSettings(config: Services['config'], service: ExplorerSettings['service'], now: Date): ExplorerSettings {
  const inSandbox = service !== 'remote';
  const headers = toHeaders(config, inSandbox);
  return {
    tabs: explorerTabs(headers, inSandbox, now),
    headers: JSON.stringify(headers, null, 2),
    service,
    timeZone: config.data.timeZone,
    sandbox: inSandbox ? sandboxGuide() : null,
  };
}

/** Returns the example headers: a sandbox token, or a placeholder if callers bring their own token. */
function toHeaders({ registryToken, jwt }: Services['config'], inSandbox: boolean): Readonly<Record<string, string>> {
  if (registryToken !== null && jwt === null) return {};
  return { authorization: `Bearer ${inSandbox && registryToken === null ? SANDBOX_TOKEN : ''}` };
}
