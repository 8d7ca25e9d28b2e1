import { SaxesParser } from 'saxes';
import { z } from 'zod';
import { parseIsoDate } from '../../../identifiers/dates';
import { checkRfc } from '../../../identifiers/subjects';
import type { Cfdi } from './types';

/** Maximum size of a CFDI. A receipt of the institute has about a tenth of it. */
export const maxCfdiBytes = 131_072;

const versions: ReadonlyMap<string, string> = new Map([
  ['http://www.sat.gob.mx/cfd/4', '4.0'],
  ['http://www.sat.gob.mx/cfd/3', '3.3'],
]);
const stampNamespace = 'http://www.sat.gob.mx/TimbreFiscalDigital';
const genericRfcs: readonly string[] = ['XAXX010101000', 'XEXX010101000'];

const amount = z.string().regex(/^\d{1,18}(?:\.\d{1,6})?$/);
// The schema of the tax authority collapses blanks in an RFC.
const rfc = z
  .string()
  .trim()
  .refine((text) => genericRfcs.includes(text) || checkRfc(text) === null);
const moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/)
  .refine((text) => parseIsoDate(text) !== null);

const Voucher = z.object({
  Version: z.string(),
  Folio: z.string().min(1).max(60).optional(),
  Fecha: moment,
  Total: amount,
  Moneda: z.string().regex(/^[A-Z]{3}$/),
  // I is income. In other kinds of CFDI the total is not an amount paid.
  TipoDeComprobante: z.literal('I'),
});
const Party = z.object({ Rfc: rfc, Nombre: z.string().min(1).max(500).optional() });
const Concept = z.object({ Descripcion: z.string().min(1).max(1_000), Importe: amount });
const Stamp = z.object({
  UUID: z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  FechaTimbrado: moment,
});

/** Reads a stamped CFDI of income, version 4.0 or 3.3. Returns null if a field does not have the format that the tax authority defines. */
export function readCfdi(bytes: Buffer): Cfdi | null {
  const voucher = bytes.length > maxCfdiBytes ? null : parseXml(bytes);
  if (voucher?.name !== 'Comprobante') return null;
  const { namespace } = voucher;
  const parts = z
    .object({
      voucher: Voucher,
      issuer: z.tuple([Party]),
      receiver: z.tuple([Party]),
      concepts: z.array(Concept).min(1),
      stamp: z.tuple([Stamp]),
    })
    .safeParse({
      voucher: voucher.attributes,
      issuer: attributesOf(childrenOf(voucher, namespace, 'Emisor')),
      receiver: attributesOf(childrenOf(voucher, namespace, 'Receptor')),
      concepts: attributesOf(
        childrenOf(voucher, namespace, 'Conceptos').flatMap((list) => childrenOf(list, namespace, 'Concepto')),
      ),
      stamp: attributesOf(
        childrenOf(voucher, namespace, 'Complemento').flatMap((complement) =>
          childrenOf(complement, stampNamespace, 'TimbreFiscalDigital'),
        ),
      ),
    });
  if (!parts.success || parts.data.voucher.Version !== versions.get(namespace)) return null;
  const { voucher: head, issuer, receiver, concepts, stamp } = parts.data;
  return {
    uuid: stamp[0].UUID.toUpperCase(),
    folio: head.Folio ?? null,
    issuedAt: head.Fecha,
    certifiedAt: stamp[0].FechaTimbrado,
    issuer: toParty(issuer[0]),
    receiver: toParty(receiver[0]),
    total: head.Total,
    currency: head.Moneda,
    concepts: concepts.map(({ Descripcion, Importe }) => ({ description: Descripcion, amount: Importe })),
  };
}

const childrenOf = (element: XmlElement, namespace: string, name: string): readonly XmlElement[] =>
  element.children.filter((child) => child.namespace === namespace && child.name === name);

const attributesOf = (elements: readonly XmlElement[]): readonly XmlElement['attributes'][] =>
  elements.map(({ attributes }) => attributes);

const toParty = ({ Rfc, Nombre }: z.output<typeof Party>) => ({ rfc: Rfc, name: Nombre ?? null });

interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
}

/** Maximum levels of elements. The parser looks for a namespace in each level, and a CFDI has less than ten. */
const maxDepth = 100;

/**
 * Returns a document without the blanks and NULs around it, which copying programs leave. Anything else there is kept, and makes it
 * unreadable: it may be a second document, and then it is not certain which one the seal is of.
 */
function trimDocument(text: string): string {
  const end = text.lastIndexOf('>') + 1;
  return /^[\s\0]*$/.test(text.slice(end)) ? text.slice(0, end).trimStart() : text;
}

/** Returns the root element of a UTF-8 document. Returns null if the document is not well-formed or has a DOCTYPE. */
function parseXml(bytes: Buffer): XmlElement | null {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const document: XmlElement = { namespace: '', name: '', attributes: {}, children: [] };
  const open = [document];
  parser.on('error', reject);
  parser.on('doctype', reject);
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => /^utf-?8$/i.test(encoding) || reject());
  parser.on('opentag', ({ uri, local, attributes }) => {
    const plain = Object.values(attributes).filter(({ prefix }) => prefix === '');
    const element: XmlElement = {
      namespace: uri,
      name: local,
      attributes: Object.fromEntries(plain.map((attribute) => [attribute.local, attribute.value])),
      children: [],
    };
    open.at(-1)?.children.push(element);
    if (open.push(element) > maxDepth) reject();
  });
  parser.on('closetag', () => void open.pop());
  try {
    parser.write(trimDocument(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).close();
    return document.children[0] ?? null;
  } catch {
    // The error is not reported, because its message quotes the document.
    return null;
  }
}

function reject(): never {
  throw new Error('The document is not a CFDI.');
}
