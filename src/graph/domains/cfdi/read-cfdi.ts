import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import { parseIsoDate } from '../../../identifiers/dates';
import { checkRfc } from '../../../identifiers/employer';
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
const rfc = z.string().refine((text) => genericRfcs.includes(text) || checkRfc(text) === null);
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

/** An XML element with its namespace instead of its prefix. */
interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** Attributes without a prefix. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

/** A node in the format of the parser. Its only key besides the attributes is its name. */
type ParsedNode = Readonly<Record<string, unknown>>;

/** The namespace of each prefix in scope. An element adds its own declarations and removes them at its end. */
type Prefixes = Map<string, string | undefined>;

const attributesKey = ':@';
const textKey = '#text';

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  attributesGroupName: false,
  textNodeName: textKey,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // Decodes character references. A document cannot define entities, because a DOCTYPE is rejected.
  htmlEntities: true,
});

/** Maximum length of a tag or text. The parser takes time quadratic in the attributes of a tag. */
const maxPartLength = 16_384;

/** Returns the root element of a UTF-8 document. Returns null if the document is not well-formed or has a DOCTYPE. */
function parseXml(bytes: Buffer): XmlElement | null {
  const text = decode(bytes);
  if (text === null || /<!(?!--|\[CDATA\[)/.test(text)) return null;
  if (text.split('<').some((part) => part.length > maxPartLength)) return null;
  try {
    const nodes: readonly ParsedNode[] = parser.parse(text, true);
    const [root, ...more] = nodes.filter((node) => !isBlank(node));
    return root === undefined || more.length > 0 ? null : toElement(root, new Map());
  } catch {
    // The error is not reported, because its message quotes the document.
    return null;
  }
}

function decode(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const [, encoding = 'utf-8'] = /^<\?xml[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(text) ?? [];
    return encoding.toLowerCase() === 'utf-8' ? text : null;
  } catch {
    return null;
  }
}

const isBlank = (node: ParsedNode): boolean => typeof node[textKey] === 'string' && node[textKey].trim() === '';

function toElement(node: ParsedNode, prefixes: Prefixes): XmlElement {
  const tag = Object.keys(node).find((key) => key !== attributesKey) ?? '';
  const attributes = (node[attributesKey] ?? {}) as Readonly<Record<string, string>>;
  const declared = Object.entries(attributes).flatMap(([name, uri]): readonly (readonly [string, string])[] => {
    if (name === 'xmlns') return [['', uri]];
    return name.startsWith('xmlns:') ? [[name.slice('xmlns:'.length), uri]] : [];
  });
  // The map is changed in place: a copy for each element would take seconds for thousands of prefixes.
  const outer = declared.map(([prefix]) => [prefix, prefixes.get(prefix)] as const);
  for (const [prefix, uri] of declared) prefixes.set(prefix, uri);
  const colon = tag.indexOf(':');
  const children = (node[tag] as readonly ParsedNode[]).filter((child) => !(textKey in child));
  const element = {
    namespace: prefixes.get(tag.slice(0, Math.max(colon, 0))) ?? '',
    name: tag.slice(colon + 1),
    attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => !name.includes(':'))),
    children: children.map((child) => toElement(child, prefixes)),
  };
  for (const [prefix, uri] of outer) prefixes.set(prefix, uri);
  return element;
}
