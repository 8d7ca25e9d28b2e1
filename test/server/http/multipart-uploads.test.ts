import 'reflect-metadata';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { SecretBytes } from '../../../src/graph/core/scalars/secret-bytes';
import type { UploadedFile } from '../../../src/graph/core/scalars/upload';
import { acceptUploads } from '../../../src/server/http/multipart-uploads';
import { byMultipart, credentialOf, TODAY, uploadOperation, VERIFY } from '../../support/keys/signatures';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { waitUntil } from '../../support/proxies/deferred';
import { expectRefusal, send } from '../../support/requests/http';
import { form, graphqlForm, type Part, postForm } from '../../support/requests/multipart';
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
        tenant: '',
        usesServerToken: false,
        permissions: null,
        client: null,
        holder: null,
        actor: null,
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
    ['the end of a file', whole.body.length - 100],
    ['a whole file', whole.body.lastIndexOf('content-disposition')],
    ['its fields', 10],
  ])('are not waited for longer than their deadline, and then overwritten: without %s', async (_, end) => {
    const url = await start(50);
    const answer = await send(url, `content-length: ${whole.body.length}`, whole.body.subarray(0, end));
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"statusCode":408/);
    await waitUntil(() => bytes.received().length > 0 && bytes.unwiped().length === 0);
    expect(contents).toEqual([]);
  });

  it('are overwritten when their form is refused as too large', async () => {
    const url = await start(1_000);
    const file = whole.body.subarray(0, -100).toString('latin1') + 'x'.repeat(300_000);
    const answer = await send(url, 'transfer-encoding: chunked', `${file.length.toString(16)}\r\n${file}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    await waitUntil(() => bytes.received().length > 0 && bytes.unwiped().length === 0);
    expect(contents).toEqual([]);
  });

  it('are read by the parser that checked the map', () => {
    const library = createRequire(require.resolve('graphql-upload-minimal'));
    expect(require.resolve('busboy')).toBe(library.resolve('busboy'));
  });
});

const person = credentialOf('person');

const certificate = 'variables.input.certificate.upload';

const key = 'variables.input.privateKey.upload';

const { query, variables } = uploadOperation(person);

const operations = { query, variables: { ...variables, list: [null], text: 'text', none: null } };

describe('the map of an upload', () => {
  const padron = padronForTests({ now: () => TODAY });

  function submit(map: string, operated: unknown = operations) {
    const { contentType, body } = form([
      { name: 'operations', body: JSON.stringify(operated) },
      { name: 'map', body: map },
      { name: '0', filename: 'file', body: person.certificate },
      { name: '1', filename: 'file', body: person.privateKey },
    ]);
    const headers = {
      'content-type': contentType,
      authorization: `Bearer ${SANDBOX_TOKEN}`,
      'apollo-require-preflight': 'true',
    };
    return send(padron.url, { method: 'POST', headers, body });
  }

  it.each([
    ['a method of every object', 'hasOwnProperty.call'],
    ['another method of every object', 'toString.call'],
    ['a property of such a method', 'valueOf.x'],
    ['a method of a variable', 'variables.hasOwnProperty.call'],
    ['a method of a list', 'variables.list.push.call'],
    ['a method of a text', 'variables.text.trim.call'],
    ['the prototype', 'variables.__proto__.polluted'],
    ['the constructor', 'variables.constructor.prototype.polluted'],
    ['the document', 'query'],
    ['a place within the document', 'query.length'],
    ['all variables', 'variables'],
    ['the name of the operation', 'operationName'],
    ['a variable that is not there', 'variables.nobody'],
    ['a variable that is not null', 'variables.text'],
    ['an object', 'variables.input'],
    ['a place below null', 'variables.none.upload'],
    ['an index out of range', 'variables.list.1'],
    ['an index that is none', 'variables.list.00'],
    ['a negative index', 'variables.list.-1'],
    ['the length of a list', 'variables.list.length'],
    ['an operation of a batch', '0.variables.input.certificate.upload'],
    ['an empty name', 'variables..upload'],
    ['nothing', ''],
  ])('must lead to a null in the variables, not to %s', async (_what, path) => {
    expectRefusal(await submit(JSON.stringify({ 0: [path], 1: [key] })), 400, 'BAD_REQUEST');
    expect((await padron.ask('query ($nss: NSS) { person(nss: $nss) { nss } }', {})).status).toBe(200);
    expect(padron.calls()).toEqual([]);
  });

  it.each([
    ['the same place twice for one file', { 0: [certificate, certificate], 1: [key] }],
    ['one place for two files', { 0: [certificate], 1: [certificate] }],
    ['a place that is no text', { 0: [[certificate]], 1: [key] }],
    ['places that are an object', { 0: { length: 1, 0: certificate }, 1: [key] }],
    ['no places', { 0: null, 1: [key] }],
    ['a list', [[certificate], [key]]],
    ['four thousand places', { 0: Array.from({ length: 4_000 }, (_, index) => `a.${index}`), 1: [key] }],
  ])('must not have %s', async (_what, map) => {
    expectRefusal(await submit(JSON.stringify(map)), 400, 'BAD_REQUEST');
    expect((await padron.ask('{ __typename }')).data).toEqual({ __typename: 'Query' });
    expect(padron.calls()).toEqual([]);
  });

  it('must not lead into a member named `__proto__`', async () => {
    const operated = `{"query":"{ __typename }","variables":{"__proto__":{"a":null}}}`;
    expectRefusal(await submit('{"0":["variables.__proto__.a"]}', JSON.parse(operated)), 400, 'BAD_REQUEST');
    expect('a' in {}).toBe(false);
  });

  it('is applied if it is valid, even with one file in two places', async () => {
    expect((await byMultipart(padron, person)).data.verifySignature.valid).toBe(true);
    expect(padron.calls()).toEqual([VERIFY]);
    const { status, text } = await submit(JSON.stringify({ 0: [certificate, key] }));
    expect([status, JSON.parse(text).errors]).toEqual([200, undefined]);
    expect(JSON.parse(text).data.verifySignature.problems).toHaveLength(1);
    padron.calls();
  });
});

describe('the parts of an upload', () => {
  const padron = padronForTests({ now: () => TODAY });
  const map = { name: 'map', body: JSON.stringify({ 0: [certificate], 1: [key] }) };
  const parts: readonly Part[] = [
    { name: '0', filename: 'a.cer', body: person.certificate },
    { name: '1', filename: 'a.key', body: person.privateKey },
  ];
  const asked = (change: Partial<Part> = {}): Part => ({
    name: 'operations',
    body: JSON.stringify(uploadOperation(person)),
    ...change,
  });
  const submit = (sent: readonly Part[], toType = (type: string) => type) => {
    const { contentType, body } = form(sent);
    return postForm(padron.url, { contentType: toType(contentType), body });
  };
  const accepted = { status: 200, data: { verifySignature: { valid: true } } };

  it.each([
    ['in capital letters', (type: string) => type.replace('multipart/form-data', 'Multipart/Form-Data')],
    ['with a space', (type: string) => type.replace(';', ' ;')],
    ['with quotes', (type: string) => type.replace(/=(.*)/, '="$1"')],
  ])('are read with any spelling of the content type: %s', async (_how, toType) => {
    expect(await submit([asked(), map, ...parts], toType)).toMatchObject(accepted);
    expect(padron.calls()).toEqual([VERIFY]);
  });

  it('may begin with a byte order mark', async () => {
    const body = `\ufeff${JSON.stringify(uploadOperation(person))}`;
    expect(await submit([asked({ body }), map, ...parts])).toMatchObject(accepted);
    expect(padron.calls()).toEqual([VERIFY]);
  });

  it.each([
    ['that the map does not name', map],
    ['that the map names', { name: 'map', body: JSON.stringify({ 0: [certificate], 1: [key], 2: [key] }) }],
  ])('are refused with a third file %s', async (_what, named) => {
    const third = { name: '2', filename: 'b', body: 'x' };
    expect(await submit([asked(), named, ...parts, third])).toMatchObject({
      status: 413,
      errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }],
    });
    expect(padron.calls()).toEqual([]);
  });

  it('are refused if a file has no file name', async () => {
    const { errors } = await submit([asked(), map, ...parts.map(({ name, body }) => ({ name, body }))]);
    expect(errors).toMatchObject([{ message: expect.stringMatching(/has no file name/) }]);
    expect(padron.calls()).toEqual([]);
  });

  it('may have a file of 60,000 bytes as base64 beside another file', async () => {
    const { rfc, password } = person;
    const large = { base64: Buffer.alloc(60_000, 'a').toString('base64') };
    const input = { rfc, password, certificate: large, privateKey: { upload: null } };
    const sent = graphqlForm({ query, variables: { input } }, { [key]: person.privateKey });
    const { data } = await postForm(padron.url, sent);
    expect(data.verifySignature.problems).toMatchObject([{ code: 'CERTIFICATE_UNREADABLE' }]);
    expect(padron.calls()).toEqual([]);
  });
});

describe('the charset of the operation of an upload', () => {
  const padron = padronForTests({ now: () => TODAY });
  const name = { names: 'URIEL', paternalSurname: 'GUTIÉRREZ' };
  const search = 'query ($name: PersonNameInput!) { person(name: $name) { licences(match: ALL) { outcome } } }';
  const text = JSON.stringify({ query: search, variables: { name } });
  const submit = (encoding: BufferEncoding, contentType: string | null) => {
    const body = Buffer.from(text, encoding);
    const typed = contentType === null ? {} : { contentType };
    return postForm(
      padron.url,
      form([
        { name: 'operations', body, ...typed },
        { name: 'map', body: '{}' },
      ]),
    );
  };

  it.each([
    ['utf8', null],
    ['utf8', 'application/json'],
    ['latin1', 'application/json; charset=iso-8859-1'],
  ] as const)('is read: %s as %s', async (encoding, contentType) => {
    expect((await submit(encoding, contentType)).data.person.licences.outcome).toBe('FOUND');
    expect(padron.calls()).toHaveLength(1);
  });

  it.each([
    ['latin1', null, 400, 'BAD_REQUEST'],
    ['latin1', 'application/json', 400, 'BAD_REQUEST'],
    ['latin1', 'application/json; charset=utf-8', 400, 'BAD_REQUEST'],
    ['latin1', 'application/json; charset=cp850', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ] as const)('is refused before a call: %s as %s', async (encoding, contentType, status, code) => {
    expect(await submit(encoding, contentType)).toMatchObject({ status, errors: [{ extensions: { code } }] });
    expect(padron.calls()).toEqual([]);
  });
});
