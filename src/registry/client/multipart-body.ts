import { randomBytes } from 'node:crypto';
import type { FilePart, WireInput } from '../endpoint/endpoint';

/**
 * A form as one buffer of our own, not FormData: key and password leave no copies behind in streams and blobs, and the buffer
 * can be overwritten once it is sent.
 */
export function encodeMultipart(input: WireInput): { readonly contentType: string; readonly body: Buffer } {
  const boundary = `padron-${randomBytes(18).toString('base64url')}`;
  const parts = Object.entries(input).flatMap(([name, value]) => [
    Buffer.from(`--${boundary}\r\n${partHeader(name, value)}\r\n\r\n`),
    isFile(value) ? value.bytes : Buffer.from(String(value)),
    Buffer.from('\r\n'),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function partHeader(name: string, value: WireInput[string]): string {
  const disposition = `content-disposition: form-data; name="${name}"`;
  if (!isFile(value)) return disposition;
  return `${disposition}; filename="${value.filename}"\r\ncontent-type: application/octet-stream`;
}

function isFile(value: WireInput[string]): value is FilePart {
  return typeof value === 'object';
}
