import type { FetchResult, SignedLinks } from '../documents/signed-links';
import { educationRoutes, toConstanciaPath } from '../endpoints/education';
import { employerRoutes } from '../endpoints/employer-records';
import { housingRoutes } from '../endpoints/housing';
import { populationRoutes } from '../endpoints/population';
import { receiptRoutes, toArchivePath } from '../endpoints/receipts';
import { taxRoutes } from '../endpoints/tax';
import { found, portalError, type ServiceResponse } from '../protocol/responses';
import { commonRoute, type Route } from '../protocol/route';

/** Parameters of a signed link. The request needs no token. */
interface LinkRequest {
  readonly token: string;
  readonly kind: string;
  readonly expires: string;
  readonly signature: string;
}

function toFileResponse(fetched: FetchResult): ServiceResponse {
  if (fetched === 'gone') return portalError(410, 'GONE', 'El enlace expiró o el archivo ya no está disponible.');
  if (fetched === 'unsigned') return portalError(403, 'INVALID_SIGNATURE', 'La firma del enlace no es válida.');
  if (fetched === 'unusable') {
    return { status: 200, contentType: 'text/html; charset=utf-8', body: '<!doctype html><p>Sin archivo</p>' };
  }
  return {
    status: 200,
    contentType: fetched.contentType,
    body: fetched.bytes,
    headers: {
      'content-disposition': `attachment; filename="${fetched.name}"`,
      'cache-control': 'private, max-age=3600',
    },
  };
}

function fetchReceiptFile(links: SignedLinks, { token, kind, expires, signature }: LinkRequest): ServiceResponse {
  if (kind !== 'pdf' && kind !== 'xml') return portalError(400, 'INVALID_TYPE', 'El tipo debe ser pdf o xml.');
  return toFileResponse(links.fetch(toArchivePath(token, kind), token, kind, expires, signature));
}

function fetchConstancia(links: SignedLinks, { token, expires, signature }: LinkRequest): ServiceResponse {
  return toFileResponse(links.fetch(toConstanciaPath(token), token, 'pdf', expires, signature));
}

const getBalance: Route['answer'] = ({ account, dependencies }) =>
  found({ balance: dependencies.balances.balance(account) });

/** Returns all endpoints that need a token. The interface does not document the two paths that are given. */
export function makeRoutes(identityPath: string, balancePath: string): readonly Route[] {
  return [
    ...housingRoutes,
    ...educationRoutes,
    ...taxRoutes,
    ...receiptRoutes,
    ...employerRoutes,
    ...populationRoutes(identityPath),
    { ...commonRoute(balancePath, null, [], getBalance), method: 'GET', inputFrom: 'nothing', units: 0 },
  ];
}

/** A route of signed links. It is free, open to anyone with the link, and does not use the interface's envelopes. */
export interface LinkRoute {
  readonly path: string;
  readonly fetch: (links: SignedLinks, request: LinkRequest) => ServiceResponse;
}

export const linkRoutes: readonly LinkRoute[] = [
  { path: '/private/imss/comprobantes-fiscales/archivo/{token}/{tipo}', fetch: fetchReceiptFile },
  { path: '/archivos/constancia-profesional/{token}', fetch: fetchConstancia },
];
