import 'reflect-metadata';
import { once } from 'node:events';
import { connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { SecretBytes } from '../../../src/graph/core/scalars/secret-bytes';
import type { UploadedFile } from '../../../src/graph/core/scalars/upload';
import { acceptUploads } from '../../../src/server/http/multipart-uploads';
import { credentialOf } from '../../support/keys/signatures';
import { waitUntil } from '../../support/proxies/deferred';
import { graphqlForm } from '../../support/requests/multipart';
import { isWiped, watchBytes } from '../../support/requests/watched-bytes';

const credential = credentialOf('person');

describe('the files of a form', () => {
  const bytes = watchBytes();
  let app: FastifyInstance;
  /** The files as a field read them, and whether it still uses them. */
  let contents: (Buffer | null)[];
  let field: SecretBytes;
  const start = async (deadlineMs?: number): Promise<URL> => {
    contents = [];
    field = new SecretBytes();
    app = fastify();
    app.decorateRequest('account', null);
    app.addHook('onRequest', async (request) => {
      request.account = {
        bearer: 'x',
        account: '',
        usesServerToken: false,
        permissions: null,
        client: null,
        rejection: null,
      };
    });
    app.addHook('preValidation', acceptUploads(app, deadlineMs));
    app.post('/graphql', async (request) => {
      const { variables } = request.body as { readonly variables: Readonly<Record<string, UploadedFile>> };
      for (const file of Object.values(variables)) contents.push(await file.content(field));
      return {};
    });
    return new URL('/graphql', await app.listen({ port: 0, host: '127.0.0.1' }));
  };
  afterEach(() => app.close());

  const whole = graphqlForm(
    { query: '{ __typename }', variables: { a: null, b: null } },
    { 'variables.a': credential.certificate, 'variables.b': credential.privateKey },
  );
  const outcomes = () => contents.map((content) => content && isWiped(content));

  /** Sends a form or its beginning, and returns what comes back until the connection is closed. */
  async function send(url: URL, length: string, body: string | Buffer): Promise<string> {
    const socket = connect(Number(url.port), url.hostname).on('error', () => undefined);
    const head = `host: a\r\n${length}\r\ncontent-type: ${whole.contentType}\r\napollo-require-preflight: 1`;
    socket.write(`POST /graphql HTTP/1.1\r\n${head}\r\n\r\n`);
    socket.write(body);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    await once(socket, 'close');
    return received;
  }

  it('are overwritten once the request is answered and the field that uses them has ended', async () => {
    const url = await start();
    const headers = { 'content-type': whole.contentType, 'apollo-require-preflight': 'true' };
    const { status } = await fetch(url, { method: 'POST', headers, body: new Uint8Array(whole.body) });
    expect([status, outcomes(), bytes.unwiped().length > 0]).toEqual([200, [false, false], true]);
    field.release();
    await waitUntil(() => bytes.unwiped().length === 0);
    expect(outcomes()).toEqual([true, true]);
  });

  it.each([
    ['the end of a file', whole.body.length - 100, [true, null]],
    ['a whole file', whole.body.lastIndexOf('content-disposition'), [true, null]],
  ])('are not waited for longer than their deadline: without %s', async (_, end, expected) => {
    const url = await start(50);
    const answer = await send(url, `content-length: ${whole.body.length}`, whole.body.subarray(0, end));
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*\{"errors":/);
    await waitUntil(() => contents.length === 2);
    field.release();
    await waitUntil(() => bytes.unwiped().length === 0);
    expect(outcomes()).toEqual(expected);
  });

  it('are waited for no more when their form is refused as too large', async () => {
    const url = await start(1_000);
    const file = whole.body.subarray(0, -100).toString('latin1') + 'x'.repeat(300_000);
    const answer = await send(url, 'transfer-encoding: chunked', `${file.length.toString(16)}\r\n${file}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    await waitUntil(() => contents.length === 2);
    field.release();
    await waitUntil(() => bytes.unwiped().length === 0);
    expect(outcomes()).toEqual([true, null]);
  });
});
