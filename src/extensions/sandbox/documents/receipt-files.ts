import type { SandboxEmployer } from '../data/employers';
import { formatCentavos, formatDecimal, spellAmount } from '../data/money';
import type { Concept } from '../data/months';
import { toDayFirst } from './dates';
import { addFacts, addHeadline, addTable, renderPdf } from './pdf';
import type { Receipt } from './receipts';
import type { LinkedFile } from './signed-links';

export type PrintedReceipt = Omit<Receipt, 'employer'> & {
  readonly employer: Pick<SandboxEmployer, 'registration' | 'name' | 'rfc' | 'postalCode'>;
};

export interface ReceiptFiles {
  readonly pdf: LinkedFile;
  readonly xml: LinkedFile;
}

const MAX_CACHED = 500;
const cache = new Map<string, Promise<ReceiptFiles>>();

async function makeFiles(receipt: Receipt): Promise<ReceiptFiles> {
  const name = `${receipt.employer.registration}-${receipt.period}-${receipt.folio}`;
  return {
    pdf: { name: `${name}.pdf`, contentType: 'application/pdf', bytes: await renderReceiptPdf(receipt) },
    xml: { name: `${name}.xml`, contentType: 'application/xml', bytes: renderReceiptXml(receipt) },
  };
}

/** Returns the files of a receipt from a cache, because a PDF takes time to render and never changes. */
export function getReceiptFiles(receipt: Receipt): Promise<ReceiptFiles> {
  const cached = cache.get(receipt.uuid);
  if (cached) return cached;
  const files = makeFiles(receipt);
  cache.set(receipt.uuid, files);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest) cache.delete(oldest);
  return files;
}

export async function renderReceiptPdf(receipt: PrintedReceipt): Promise<Buffer> {
  const { employer, centavos } = receipt;
  const header = {
    office: 'Instituto Mexicano del Seguro Social (imitación)',
    title: 'Comprobante fiscal de pago de cuotas',
    reference: `Folio fiscal ${receipt.uuid.toUpperCase()}`,
    createdAt: new Date(`${receipt.paidOn}T12:00:00Z`),
  };
  return renderPdf(header, (pdf) => {
    addFacts(pdf, [
      ['Registro patronal', employer.registration],
      ['Nombre o razón social', employer.name],
      ['RFC', employer.rfc],
      ['Código postal', employer.postalCode],
      ['Periodo', receipt.period],
      ['Folio SUA', receipt.folio],
      ['Folio del comprobante', makeFiscalFolio(receipt)],
      ['Fecha de pago', toDayFirst(receipt.paidOn)],
    ]);
    addTable(
      pdf,
      [
        { heading: 'Concepto', width: 0.7 },
        { heading: 'Importe', width: 0.3, align: 'right' },
      ],
      receipt.concepts.map((concept) => [concept.label, formatCentavos(concept.centavos)]),
    );
    addHeadline(pdf, `Total ${formatCentavos(centavos)}`);
    addFacts(pdf, [['Importe con letra', spellAmount(centavos)]]);
  });
}

function makeFiscalFolio({ period, employer, paidOn, folio }: PrintedReceipt): string {
  return `${period}-${employer.registration}-${toDayFirst(paidOn).replaceAll('/', '')}-${folio}`;
}

/** Base64 of a plain sentence, which cannot be mistaken for a seal of the tax authority. */
const FAKE_SEAL = Buffer.from('SANDBOX: SELLO SIN VALIDEZ').toString('base64');
const FAKE_CERTIFICATE = Buffer.from('SANDBOX: CERTIFICADO SIN VALIDEZ').toString('base64');
const FAKE_CERTIFICATE_NUMBER = '00000000000000000000';
/** The tax authority's test code, which does not belong to any certification provider. */
const FAKE_PROVIDER = 'AAA010101AAA';

const CFDI = 'http://www.sat.gob.mx/cfd/4';
const STAMP = 'http://www.sat.gob.mx/TimbreFiscalDigital';
const SCHEMAS = [
  CFDI,
  'http://www.sat.gob.mx/sitio_internet/cfd/4/cfdv40.xsd',
  STAMP,
  'http://www.sat.gob.mx/sitio_internet/cfd/TimbreFiscalDigital/TimbreFiscalDigitalv11.xsd',
].join(' ');

