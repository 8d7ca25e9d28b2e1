import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { processRequest, type Upload as UploadPart } from 'graphql-upload-minimal';
import { SecretBytes } from '../../../../src/graph/core/scalars/secret-bytes';
import { Upload, UploadedFile } from '../../../../src/graph/core/scalars/upload';

const BOUNDARY = 'xxxx';

const openRequest = new Promise<void>(() => {});
const read = (arriving: ConstructorParameters<typeof UploadedFile>[0], requestEnd = openRequest) =>
  new UploadedFile(arriving, new SecretBytes(), requestEnd).content(new SecretBytes());

describe('uploaded files', () => {
  let server: Server;
  /** Results of the files of the last request, in the order of the variables. */
  let contents: Promise<readonly (Buffer | null)[]>;

  beforeEach(async () => {
    server = createServer((request, response) => {
      contents = processRequest(request, response, { maxFiles: 2 }).then((operation) => {
        const { variables } = Array.isArray(operation) ? {} : operation;
        const parts: readonly UploadPart[] = Object.values(Object(variables));
        return Promise.all(parts.map(({ promise }) => read(promise)));
      });
      contents.then(
        () => response.end(),
        () => response.end(),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('are both read in any order', async () => {
    await send(multipart({ 0: Buffer.alloc(60_000, 'a'), 1: Buffer.alloc(60_000, 'b') }));
    expect(await contents).toEqual([Buffer.alloc(60_000, 'a'), Buffer.alloc(60_000, 'b')]);
  });

  it('reads a very large file to its end, and the one behind it', async () => {
    await send(multipart({ 0: Buffer.alloc(900_000, 'a'), 1: Buffer.from('b') }));
    expect((await contents).map((content) => content?.length)).toEqual([900_000, 1]);
  });

  it('are reported if their part never arrives', async () => {
    await send(multipart({ 0: Buffer.from('a') }));
    expect(await contents).toEqual([Buffer.from('a'), null]);
  });

  it('are reported if the connection is interrupted within a file', async () => {
    const body = multipart({ 0: Buffer.from('a'), 1: Buffer.alloc(50_000, 'b') });
    await send(body.subarray(0, body.length - 10_000), body.length);
    expect(await contents).toEqual([Buffer.from('a'), null]);
  });

  async function send(body: Buffer, length = body.length): Promise<void> {
    const { port } = server.address() as AddressInfo;
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': length };
    const request = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers });
    const answered = new Promise((resolve) => request.on('response', (r) => resolve(r.resume())).on('error', resolve));
    if (length === body.length) request.end(body);
    else request.write(body, () => setImmediate(() => request.destroy()));
    await answered;
  }
});

describe('an uploaded file', () => {
  it('is incomplete when its request ends before, whether the part does not come or does not end', async () => {
    const stalled = new PassThrough();
    stalled.write('abc');
    const file = { createReadStream: () => stalled };
    expect(await read(new Promise(() => {}), Promise.resolve())).toBeNull();
    expect(await read(Promise.resolve(file), Promise.resolve())).toBeNull();
    stalled.write('still read, so that it holds up nothing');
    await new Promise(setImmediate);
    expect(stalled.readableLength).toBe(0);
  });

  it('is incomplete when its part is refused or its stream fails, and never rejects', async () => {
    const failing = new PassThrough();
    const content = read(Promise.resolve({ createReadStream: () => failing }));
    await Promise.resolve();
    failing.destroy(new Error('aborted'));
    expect(await content).toBeNull();
    expect(await read(Promise.reject(new Error('gone')))).toBeNull();
  });

  it('is not a promise, so that it is not awaited before the resolver runs', async () => {
    const file = new UploadedFile(new Promise(() => {}), new SecretBytes(), openRequest);
    expect(await file).toBe(file);
    expect(Upload.parseValue(file)).toBe(file);
    expect(JSON.stringify(file)).toBe('{}');
  });
});

function multipart(parts: Readonly<Record<number, Buffer>>): Buffer {
  const part = (header: string, body: Buffer | string): Buffer =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; ${header}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ]);
  const operations = JSON.stringify({ query: '{ __typename }', variables: { a: null, b: null } });
  const fileHeader = (name: string): string =>
    `name="${name}"; filename="${name}.cer"\r\ncontent-type: application/octet-stream`;
  return Buffer.concat([
    part('name="operations"', operations),
    part('name="map"', JSON.stringify({ 0: ['variables.a'], 1: ['variables.b'] })),
    ...Object.entries(parts).map(([name, body]) => part(fileHeader(name), body)),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}
