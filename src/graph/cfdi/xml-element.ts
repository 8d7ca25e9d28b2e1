import { XMLParser } from 'fast-xml-parser';

/** An XML element with its namespace instead of its prefix. */
export interface XmlElement {
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
export function parseXml(bytes: Buffer): XmlElement | null {
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
