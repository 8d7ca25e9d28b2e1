import type { SignedLinks } from '../documents/signed-links';
import { getBalance } from '../endpoints/balance';
import { downloadConstancia, searchLicences, validateCertificate, validateLicence } from '../endpoints/education';
import { issueOpinion, listSnapshots, resolveObligatedSubject } from '../endpoints/employer-records';
import { fetchConstancia, fetchReceiptFile, type LinkRequest } from '../endpoints/files';
import { findAccount, findCredit } from '../endpoints/housing';
import { validateCurp } from '../endpoints/population';
import { downloadReceipt, listReceipts } from '../endpoints/receipts';
import { verifyElectronicSignature } from '../endpoints/tax';
import { fields, optionalRegistration, rp } from '../protocol/input-fields';
import type { ServiceResponse } from '../protocol/responses';
import type { Route } from '../protocol/route';

const common = { method: 'POST', protocol: 'common', inputFrom: 'query', units: 1 } as const;
const portal = { method: 'POST', protocol: 'portal', inputFrom: 'json', units: 1 } as const;
const receiptMonth = [fields.registro_patronal, fields.anio, fields.mes] as const;

/** Returns all endpoints that need a token. The interface does not document the paths of the last two. */
export function makeRoutes(identityPath: string, balancePath: string): readonly Route[] {
  return [
    {
      ...common,
      path: '/api/infonavit/grupo/buscar-credito',
      permission: 'use_buscar_credito',
      fields: [fields.nss],
      answer: findCredit,
    },
    {
      ...common,
      path: '/api/infonavit/grupo/obtener-cuenta',
      permission: 'use_obtener_cuenta',
      fields: [fields.nss],
      answer: findAccount,
    },
    {
      ...common,
      path: '/api/sep/grupo/validar-cedula',
      permission: 'use_validar_cedula',
      fields: [fields.cedula],
      answer: validateLicence,
    },
    {
      ...common,
      path: '/api/sep/grupo/obtener-cedula',
      permission: 'use_buscar_cedula',
      fields: [fields.nombres, fields.paterno, fields.materno],
      answer: searchLicences,
    },
    {
      ...common,
      path: '/api/sep/grupo/validar-certificado',
      permission: 'use_validar_certificado',
      fields: [fields.folio],
      answer: validateCertificate,
    },
    {
      ...common,
      path: '/api/sep/grupo/descargar-constancia-profesional',
      permission: 'use_descargar_constancia_profesional',
      units: 2,
      fields: [fields.curp],
      answer: downloadConstancia,
    },
    {
      ...common,
      path: '/api/sat/grupo/verificar-firma-electronica',
      permission: 'use_sat_verificar_firma_electronica',
      inputFrom: 'form',
      fields: [fields.userId, fields.password, fields.certificate, fields.privateKey],
      answer: verifyElectronicSignature,
    },
    { ...portal, path: '/private/comprobantes-fiscales', fields: receiptMonth, answer: listReceipts },
    {
      ...portal,
      path: '/private/comprobantes-fiscales/descargar',
      fields: [...receiptMonth, fields.folio_sua, fields.importe, fields.include_content],
      answer: downloadReceipt,
    },
    { ...portal, path: '/private/32d-imss', fields: [fields.sujeto_obligado, fields.rfc], answer: issueOpinion },
    {
      ...portal,
      method: 'GET',
      inputFrom: 'query',
      path: '/private/rps/snapshots',
      fields: [optionalRegistration],
      answer: listSnapshots,
    },
    { ...portal, path: '/private/sujeto-obligado', fields: [rp], answer: resolveObligatedSubject },
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
