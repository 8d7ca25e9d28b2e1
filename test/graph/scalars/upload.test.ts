import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { processRequest, Upload as UploadPart } from 'graphql-upload-minimal';
import { Upload, type UploadedContent, UploadedFile } from '../../../src/graph/scalars/upload';

const BOUNDARY = 'xxxx';

describe('uploaded files', () => {
  let server: Server;
  /** Results of the files of the last request, in the order of the variables. */
  let contents: Promise<readonly UploadedContent[]>;
  let files: readonly UploadedFile[];

  beforeEach(async () => {
    server = createServer((request, response) => {
      contents = processRequest(request, response, { maxFiles: 2 }).then((operation) => {
        const { variables } = Array.isArray(operation) ? {} : operation;
        files = Object.values(Object(variables)).map((part) => Upload.parseValue(part));
        return Promise.all(files.map((file) => file.content()));
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
    expect((await contents).map(bytesOf)).toEqual([Buffer.alloc(60_000, 'a'), Buffer.alloc(60_000, 'b')]);
  });

  it('have a name and a type after their part has arrived', async () => {
    await send(multipart({ 0: Buffer.from('x'), 1: Buffer.from('y') }));
    expect(files.map(({ filename, mimetype }) => [filename, mimetype])).toEqual([
      ['0.cer', 'application/octet-stream'],
      ['1.cer', 'application/octet-stream'],
    ]);
  });

  it('are rejected with one byte too many, and the next file is still read', async () => {
    await send(multipart({ 0: Buffer.alloc(60_001, 'a'), 1: Buffer.from('b') }));
    expect(await contents).toEqual([{ failure: 'TOO_LARGE' }, { bytes: Buffer.from('b') }]);
  });

  it('are drained if they are very large', async () => {
    await send(multipart({ 0: Buffer.alloc(900_000, 'a'), 1: Buffer.from('b') }));
    expect(await contents).toEqual([{ failure: 'TOO_LARGE' }, { bytes: Buffer.from('b') }]);
  });

  it('are reported if their part never arrives', async () => {
    await send(multipart({ 0: Buffer.from('a') }));
    expect(await contents).toEqual([{ bytes: Buffer.from('a') }, { failure: 'INCOMPLETE' }]);
  });

  it('are reported if the connection is interrupted within a file', async () => {
    const body = multipart({ 0: Buffer.from('a'), 1: Buffer.alloc(50_000, 'b') });
    await send(body.subarray(0, body.length - 10_000), body.length);
    expect(await contents).toEqual([{ bytes: Buffer.from('a') }, { failure: 'INCOMPLETE' }]);
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
  const limits = { bytes: 10, deadlineMs: 20 };

  it('is abandoned at its deadline if its part does not arrive or does not end', async () => {
    const stalled = new PassThrough();
    stalled.write('abc');
    const file = { filename: 'f', mimetype: 't', createReadStream: () => stalled };
    expect(await new UploadedFile(new Promise(() => {}), limits).content()).toEqual({ failure: 'INCOMPLETE' });
    expect(await new UploadedFile(Promise.resolve(file), limits).content()).toEqual({ failure: 'INCOMPLETE' });
    stalled.write('more than ten bytes');
    expect(stalled.readableLength).toBe(0);
  });

  it('is too large if the multipart reader truncated it', async () => {
    const cut = Object.assign(new Error('File truncated'), { status: 413 });
    const truncated = Object.assign(new PassThrough(), { truncated: true });
    truncated.end('abc');
    const refuse = (): never => {
      throw cut;
    };
    const header = { filename: 'f', mimetype: 't' };
    const both = [
      { ...header, createReadStream: refuse },
      { ...header, createReadStream: () => truncated },
    ];
    for (const file of both) {
      expect(await new UploadedFile(Promise.resolve(file)).content()).toEqual({ failure: 'TOO_LARGE' });
    }
  });

  it('is incomplete if its part is rejected or its stream fails, and never throws', async () => {
    const failing = new PassThrough();
    const file = { filename: 'f', mimetype: 't', createReadStream: () => failing };
    const uploaded = new UploadedFile(Promise.resolve(file));
    await Promise.resolve();
    failing.destroy(new Error('aborted'));
    expect(await uploaded.content()).toEqual({ failure: 'INCOMPLETE' });
    expect(await new UploadedFile(Promise.reject(new Error('gone'))).content()).toEqual({ failure: 'INCOMPLETE' });
  });

  it('is the same object however often the variables are coerced, because a part can be read only once', () => {
    const part = new UploadPart();
    expect(Upload.parseValue(part)).toBe(Upload.parseValue(part));
    expect(Upload.parseValue(new UploadPart())).not.toBe(Upload.parseValue(part));
  });

  it('is not a promise, so that nothing awaits it before the resolver runs', async () => {
    const file = new UploadedFile(new Promise(() => {}), limits);
    expect(await file).toBe(file);
    expect(JSON.stringify(file)).toBe('{}');
    await file.content();
  });
});

function bytesOf(content: UploadedContent): Buffer {
  if ('bytes' in content) return content.bytes;
  throw new Error(content.failure);
}

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
