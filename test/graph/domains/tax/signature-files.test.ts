import {
  base64Input,
  byBase64,
  byMultipart,
  credentialOf,
  signatureForm,
  TODAY,
  uploadOperation,
  VERIFY,
  verification,
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

describe('the same signature verified twice', () => {
  const twice = `mutation ($input: SignatureInput!) { first: verifySignature(input: $input) { ${verification} }
    second: verifySignature(input: $input) { ${verification} } }`;

  it.each([
    ['by base64', () => padron.ask(twice, { input: base64Input(person) })],
    ['by multipart', () => postForm(padron.url, signatureForm(person, twice))],
  ])('makes two calls, because a verification is never replayed: %s', async (_way, ask) => {
    const { data } = await ask();
    for (const verdict of [data.first, data.second]) {
      expect(verdict).toMatchObject({ valid: true, problems: [], evidence: { servedFrom: 'LIVE', units: 1 } });
    }
    expect(padron.calls()).toEqual([VERIFY, VERIFY]);
  });
});

describe('the files of a signature', () => {
  it('are read in any order', async () => {
    const files = { [PRIVATE_KEY]: person.privateKey, [CERTIFICATE]: person.certificate };
    const { data } = await postForm(padron.url, graphqlForm(operations, files));
    expect(data.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true });
  });

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
