import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config';
import { isLoopback } from '../../config/env-reader';
import { sendError } from './http-error';

/**
 * Rejects requests by other host names if only the loopback address protects the token of this server. Otherwise any
 * web page could point its own name to this machine and read the answers (DNS rebinding).
 */
export function rejectForeignNames(http: FastifyInstance, config: Config): void {
  const { registryToken, jwt, subgraphSecret, corsOrigins } = config;
  if (registryToken === null || jwt !== null || subgraphSecret !== null) return;
  http.addHook('onRequest', (request, reply, done) => {
    const { host, origin } = request.headers;
    // The preflights of other origins are refused by `cors.ts`, which also logs them.
    const isPreflight = request.method === 'OPTIONS';
    if (!isLoopbackHost(host))
      sendError(reply, 403, 'This server only accepts requests from this machine. Send them to localhost or 127.0.0.1.');
    else if (!isPreflight && origin !== undefined && !corsOrigins.includes(origin) && !isLoopbackOrigin(origin))
      sendError(reply, 403, 'Pages of this origin may not send requests here. Use a page of localhost, or add the origin to CORS_ORIGINS of padron.');
    else done();
  });
}

function isLoopbackHost(host: IncomingHttpHeaders['host']): boolean {
  const name = /^(\[[\d:]+\]|[a-z\d.-]+)(?::\d{1,5})?$/i.exec(host ?? '')?.[1];
  return name !== undefined && isLoopbackName(name.toLowerCase());
}

/** Whether the origin is that of a page of this machine. */
export function isLoopbackOrigin(origin: string): boolean {
  return /^https?:\/\/[^/]+$/.test(origin) && URL.canParse(origin) && isLoopbackName(new URL(origin).hostname);
}

function isLoopbackName(name: string): boolean {
  return isLoopback(name) || /^([a-z\d-]+\.)+localhost$/.test(name);
}
