import { formatCentavos, spellAmount, toPesos } from '../data/money';
import { toDayFirst } from '../documents/dates';
import { getReceiptFiles } from '../documents/receipt-files';
import { findReceipts, type Receipt } from '../documents/receipts';
import type { IssuedLinks, LinkedFile } from '../documents/signed-links';
import { fields } from '../protocol/input-fields';
import { notFound, portalError, type ServiceResponse } from '../protocol/responses';
import { portalRoute, type Question, type Route } from '../protocol/route';
import { findEmployerByRegistration } from '../test-cards/directory';

function toPeriod(values: Question['values']): string {
  return `${values.anio}${(values.mes ?? '').padStart(2, '0')}`;
}

function toParams(values: Question['values'], registration: string): Readonly<Record<string, unknown>> {
  return {
    registro_patronal: registration,
    periodo: toPeriod(values),
    anio: Number(values.anio),
    mes: Number(values.mes),
  };
}

function toReceiptRecord(receipt: Receipt): Readonly<Record<string, unknown>> {
  return {
    registro_patronal: receipt.employer.registration,
    folio_sua: receipt.folio,
    fecha_pago: toDayFirst(receipt.paidOn),
    importe_texto: formatCentavos(receipt.centavos),
    importe_spell: spellAmount(receipt.centavos),
    importe: toPesos(receipt.centavos),
  };
}

function listReceipts({ values, dependencies }: Question): ServiceResponse {
  const employer = findEmployerByRegistration(values.registro_patronal ?? '');
  if (!employer) return notFound('portal');
  const now = dependencies.now();
  const receipts = findReceipts(employer, toPeriod(values), now);
  const warnings = receipts.length > 1 ? ['El periodo tiene más de un comprobante.'] : [];
  return {
    status: 200,
    body: {
      ok: true,
      params: toParams(values, employer.registration),
      meta: { count: receipts.length, warnings, fetched_at: now.toISOString() },
      comprobantes: receipts.map(toReceiptRecord),
    },
  };
}

export function toArchivePath(token: string, kind: string): string {
  return `/private/imss/comprobantes-fiscales/archivo/${token}/${kind}`;
}

interface Delivery {
  readonly inline: boolean;
  readonly links: IssuedLinks | undefined;
}

function toFileDescriptor(file: LinkedFile, kind: 'pdf' | 'xml', { inline, links }: Delivery): unknown {
  return {
    url: links ? links.url((token) => toArchivePath(token, kind)) : null,
    content_type: file.contentType,
    filename: file.name,
    size_bytes: file.bytes.length,
    base64: inline ? file.bytes.toString('base64') : null,
  };
}

async function downloadReceipt(question: Question): Promise<ServiceResponse> {
  const { values, dependencies, origin, linkFailure } = question;
  const now = dependencies.now();
  const employer = findEmployerByRegistration(values.registro_patronal ?? '');
  const receipts = employer ? findReceipts(employer, toPeriod(values), now) : [];
  const receipt = receipts.find(({ folio }) => folio === values.folio_sua);
  if (!employer || !receipt) {
    return portalError(422, 'IMSS_INCONSISTENT_DATA', 'El folio, el periodo o el registro patronal no coinciden.');
  }
  const { pdf, xml } = await getReceiptFiles(receipt);
  const stored = new Map([
    ['pdf', pdf],
    ['xml', xml],
  ]);
  const inline = values.include_content === 'true';
  const links = inline && !employer.linksInline ? undefined : dependencies.links.issue(origin, stored, linkFailure);
  const expiresAt = links?.expiresAt ?? new Date(now.getTime() + 3_600_000);
  const delivery = { inline, links };
  return {
    status: 200,
    body: {
      ok: true,
      params: { ...toParams(values, employer.registration), folio_sua: receipt.folio },
      meta: { expires_at: expiresAt.toISOString(), fetched_at: now.toISOString(), cache_store: 'memory', warnings: [] },
      files: { pdf: toFileDescriptor(pdf, 'pdf', delivery), xml: toFileDescriptor(xml, 'xml', delivery) },
    },
  };
}

const receiptMonth = [fields.registro_patronal, fields.anio, fields.mes];
const receiptFile = [...receiptMonth, fields.folio_sua, fields.importe, fields.include_content];

export const receiptRoutes: readonly Route[] = [
  portalRoute('/private/comprobantes-fiscales', receiptMonth, listReceipts),
  portalRoute('/private/comprobantes-fiscales/descargar', receiptFile, downloadReceipt),
];
