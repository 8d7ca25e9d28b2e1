import type { FetchResult, SignedLinks } from '../documents/signed-links';
import {
  downloadConstancia,
  searchLicences,
  toConstanciaPath,
  validateCertificate,
  validateLicence,
} from '../endpoints/education';
import { issueOpinion, listSnapshots, resolveObligatedSubject } from '../endpoints/employer-records';
import { findAccount, findCredit } from '../endpoints/housing';
import { validateCurp } from '../endpoints/population';
import { downloadReceipt, listReceipts, toArchivePath } from '../endpoints/receipts';
import { verifyElectronicSignature } from '../endpoints/tax';
import { fields, optionalRegistration, rp } from '../protocol/input-fields';
import { found, portalError, type ServiceResponse } from '../protocol/responses';
import type { Field, Route } from '../protocol/route';

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

const common = { method: 'POST', protocol: 'common', inputFrom: 'query', units: 1 } as const;
const portal = { method: 'POST', protocol: 'portal', inputFrom: 'json', units: 1 } as const;
const receiptMonth = [fields.registro_patronal, fields.anio, fields.mes];
const receiptFile = [...receiptMonth, fields.folio_sua, fields.importe, fields.include_content];
const signature = [fields.userId, fields.password, fields.certificate, fields.privateKey];

/** Returns an endpoint in the common envelope that needs a permission of the token. */
function permitted(path: string, permission: string, fields: readonly Field[], answer: Route['answer']): Route {
  return { ...common, path: `/api/${path}`, permission, fields, answer };
}

function portalRoute(path: string, fields: readonly Field[], answer: Route['answer']): Route {
  return { ...portal, path: `/private/${path}`, fields, answer };
}

const getBalance: Route['answer'] = ({ account, dependencies }) =>
  found({ balance: dependencies.balances.balance(account) });

/** Returns all endpoints that need a token. The interface does not document the paths of the last two. */
export function makeRoutes(identityPath: string, balancePath: string): readonly Route[] {
  const names = [fields.nombres, fields.paterno, fields.materno];
  const statusDownload = 'sep/grupo/descargar-constancia-profesional';
  const signatureCheck = 'sat/grupo/verificar-firma-electronica';
  return [
    permitted('infonavit/grupo/buscar-credito', 'use_buscar_credito', [fields.nss], findCredit),
    permitted('infonavit/grupo/obtener-cuenta', 'use_obtener_cuenta', [fields.nss], findAccount),
    permitted('sep/grupo/validar-cedula', 'use_validar_cedula', [fields.cedula], validateLicence),
    permitted('sep/grupo/obtener-cedula', 'use_buscar_cedula', names, searchLicences),
    permitted('sep/grupo/validar-certificado', 'use_validar_certificado', [fields.folio], validateCertificate),
    {
      ...permitted(statusDownload, 'use_descargar_constancia_profesional', [fields.curp], downloadConstancia),
      units: 2,
    },
    {
      ...permitted(signatureCheck, 'use_sat_verificar_firma_electronica', signature, verifyElectronicSignature),
      inputFrom: 'form',
    },
    portalRoute('comprobantes-fiscales', receiptMonth, listReceipts),
    portalRoute('comprobantes-fiscales/descargar', receiptFile, downloadReceipt),
    portalRoute('32d-imss', [fields.sujeto_obligado, fields.rfc], issueOpinion),
    { ...portalRoute('rps/snapshots', [optionalRegistration], listSnapshots), method: 'GET', inputFrom: 'query' },
    portalRoute('sujeto-obligado', [rp], resolveObligatedSubject),
    { ...common, path: identityPath, fields: [fields.curp], answer: validateCurp },
    { ...common, method: 'GET', inputFrom: 'nothing', path: balancePath, units: 0, fields: [], answer: getBalance },
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
