import { randomBytes } from 'node:crypto';
import type { FilePart, WireInput } from '../endpoint/endpoint';

/** Encodes a form in pieces, which borrow its files: FormData or one buffer of the whole form would be a copy of the key. */
export function encodeMultipart(input: WireInput): {
  readonly contentType: string;
  readonly body: readonly (string | Buffer)[];
} {
  const boundary = `padron-${randomBytes(18).toString('base64url')}`;
  const body: (string | Buffer)[] = [];
  let text = '';
  for (const [name, value] of Object.entries(input)) {
    text += `--${boundary}\r\n${partHeader(name, value)}\r\n\r\n`;
    if (isFile(value)) {
      body.push(text, value.bytes);
      text = '';
    } else text += value;
    text += '\r\n';
  }
  body.push(`${text}--${boundary}--\r\n`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

function partHeader(name: string, value: WireInput[string]): string {
  const disposition = `content-disposition: form-data; name="${name}"`;
  if (!isFile(value)) return disposition;
  return `${disposition}; filename="${value.filename}"\r\ncontent-type: application/octet-stream`;
}

function isFile(value: WireInput[string]): value is FilePart {
  return typeof value === 'object';
}
