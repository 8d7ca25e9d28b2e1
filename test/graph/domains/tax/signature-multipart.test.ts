import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent } from 'undici';
import { SANDBOX_TOKEN } from '../../../../src/sandbox/accounts/accounts';
import {
  byBase64,
  credentialOf,
  signatureForm,
  TODAY,
  uploadOperation,
  VERIFY,
} from '../../../support/keys/signatures';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { form, graphqlForm, postForm } from '../../../support/requests/multipart';

const person = credentialOf('person');
const operations = uploadOperation(person);

const padron = padronForTests({ now: () => TODAY });

describe('a multipart request', () => {
  const whole = signatureForm(person);

  it.each([
    ['without the header that makes browsers ask first', whole, { 'apollo-require-preflight': '' }, 400],
    ['that exceeds the limit of its files', { ...whole, body: Buffer.alloc(250_000) }, {}, 413],
    ['without a boundary', { ...whole, contentType: 'multipart/form-data' }, {}, 400],
    ['cut off before its end', { ...whole, body: whole.body.subarray(0, 400) }, {}, 400],
    ['without operations', form([{ name: 'map', body: '{}' }]), {}, 400],
    ['without a map', form([{ name: 'operations', body: JSON.stringify(operations) }]), {}, 400],
    ['with files first', form([{ name: 'a', filename: 'a', body: 'x' }]), {}, 400],
    [
      'with a list of operations',
      graphqlForm([operations], { '0.variables.input.certificate.upload': Buffer.from('x') }),
      {},
      400,
    ],
    ['without any part', { ...whole, body: Buffer.alloc(0) }, {}, 400],
  ])('is rejected %s', async (_what, asked, headers, expected) => {
    const { status, data, errors } = await postForm(padron.url, asked, headers);
    expect({ status, data }).toEqual({ status: expected, data: undefined });
    const extensions = { code: expect.any(String), url: expect.stringMatching(/^\/graphql\/errors\/[A-Z_]+$/) };
    expect(errors).toEqual([{ message: expect.any(String), extensions }]);
    expect(padron.calls()).toEqual([]);
  });

  it('is never quoted in its rejection', async () => {
    const secret = 'TOPSECRET';
    const parts = (map: unknown) =>
      form([
        { name: 'operations', body: JSON.stringify(operations) },
        { name: 'map', body: JSON.stringify(map) },
      ]);
    const maps = [{ [secret]: 'x' }, { [secret]: [1] }, { 0: [`${secret}.x`] }, { 0: [`__proto__.${secret}`] }];
    const asked = [...maps.map(parts), { ...whole, contentType: `multipart/form-data;x=${secret}` }];
    for (const each of asked) {
      const { status, errors } = await postForm(padron.url, each);
      expect({ status, errors }).toMatchObject({ status: 400, errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
      expect(JSON.stringify(errors)).not.toContain(secret);
    }
  });

  it('is accepted by the graph only', async () => {
    const { status, errors } = await postForm(padron.url.replace('graphql', 'health/live'), whole);
    expect({ status, errors }).toMatchObject({ status: 404, errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  });

  it('leaves its connection usable for the next request if its files were not read', async () => {
    const unread = signatureForm({ ...person, privateKey: Buffer.alloc(60_000) }, 'mutation { unknown }');
    const keptOpen = { authorization: `Bearer ${SANDBOX_TOKEN}`, 'apollo-require-preflight': 'true' };
    const agent = new Agent({ connections: 1, pipelining: 1 });
    for (const asked of [unread, unread, whole]) {
      const headers = { 'content-type': asked.contentType, ...keptOpen };
      const response = await agent.request({
        origin: new URL(padron.url).origin,
        path: '/graphql',
        method: 'POST',
        headers,
        body: asked.body,
      });
      expect(response.statusCode).toBe(asked === whole ? 200 : 400);
      await response.body.dump();
    }
    await agent.close();
  });

  it('that is interrupted within a file makes no call, and affects no other request', async () => {
    const request = sending(whole.body.length, whole.contentType);
    request.write(whole.body.subarray(0, whole.body.length - 500));
    await new Promise((resolve) => setTimeout(resolve, 50));
    request.destroy();
    await new Promise((resolve) => request.once('close', resolve));
    expect((await byBase64(padron, person)).data.verifySignature.valid).toBe(true);
    expect(padron.calls()).toEqual([VERIFY]);
  });

  it('with endless chunks is rejected', async () => {
    const request = sending(null, whole.contentType);
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    request.write(whole.body.subarray(0, 400));
    for (let sent = 0; sent < 300_000; sent += 10_000) request.write(Buffer.alloc(10_000, 'x'));
    const [response] = await answered;
    request.destroy();
    expect(response.statusCode).toBe(413);
    expect(padron.calls()).toEqual([]);
  });

  function sending(length: number | null, contentType: string): ClientRequest {
    const headers = {
      'content-type': contentType,
      authorization: `Bearer ${SANDBOX_TOKEN}`,
      'apollo-require-preflight': 'true',
      ...(length === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
    };
    const request = httpRequest(padron.url, { method: 'POST', headers });
    return request.on('error', () => undefined);
  }
});
