import { XMLParser } from 'fast-xml-parser';

/** The properties of a file in the graph. */
export const fileFields =
  'filename contentType sizeBytes url expiresAt content contentProblem { code message retryable }';

/** The bytes of a file's `content`. */
export function bytesOf(file: { readonly content: string }): Buffer {
  return Buffer.from(file.content, 'base64');
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  removeNSPrefix: true,
});

/** The head of the fiscal document in an XML file. */
export function fiscalDocument(file: { readonly content: string }): Readonly<Record<string, string>> {
  return parser.parse(bytesOf(file)).Comprobante;
}
