import type { FetchResult, SignedLinks } from '../documents/signed-links';
import { portalError, type ServiceResponse } from '../protocol/responses';
import { toConstanciaPath } from './education';
import { toArchivePath } from './receipts';

/** Parameters of a signed link. The request needs no token. */
export interface LinkRequest {
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

/** Returns one file of a receipt. */
export function fetchReceiptFile(
  links: SignedLinks,
  { token, kind, expires, signature }: LinkRequest,
): ServiceResponse {
  if (kind !== 'pdf' && kind !== 'xml') return portalError(400, 'INVALID_TYPE', 'El tipo debe ser pdf o xml.');
  return toFileResponse(links.fetch(toArchivePath(token, kind), token, kind, expires, signature));
}

/** Returns the PDF of a professional status. */
export function fetchConstancia(links: SignedLinks, { token, expires, signature }: LinkRequest): ServiceResponse {
  return toFileResponse(links.fetch(toConstanciaPath(token), token, 'pdf', expires, signature));
}
