import { Agent } from 'undici';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import {
  base64Input,
  byBase64,
  byMultipart,
  credentialOf,
  signatureForm,
  TODAY,
  uploadOperation,
  verifyMutation,
} from '../../../support/keys/signatures';
import { type GraphqlAnswer, runPadron } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { form, graphqlForm, postForm } from '../../../support/requests/multipart';

const CERTIFICATE = 'variables.input.certificate.upload';

const PRIVATE_KEY = 'variables.input.privateKey.upload';

const person = credentialOf('person');

const operations = uploadOperation(person);

const padron = padronForTests({ now: () => TODAY });

const problemsOf = ({ data, errors }: GraphqlAnswer) => {
  expect(errors).toBeUndefined();
  return data.verifySignature.problems.map(({ code, path }: { code: string; path: string[] }) => [
    code,
    path.join('.'),
  ]);
};

describe('the files of a signature', () => {
  it('can be sent in different ways', async () => {
    const { rfc, password } = person;
    const privateKey = { base64: person.privateKey.toString('base64') };
    const input = { rfc, password, certificate: { upload: null }, privateKey };
    const asked = graphqlForm({ query: verifyMutation, variables: { input } }, { [CERTIFICATE]: person.certificate });
    expect((await postForm(padron.url, asked)).data.verifySignature.valid).toBe(true);
  });

  it.each([
    [{}, 'FILE_MISSING'],
    [{ upload: null, base64: null }, 'FILE_MISSING'],
    [{ base64: '' }, 'CERTIFICATE_UNREADABLE'],
  ])('are reported as missing if none is given: %j', async (certificate, code) => {
    const input = { ...base64Input(person), certificate };
    expect(problemsOf(await padron.ask(verifyMutation, { input }))).toEqual([[code, 'input.certificate']]);
    expect(padron.calls()).toEqual([]);
  });

  it('are rejected if a file is given in both ways', async () => {
    const input = { ...operations.variables.input, certificate: { upload: null, base64: 'AAAA' } };
    const files = { [CERTIFICATE]: person.certificate, [PRIVATE_KEY]: person.privateKey };
    const answer = await postForm(padron.url, graphqlForm({ ...operations, variables: { input } }, files));
    expect(problemsOf(answer)).toEqual([['FILE_MISSING', 'input.certificate']]);
    expect(padron.calls()).toEqual([]);
  });

  it.each([
    [byMultipart, 'multipart'],
    [byBase64, 'base64'],
  ])('are read up to 60,000 bytes', async (submit) => {
    const largest = { ...person, certificate: Buffer.alloc(60_000, 'a'), privateKey: Buffer.alloc(60_000, 'b') };
    expect(problemsOf(await submit(padron, largest))).toEqual([
      ['CERTIFICATE_UNREADABLE', 'input.certificate'],
      ['KEY_UNREADABLE', 'input.privateKey'],
    ]);
    const beyond = { ...largest, certificate: Buffer.alloc(60_001, 'a') };
    expect(problemsOf(await submit(padron, beyond))).toEqual([['FILE_TOO_LARGE', 'input.certificate']]);
    expect(padron.calls()).toEqual([]);
  });

  it('are incomplete if an announced part never arrives', async () => {
    const map = JSON.stringify({ a: [CERTIFICATE], b: [PRIVATE_KEY] });
    const asked = form([
      { name: 'operations', body: JSON.stringify(operations) },
      { name: 'map', body: map },
      { name: 'a', filename: 'a.cer', body: person.certificate },
    ]);
    expect(problemsOf(await postForm(padron.url, asked))).toEqual([['FILE_INCOMPLETE', 'input.privateKey']]);
    expect(padron.calls()).toEqual([]);
  });

  it('are at most two: a third file is rejected before any call', async () => {
    const files = {
      [CERTIFICATE]: person.certificate,
      [PRIVATE_KEY]: person.privateKey,
      'variables.third': Buffer.from('x'),
    };
    const { status, errors } = await postForm(padron.url, graphqlForm(operations, files));
    expect({ status, errors }).toMatchObject({ status: 413, errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }] });
    expect(padron.calls()).toEqual([]);
  });

  it('cannot be literals', async () => {
    const query = `mutation { verifySignature(input: {rfc: "X", password: "${person.password}", certificate: {upload: "x"}, privateKey: {}}) { valid } }`;
    const { status, errors } = await padron.ask(query);
    expect({ status, errors }).toMatchObject({ status: 400, errors: [{ message: expect.stringContaining('Upload') }] });
    expect(JSON.stringify(errors)).not.toContain(person.password);
  });
});

describe('the password and the key', () => {
  it('are in no answer, no error and no line of the log', async () => {
    const own = await runPadron({ now: () => TODAY });
    const password = 'Contraseña-que-nadie-ve';
    const wrong = { ...person, password };
    const input = { ...base64Input(wrong), privateKey: 'misplaced' };
    const answers = [
      await byMultipart(own, wrong),
      await byBase64(own, wrong),
      await own.ask(verifyMutation, { input }),
      await own.ask(verifyMutation, { input: { password } }),
      await own.ask(verifyMutation, { input: password }),
      await own.ask(`mutation { verifySignature(input: {password: "${password}"}) { valid } }`),
      await own.ask(`mutation { verifySignature(input: {password: ${password}) { valid } }`),
      await byBase64(own, credentialOf('revoked')),
    ];
    await own.stop();
    const said = answers.map(({ data, errors }) => JSON.stringify({ data, errors })).join('\n') + own.log.join('');
    for (const secret of [password, person.password, person.privateKey.toString('base64').slice(0, 40)]) {
      expect(said).not.toContain(secret);
    }
    expect(own.log.length).toBeGreaterThan(answers.length);
  });
});

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
});
