import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import { type Account, builtInAccounts } from './accounts/accounts';
import { CallLog, type SandboxCall } from './accounts/call-log';
import { Balances, RateLimiter } from './accounts/limits';
import { SignedLinks } from './documents/signed-links';
import { sandboxAuthorities } from './efirma/credentials';
import { readAuthorities } from './efirma/verify-signature';
import { createGuide } from './guide';
import type { Service } from './http/handle-request';
import { registerLinks, registerRoutes } from './http/register-routes';
import { linkRoutes, makeRoutes } from './http/routes';
import { ownTerms, type Route, type Terms, toEndpointName } from './protocol/route';

export type { SandboxCall } from './accounts/call-log';

export interface SandboxOptions {
  readonly host?: string;
  readonly port?: number;
  readonly clock?: () => Date;
  /** Files of additional certificate authorities, in DER or PEM. */
  readonly authorities?: readonly string[];
  readonly identityPath?: string;
  readonly balancePath?: string;
  /** Accounts in addition to the built-in ones. */
  readonly accounts?: readonly Account[];
  /** Returns the terms of an endpoint by its method and path, such as `POST /api/infonavit/grupo/buscar-credito`. Undefined for those of the interface. */
  readonly terms?: (endpoint: string) => Terms | undefined;
  /** Endpoints in addition to those of the interface. */
  readonly routes?: readonly Route[];
  /** Delay of the slow test cards, in milliseconds. */
  readonly slowMs?: number;
}

export interface Sandbox {
  readonly url: string;
  /** Every request that reached an endpoint, in order of arrival, signed links included. */
  readonly calls: readonly SandboxCall[];
  /** Returns the units that an account has spent. */
  spent(token: string): number;
  clearCalls(): void;
  close(): Promise<void>;
}

const DEFAULT_IDENTITY_PATH = '/api/renapo/grupo/valida-curp';
const DEFAULT_BALANCE_PATH = '/api/balance';
const MEGABYTE = 1_048_576;

function makeService(options: SandboxOptions): Service {
  const now = options.clock ?? (() => new Date());
  const accounts = [...builtInAccounts, ...(options.accounts ?? [])];
  return {
    dependencies: {
      now,
      links: new SignedLinks(now),
      balances: new Balances(),
      authorities: [...sandboxAuthorities, ...readAuthorities(options.authorities ?? [])],
    },
    accounts: new Map(accounts.map((account) => [account.token, account])),
    rateLimiter: new RateLimiter(),
    slowMs: options.slowMs ?? 2_000,
    terms: (route) => options.terms?.(toEndpointName(route)) ?? ownTerms(route),
  };
}

async function makeApp(service: Service, callLog: CallLog, options: SandboxOptions): Promise<FastifyInstance> {
  const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false, bodyLimit: MEGABYTE });
  await app.register(multipart, { limits: { fileSize: MEGABYTE, files: 2, fields: 10 } });
  // Bodies are parsed by the endpoints that use them. Endpoints under /api have no body, whatever the content type says.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const own = makeRoutes(options.identityPath ?? DEFAULT_IDENTITY_PATH, options.balancePath ?? DEFAULT_BALANCE_PATH);
  const routes = [...own, ...(options.routes ?? [])];
  registerRoutes(app, routes, service, callLog);
  registerLinks(app, linkRoutes, service, callLog);
  // padron recognizes the sandbox by this path, which the real service does not have.
  app.get('/sandbox/guide', async (_request, reply) =>
    reply.header('x-registry-service', 'sandbox').send(createGuide(service.dependencies.now())),
  );
  return app;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const service = makeService(options);
  const callLog = new CallLog();
  const app = await makeApp(service, callLog, options);
  const url = await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 });
  return {
    url,
    calls: callLog.calls,
    spent: (token) => service.dependencies.balances.spent(token),
    clearCalls: () => callLog.clear(),
    close: () => app.close(),
  };
}
