import 'reflect-metadata';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import type { Upload as UploadPart } from 'graphql-upload-minimal';
import { Upload, UploadedFile } from '../../../src/graph/scalars/upload';
import { SignatureResolver } from '../../../src/graph/tax/resolver';
import { RegistryClient } from '../../../src/registry/client/client';
import { LiveDataSource } from '../../../src/registry/questions/live-data-source';
import { UnitMeter } from '../../../src/registry/questions/unit-meter';
import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/service';
import { acceptUploads } from '../../../src/server/http/multipart-uploads';
import { credentialOf, TODAY } from '../../support/keys/signatures';
import { waitUntil } from '../../support/proxies/deferred';
import { graphqlForm } from '../../support/requests/multipart';
import { memoryReplay } from '../../support/stores/memory-replay';

const credential = credentialOf('person');
const isWiped = (bytes: Uint8Array): boolean => bytes.length > 0 && bytes.every((byte) => byte === 0);

describe('the bytes of a signature', () => {
  let sandbox: Sandbox;
  let client: RegistryClient;
  /** What leaves for the service, as the HTTP client was given it. */
  let sent: Buffer[];
  const watch = (message: unknown): void => {
    const { body, origin } = (message as { readonly request: { readonly body: unknown; readonly origin: unknown } })
      .request;
    if (String(origin) === sandbox.url && Buffer.isBuffer(body)) sent.push(body);
  };

  beforeEach(async () => {
    sent = [];
    sandbox = await startSandbox({ clock: () => TODAY });
    client = new RegistryClient({ url: sandbox.url, timeoutMs: 5_000, concurrency: 4, now: () => TODAY, paths: {} });
    subscribe('undici:request:create', watch);
  });
  afterEach(async () => {
    unsubscribe('undici:request:create', watch);
    await client.close();
    await sandbox.close();
  });

  /** The real data source, which remembers the very buffers that it was asked with. */
  class Watched extends LiveDataSource {
    readonly kept: Buffer[] = [];
    readonly wiped: boolean[] = [];
    override fetchUncached: LiveDataSource['fetchUncached'] = (endpoint, question) => {
      for (const value of Object.values(question as object)) if (Buffer.isBuffer(value)) this.kept.push(value);
      this.wiped.push(...this.kept.map(isWiped));
      return super.fetchUncached(endpoint, question);
    };
  }

  const verify = async (file: (bytes: Buffer) => object, password = credential.password) => {
    const caller = { bearer: SANDBOX_TOKEN, account: 'a', sandbox: false, usesServerToken: false, permissions: null };
    const replay = memoryReplay({ now: () => TODAY });
    const { signal } = new AbortController();
    const dataSource = new Watched(client, replay, { caller, request: {}, signal }, new UnitMeter(null));
    const { rfc, certificate, privateKey } = credential;
    const input = { rfc, password, certificate: file(certificate), privateKey: file(privateKey) };
    const context = { dataSource, checkDigits: 'refuse', now: () => TODAY, signal };
    const { outcome } = await new SignatureResolver().verifySignature(Object(input), Object(context));
    return { outcome, dataSource };
  };
  const asBase64 = (bytes: Buffer) => ({ base64: bytes.toString('base64') });
  const asUpload = (bytes: Buffer) => {
    const stream = new PassThrough();
    stream.end(bytes);
    const upload = new UploadedFile(Promise.resolve({ filename: 'f', mimetype: 't', createReadStream: () => stream }));
    return { upload };
  };

  it.each([
    ['base64', asBase64],
    ['files', asUpload],
  ])('that came as %s are overwritten once the service has answered, also where they left', async (_, file) => {
    const { outcome, dataSource } = await verify(file);
    expect(outcome).toBe('FOUND');
    expect(dataSource.wiped).toEqual([false, false]);
    expect(dataSource.kept.map(isWiped)).toEqual([true, true]);
    expect(sent.map(isWiped)).toEqual([true]);
  });

  it('leave the fixtures of this test as they are: the copies are what was overwritten', () => {
    expect([isWiped(credential.certificate), isWiped(credential.privateKey)]).toEqual([false, false]);
  });
});

describe('the parts of an upload', () => {
  let app: FastifyInstance;
  let contents: Buffer[];
  let whileAnswering: boolean[];
  const start = async (deadlineMs?: number): Promise<string> => {
    contents = [];
    whileAnswering = [];
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
      const { variables } = request.body as { readonly variables: Readonly<Record<string, UploadPart>> };
      for (const part of Object.values(variables)) {
        const content = await Upload.parseValue(part).content();
        if ('bytes' in content) contents.push(content.bytes);
      }
      whileAnswering = contents.map(isWiped);
      return {};
    });
    return app.listen({ port: 0, host: '127.0.0.1' });
  };
  afterEach(() => app.close());

  const { contentType, body } = graphqlForm(
    { query: '{ __typename }', variables: { a: null, b: null } },
    { 'variables.a': credential.certificate, 'variables.b': credential.privateKey },
  );
  const headers = { 'content-type': contentType, 'apollo-require-preflight': 'true' };

  it('are overwritten once the request is answered, not before', async () => {
    const url = await start();
    const { status } = await fetch(`${url}/graphql`, { method: 'POST', headers, body: new Uint8Array(body) });
    expect([status, contents.length]).toEqual([200, 2]);
    expect(whileAnswering).toEqual([false, false]);
    await waitUntil(() => contents.every(isWiped));
  });

  it('are not waited for longer than their deadline: the connection is closed, and what had come is overwritten', async () => {
    const url = new URL(await start(50));
    const socket = connect(Number(url.port), url.hostname).on('error', () => undefined);
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n${head.join('')}\r\n`);
    socket.write(body.subarray(0, body.length - 100));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 408 [\s\S]*\{"errors":/);
    await waitUntil(() => contents.length > 0 && contents.every(isWiped));
  });
});
