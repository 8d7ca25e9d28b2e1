import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import type { GraphqlAnswer } from '../padrons/padron';

export interface Part {
  readonly name: string;
  readonly body: Buffer | string;
  readonly filename?: string;
  readonly contentType?: string;
}

export interface Form {
  readonly contentType: string;
  readonly body: Buffer;
}

/** Files of a GraphQL multipart request: the place of each in the operations, and its bytes. */
export type Files = Readonly<Record<string, Buffer>>;

/** A GraphQL multipart request: operations, map, then the files in the order given. */
export function graphqlForm(operations: unknown, files: Files): Form {
  const places = Object.keys(files);
  const map = Object.fromEntries(places.map((place) => [place.replaceAll('.', '-'), [place]]));
  return form([
    { name: 'operations', body: JSON.stringify(operations) },
    { name: 'map', body: JSON.stringify(map) },
    ...Object.entries(files).map(([place, body]) => ({ name: place.replaceAll('.', '-'), filename: 'file', body })),
  ]);
}

export function form(parts: readonly Part[]): Form {
  const boundary = `test-${randomBytes(9).toString('hex')}`;
  const written = parts.flatMap(({ name, filename, contentType, body }) => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"`),
    Buffer.from(filename === undefined ? '' : `; filename="${filename}"`),
    Buffer.from(contentType === undefined ? '\r\n\r\n' : `\r\ncontent-type: ${contentType}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/** Sends a form, with the preflight header and the sandbox's token unless the headers say otherwise ('' sends none). */
export async function postForm(
  url: string,
  { contentType, body }: Form,
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphqlAnswer> {
  const all = {
    'content-type': contentType,
    authorization: `Bearer ${SANDBOX_TOKEN}`,
    'apollo-require-preflight': 'true',
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const response = await request(url, { method: 'POST', headers: sent, body });
  const { data, errors } = (await response.body.json()) as Pick<GraphqlAnswer, 'data' | 'errors'>;
  return { status: response.statusCode, headers: response.headers, data, errors };
}
