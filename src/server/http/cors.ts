import { isIP } from 'node:net';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/settings';
import type { Logger } from '../telemetry/logger';
import { toLoggableName } from '../telemetry/logger';
import { isLoopbackOrigin } from './host-check';
import { sendError } from './http-error';

/** Response headers that scripts of an allowed origin may read, beside those that browsers always let them read. */
const exposedHeaders = [
  'x-units-spent',
  'x-units-left',
  'x-operation-until',
  'x-label-dropped',
  'idempotency-replayed',
  'idempotency-kept',
  'x-request-id',
  'x-registry-service',
  'retry-after',
  'content-disposition',
  'mcp-session-id',
  'www-authenticate',
];
const maxAgeSeconds = 600;
/** Maximum number of rejected origins that are logged. Anyone can invent origins. */
const maxLoggedOrigins = 100;

/**
 * Lets browsers of the origins in `CORS_ORIGINS` send requests with any header. Over the embedded sandbox, where nothing costs
 * real units, pages of this machine may too. A rejected preflight names the setting to change.
 */
export async function allowOrigins(app: FastifyInstance, config: Config, log: Logger): Promise<void> {
  const { corsOrigins, registryUrl } = config;
  const isAllowed = (origin: string): boolean =>
    corsOrigins.includes(origin) || (registryUrl === null && isLoopbackOrigin(origin));
  await app.register(cors, {
    origin: (origin, done) => done(null, origin !== undefined && isAllowed(origin)),
    // Agents in a page end their sessions by DELETE.
    methods: ['GET', 'POST', 'DELETE'],
    exposedHeaders,
    maxAge: maxAgeSeconds,
  });
  const logged = new Set<string | null>();
  // The preflights of allowed origins are answered by the hook above.
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (request.method !== 'OPTIONS' || origin === undefined) return done();
    const name = toLoggableOrigin(origin);
    if (!logged.has(name) && logged.size < maxLoggedOrigins) log.originRejected(name);
    logged.add(name);
    sendError(reply, 403, 'Pages of this origin may not send requests here. Add the origin to CORS_ORIGINS of padron.');
  });
}

/** Returns the origin if it is well formed and cannot contain an identifier, else null. */
function toLoggableOrigin(origin: string): string | null {
  if (!URL.canParse(origin)) return null;
  const { origin: parsed, hostname } = new URL(origin);
  if (parsed !== origin) return null;
  return isIP(hostname) !== 0 || hostname.startsWith('[') || toLoggableName(hostname) !== null ? parsed : null;
}
