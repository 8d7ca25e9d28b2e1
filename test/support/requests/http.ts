import { once } from 'node:events';
import { connect } from 'node:net';
import { request } from 'undici';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  /** Each value of an array is a header line. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

/** One request as it is given, with no header of ours. */
export async function send(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<HttpAnswer> {
  const response = await request(url, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
}

/** Bytes that no client library would send; what came back until the server closed the connection. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString();
  });
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

/** Asserts a rejection that every GraphQL client can read, without internals of the program or the machine. */
export function expectRefusal({ status, headers, text }: HttpAnswer, expected: number, code: string): void {
  expect({ status, type: headers['content-type'], code: codeIn(text) }).toEqual({
    status: expected,
    type: expect.stringMatching(/^application\/(graphql-response\+)?json; charset=utf-8$/),
    code,
  });
  expect(text).not.toMatch(/<!?(doctype|html|body|pre)|\bat .*:\d+:\d+|node_modules|\/src\/|\/work\//);
}

function codeIn(text: string): unknown {
  const { errors, data } = JSON.parse(text) as {
    readonly data?: unknown;
    readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
  };
  expect(data ?? null).toBeNull();
  expect(errors).toHaveLength(1);
  const [error] = errors ?? [];
  expect(error?.message).toMatch(/\w/);
  return error?.extensions.code;
}
