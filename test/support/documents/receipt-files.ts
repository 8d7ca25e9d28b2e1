import { XMLParser } from 'fast-xml-parser';

export const fileFields =
  'filename contentType sizeBytes url expiresAt content contentProblem { code message retryable }';

export function bytesOf(file: { readonly content: string }): Buffer {
  return Buffer.from(file.content, 'base64');
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  removeNSPrefix: true,
});

export function fiscalDocument(file: { readonly content: string }): Readonly<Record<string, string>> {
  return parser.parse(bytesOf(file)).Comprobante;
}
