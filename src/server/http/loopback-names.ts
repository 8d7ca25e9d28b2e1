import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config';
import { isLoopback } from '../../config/env-reader';
import { sendError } from './http-error';

/**
 * Where nothing but the address protects the token that is held here, the name by which a request came counts too: a page from anywhere
 * may have its own name point to this machine, and browsers then take what is here for that page's own (DNS rebinding).
 */
export function rejectForeignNames(http: FastifyInstance, config: Config): void {
  const { registryToken, jwt, subgraphSecret, corsOrigins } = config;
  if (registryToken === null || jwt !== null || subgraphSecret !== null) return;
  http.addHook('onRequest', (request, reply, done) => {
    const { host, origin } = request.headers;
    if (isLoopbackHost(host) && (origin === undefined || isLocalOrigin(origin, corsOrigins))) done();
    else sendError(reply, 403, 'This server answers to this machine only: ask it as localhost or 127.0.0.1.');
  });
}

function isLoopbackHost(host: IncomingHttpHeaders['host']): boolean {
  const name = /^(\[[\d:]+\]|[a-z\d.-]+)(?::\d{1,5})?$/i.exec(host ?? '')?.[1];
  return name !== undefined && isLoopbackName(name.toLowerCase());
}

/** Pages of this machine, and those that the operator named. */
function isLocalOrigin(origin: string, named: readonly string[]): boolean {
  if (named.includes(origin)) return true;
  return /^https?:\/\/[^/]+$/.test(origin) && URL.canParse(origin) && isLoopbackName(new URL(origin).hostname);
}

function isLoopbackName(name: string): boolean {
  return isLoopback(name) || /^([a-z\d-]+\.)+localhost$/.test(name);
}
