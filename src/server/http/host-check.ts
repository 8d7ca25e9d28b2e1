import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isLoopback } from '../../config/setting-values';
import type { Config } from '../../config/settings';
import { sendError } from './http-error';

/**
 * Rejects requests with other host names than localhost if only the loopback address protects `REGISTRY_TOKEN`. Otherwise a web page could
 * point its own host name to this machine and read the responses (DNS rebinding).
 */
export function rejectForeignHosts(http: FastifyInstance, config: Config): void {
  const { registryToken, jwt, subgraphSecret, corsOrigins } = config;
  if (registryToken === null || jwt !== null || subgraphSecret !== null) return;
  http.addHook('onRequest', (request, reply, done) => {
    const { host, origin } = request.headers;
    // `cors.ts` rejects and logs the preflights of other origins.
    const isPreflight = request.method === 'OPTIONS';
    if (!isLoopbackHost(host))
      sendError(
        reply,
        403,
        'This server only accepts requests from this machine. Send them to localhost or 127.0.0.1.',
      );
    else if (!isPreflight && isForeignOrigin(origin, corsOrigins)) sendError(reply, 403, foreignOrigin);
    else done();
  });
}

export const foreignOrigin =
  'Pages of this origin may not send requests here. Use a page of localhost, or add the origin to CORS_ORIGINS of padron.';

/** Whether a page of another machine sends a request. Programs send no origin. */
export function isForeignOrigin(origin: string | undefined, corsOrigins: readonly string[]): boolean {
  return origin !== undefined && !corsOrigins.includes(origin) && !isLoopbackOrigin(origin);
}

function isLoopbackHost(host: IncomingHttpHeaders['host']): boolean {
  const name = /^(\[[\d:]+\]|[a-z\d.-]+)(?::\d{1,5})?$/i.exec(host ?? '')?.[1];
  return name !== undefined && isLoopbackName(name.toLowerCase());
}

export function isLoopbackOrigin(origin: string): boolean {
  return /^https?:\/\/[^/]+$/.test(origin) && URL.canParse(origin) && isLoopbackName(new URL(origin).hostname);
}

function isLoopbackName(name: string): boolean {
  return isLoopback(name) || /^([a-z\d-]+\.)+localhost$/.test(name);
}