/** Renders a receipt as an invented CFDI 4.0 with a stamp. Its structure is real, and its seals cannot be mistaken for real ones. */
export function renderReceiptXml(receipt: PrintedReceipt): Buffer {
  const children = [
    makeElement('cfdi:Emisor', {
      Rfc: 'IMS421231I45',
      Nombre: 'INSTITUTO MEXICANO DEL SEGURO SOCIAL',
      RegimenFiscal: '603',
    }),
    makeElement('cfdi:Receptor', recipientAttributes(receipt)),
    makeElement('cfdi:Conceptos', {}, receipt.concepts.map(conceptElement)),
    makeElement('cfdi:Complemento', {}, [makeElement('tfd:TimbreFiscalDigital', stampAttributes(receipt))]),
  ];
  const document = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!-- Documento inventado por el sandbox de padron. Sin validez fiscal ni oficial. -->',
    makeElement('cfdi:Comprobante', voucherAttributes(receipt), children),
  ];
  return Buffer.from(`${document.join('\n')}\n`, 'utf8');
}

function voucherAttributes(receipt: PrintedReceipt): Record<string, string> {
  const amount = formatDecimal(receipt.centavos);
  return {
    'xmlns:cfdi': CFDI,
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': SCHEMAS,
    Version: '4.0',
    Serie: 'A',
    Folio: makeFiscalFolio(receipt),
    Fecha: `${receipt.paidOn}T12:00:00`,
    Sello: FAKE_SEAL,
    FormaPago: '03',
    NoCertificado: FAKE_CERTIFICATE_NUMBER,
    Certificado: FAKE_CERTIFICATE,
    SubTotal: amount,
    Moneda: 'MXN',
    Total: amount,
    TipoDeComprobante: 'I',
    Exportacion: '01',
    MetodoPago: 'PUE',
    LugarExpedicion: '06600',
  };
}

function recipientAttributes({ employer }: PrintedReceipt): Record<string, string> {
  return {
    Rfc: employer.rfc,
    Nombre: employer.name,
    DomicilioFiscalReceptor: employer.postalCode,
    // A code of 12 characters belongs to a company, one of 13 to a person. They have different tax regimes.
    RegimenFiscalReceptor: employer.rfc.length === 12 ? '601' : '612',
    UsoCFDI: 'G03',
  };
}

function conceptElement({ label, centavos }: Concept): string {
  const amount = formatDecimal(centavos);
  return makeElement('cfdi:Concepto', {
    ClaveProdServ: '85101701',
    Cantidad: '1',
    ClaveUnidad: 'E48',
    Descripcion: label,
    ValorUnitario: amount,
    Importe: amount,
    ObjetoImp: '01',
  });
}

function stampAttributes(receipt: PrintedReceipt): Record<string, string> {
  return {
    'xmlns:tfd': STAMP,
    Version: '1.1',
    UUID: receipt.uuid.toUpperCase(),
    FechaTimbrado: `${receipt.paidOn}T12:00:05`,
    RfcProvCertif: FAKE_PROVIDER,
    SelloCFD: FAKE_SEAL,
    NoCertificadoSAT: FAKE_CERTIFICATE_NUMBER,
    SelloSAT: FAKE_SEAL,
  };
}

function makeElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly string[] = [],
): string {
  const tag = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeAttribute(value)}"`)].join(
    ' ',
  );
  if (children.length === 0) return `<${tag}/>`;
  const inner = children.map((child) => child.replace(/^/gm, '  ')).join('\n');
  return `<${tag}>\n${inner}\n</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A parser turns a literal line break or tab in an attribute into a blank. A character reference preserves it.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes the text of an attribute and removes characters that XML 1.0 does not allow (control characters, lone surrogates). */
function escapeAttribute(value: string): string {
  return value
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"'\t\n\r]/g, (character) => ENTITIES[character] ?? character);
}
