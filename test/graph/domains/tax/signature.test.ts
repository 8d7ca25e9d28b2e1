import { generateKeyPairSync } from 'node:crypto';
import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { type IssuedCredential, mintAuthority } from '../../../support/keys/authority';
import { encryptAsTaxAuthority } from '../../../support/keys/encrypted-key';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { sharedKey } from '../../../support/keys/rsa-keys';
import {
  base64Input,
  byBase64,
  byMultipart,
  credentialOf,
  type Submission,
  TODAY,
  temporaryFile,
  VERIFY,
  ways,
} from '../../../support/keys/signatures';
import type { GraphqlAnswer } from '../../../support/padrons/padron';
import { padronForTests, proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { LONG_SECRET } from '../../../support/padrons/settings';
import { withPadron } from '../../../support/padrons/with-padron';
import type { RelayedAnswer } from '../../../support/proxies/tampering-proxy';
import { startForTests } from '../../../support/start-for-tests';

const PERSON = { rfc: 'CACX7605101P8', curp: 'CACX760510MGTSHC04', name: 'XOCHILT CASAS CHAVEZ' };

const authority = startForTests(mintAuthority, () => undefined);
const padron = padronForTests(() => ({
  now: () => TODAY,
  sandbox: { authorities: [temporaryFile('ca.pem', authority.pem)] },
}));
let issued: IssuedCredential;
beforeAll(async () => {
  issued = await authority.issue(PERSON);
});

const wrong = (): Submission => ({ ...credentialOf('person'), password: 'wrong' });
const codesOf = ({ data }: GraphqlAnswer): readonly string[] =>
  data.verifySignature.problems.map(({ code }: { readonly code: string }) => code);

const verdictOf = ({ data, errors }: GraphqlAnswer) => {
  expect(errors).toBeUndefined();
  return data.verifySignature;
};

describe.each(Object.entries(ways))('verifySignature %s', (_way, submit) => {
  it('confirms a valid signature, with the facts of its certificate and the proof of the answer', async () => {
    const person = credentialOf('person');
    const verdict = verdictOf(await submit(padron, person));
    expect(verdict).toMatchObject({
      outcome: 'FOUND',
      valid: true,
      problems: [],
      certificate: {
        ...{ serialNumber: '30001000000900000001', holder: 'MARIANA SOLIS VEGA', rfc: person.rfc },
        ...{ curp: 'SOVM850314MJCLGR01', issuer: 'AC SANDBOX' },
        ...{ validFrom: '2026-01-01T00:00:00.000Z', validUntil: '2046-01-01T00:00:00.000Z' },
      },
      evidence: { endpoint: VERIFY, status: 200, servedFrom: 'LIVE', units: 1, billing: 'CHARGED' },
    });
    expect(verdict.evidence.validationCode).toMatch(/^\w{20}$/);
    expect(padron.callsInFull()).toMatchObject([{ endpoint: VERIFY, input: { userId: person.rfc }, units: 1 }]);
  });

  it('rejects an expired certificate without a call', async () => {
    const verdict = verdictOf(await submit(padron, credentialOf('expired')));
    expect(verdict).toMatchObject({
      outcome: 'INVALID_INPUT',
      valid: false,
      problems: [{ code: 'CERTIFICATE_EXPIRED', path: ['input', 'certificate'] }],
      certificate: { rfc: 'OEÑL790621B70' },
      evidence: { servedFrom: 'NOT_SENT', units: 0, billing: 'NOT_CHARGED' },
    });
    expect(padron.calls()).toEqual([]);
  });

  it('reports a revocation, which only the service knows', async () => {
    const verdict = verdictOf(await submit(padron, credentialOf('revoked')));
    expect(verdict).toMatchObject({
      outcome: 'INVALID_INPUT',
      valid: false,
      problems: [
        { code: 'REJECTED_BY_REGISTRY', path: ['input', 'certificate'], message: expect.stringMatching(/revocado/) },
      ],
      certificate: { holder: 'AITANA MENDEZ CASTRO' },
      evidence: { status: 400, units: 0, billing: 'NOT_CHARGED' },
    });
    expect(padron.calls()).toEqual([VERIFY]);
  });
});

describe('a problem of a signature', () => {
  const person = credentialOf('person');
  const company = credentialOf('company');
  const nothing = Buffer.from('no such file');

  it.each<[string, Partial<Submission>, string, string, boolean | null]>([
    ['a wrong password', { password: 'wrong' }, 'WRONG_PASSWORD', 'password', null],
    ['the key of another person', { privateKey: company.privateKey }, 'KEY_MISMATCH', 'privateKey', false],
    ['a seal', credentialOf('seal'), 'NOT_EFIRMA', 'certificate', false],
    ['the RFC of another person', { rfc: PERSON.rfc }, 'RFC_MISMATCH', 'rfc', false],
    ['an unreadable certificate', { certificate: nothing }, 'CERTIFICATE_UNREADABLE', 'certificate', null],
    ['an RFC that is none', { rfc: 'SOVM85' }, 'INVALID_FORMAT', 'rfc', null],
  ])('is reported by padron at no cost: %s', async (_what, change, code, field, valid) => {
    const verdict = verdictOf(await byMultipart(padron, { ...person, ...change }));
    expect(verdict).toMatchObject({
      outcome: 'INVALID_INPUT',
      valid,
      problems: [{ code, path: ['input', field] }],
      evidence: { servedFrom: 'NOT_SENT', units: 0 },
    });
    expect(padron.calls()).toEqual([]);
  });

  it('is left to the service if the authority is unknown', async () => {
    const stranger = await mintAuthority({ commonName: 'Example CA', organization: 'Example' });
    const verdict = verdictOf(await byBase64(padron, await stranger.issue(PERSON)));
    expect(verdict).toMatchObject({
      outcome: 'INVALID_INPUT',
      valid: false,
      problems: [{ code: 'UNKNOWN_ISSUER' }, { code: 'REJECTED_BY_REGISTRY', path: ['input', 'certificate'] }],
      evidence: { status: 400, billing: 'NOT_CHARGED' },
    });
    expect(padron.calls()).toEqual([VERIFY]);
  });
});

describe('before a key is opened', () => {
  it.each([['Basic eDp5'], ['']])('a token is required: authorization «%s»', async (authorization) => {
    const { data, errors } = await byBase64(padron, wrong(), { authorization });
    expect(data).toEqual({ verifySignature: null });
    expect(errors).toMatchObject([{ path: ['verifySignature'], extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(padron.calls()).toEqual([]);
  });

  it("a caller that uses the server's token needs the permission", async () => {
    const environment = { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: LONG_SECRET };
    await withPadron({ now: () => TODAY, environment }, async (own) => {
      const as = (scope: string) => ({ authorization: `Bearer ${signedBySecret(LONG_SECRET, { scope })}` });
      expect(codesOf(await byBase64(own, wrong(), as('openid')))).toEqual(['MISSING_PERMISSION']);
      const permitted = as('use_sat_verificar_firma_electronica');
      expect(codesOf(await byBase64(own, wrong(), permitted))).toEqual(['WRONG_PASSWORD']);
      const stranger = await byBase64(own, wrong(), { authorization: 'Bearer x.y.z' });
      expect(stranger.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    });
  });

  it('no token is needed if the process has one and listens on this machine only', async () => {
    await withPadron({ now: () => TODAY, environment: { REGISTRY_TOKEN: OTHER_TOKEN } }, async (own) => {
      const { data } = await byBase64(own, credentialOf('person'), { authorization: '' });
      expect(data.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true });
    });
  });
});

describe('the verifications of an operation', () => {
  const ask = (body: string) => {
    const input = base64Input(credentialOf('person'));
    return padron.ask(`mutation ($input: SignatureInput!) ${body}`, { input });
  };
  const verify = (name: string) => `${name}: verifySignature(input: $input) { outcome }`;

  it('are at most two', async () => {
    const { data, errors } = await ask(`{ ${verify('a')} ${verify('b')} ${verify('b')} }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({ a: { outcome: 'FOUND' }, b: { outcome: 'FOUND' } });
    expect(padron.calls()).toEqual([VERIFY, VERIFY]);
  });

  it.each([
    ['by names', `{ ${verify('a')} ${verify('b')} ${verify('c')} }`],
    ['by fragments', `{ ...f ... { ${verify('b')} } ${verify('c')} } fragment f on Mutation { ${verify('a')} }`],
    [
      'by fragments of fragments',
      `{ ...f ${verify('a')} } fragment f on Mutation { ...g ${verify('b')} } fragment g on Mutation { ${verify('c')} }`,
    ],
  ])('are all rejected if there are more: %s', async (_, body) => {
    const { status, errors } = await ask(body);
    expect(status).toBe(400);
    expect(errors).toMatchObject([{ extensions: { code: 'OPERATION_TOO_LARGE' } }]);
    expect(errors?.[0].message).toMatch(/verifies 3 signatures\. At most 2/);
    expect(padron.calls()).toEqual([]);
  });
});

describe('a password', () => {
  const composed = 'contraseña'.normalize('NFC');
  const decomposed = composed.normalize('NFD');
  const latin1 = Buffer.from(composed, 'latin1');

  it.each<[string, string | Buffer, string]>([
    ['typed in two characters, of a key made with one', composed, decomposed],
    ['typed in one character, of a key made with two', decomposed, composed],
    ['typed as the key was made, in one', composed, composed],
    ['typed as the key was made, in two', decomposed, decomposed],
    ['typed in one character, of a key made with latin-1', latin1, composed],
    ['typed in two characters, of a key made with latin-1', latin1, decomposed],
    ['typed in both ways at once', `${composed}${decomposed}`.normalize('NFC'), `${composed}${decomposed}`],
    ['as it is, made in both ways at once', `${composed}${decomposed}`, `${composed}${decomposed}`],
  ])('opens its key, and the service gets the form that opened it: %s', async (_, made, typed) => {
    const privateKey = encryptAsTaxAuthority(await sharedKey(), made);
    const { data } = await byBase64(padron, { ...issued, password: typed, privateKey });
    expect(data.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true, problems: [] });
    expect(padron.calls()).toEqual([VERIFY]);
  });

  it('of more than 1,024 bytes is rejected, however it is composed', async () => {
    const answer = await byBase64(padron, { ...credentialOf('person'), password: `a${'\u0301\u0323'.repeat(50_000)}` });
    expect(codesOf(answer)).toEqual(['WRONG_PASSWORD']);
    expect(padron.calls()).toEqual([]);
  });
});

describe('a private key that needs too much work', () => {
  const submit = (privateKey: Buffer) => byBase64(padron, { ...issued, password: '12345678a', privateKey });

  it.each([
    ['DSA', () => generateKeyPairSync('dsa', { modulusLength: 2_048, divisorLength: 256 }).privateKey],
    ['EC', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
    ['Ed25519', () => generateKeyPairSync('ed25519').privateKey],
  ])('is rejected if it is not an RSA key: %s', async (_, generate) => {
    const { data } = await submit(encryptAsTaxAuthority(generate(), '12345678a'));
    expect(data.verifySignature).toMatchObject({ outcome: 'INVALID_INPUT', valid: null });
    expect(data.verifySignature.problems).toMatchObject([
      { code: 'KEY_UNREADABLE', message: expect.stringContaining('RSA'), path: ['input', 'privateKey'] },
    ]);
    expect(padron.calls()).toEqual([]);
  });

  it('is left to the service if it has more than five times the iterations of a real key', async () => {
    const { data } = await submit(encryptAsTaxAuthority(await sharedKey(), '12345678a', 10_001));
    expect(data.verifySignature.problems).toMatchObject([{ code: 'UNSUPPORTED_CIPHER' }, expect.anything()]);
    expect(padron.calls()).toEqual([VERIFY]);
  });
});

describe('a signature that is refused', () => {
  const proxied = proxiedPadronForTests();

  /** The service's answer to an e.firma that passes every check made here. */
  async function verdictOn(answer: Partial<RelayedAnswer>) {
    proxied.proxy.standIn(() => answer);
    const { data, errors } = await byBase64(proxied, credentialOf('person'));
    expect(errors).toBeUndefined();
    expect(proxied.proxy.requests.map(({ path }) => path)).toEqual(['/api/sat/grupo/verificar-firma-electronica']);
    return data.verifySignature;
  }

  const validation = (errors: unknown) => ({
    success: false,
    codigoValidacion: 'Abcdefghij0123456789',
    message: 'Los datos no superaron la validación algorítmica.',
    status: 400,
    data: { errors },
  });

  it.each([500, 503])('is neither valid nor invalid if the service fails with %i', async (status) => {
    expect(await verdictOn({ status, json: {} })).toMatchObject({
      outcome: 'UNAVAILABLE',
      valid: null,
      problems: [{ code: 'REGISTRY_ERROR' }],
      certificate: { holder: 'MARIANA SOLIS VEGA' },
    });
  });

  it.each(['certificate', 'userId'])("is invalid if the service's validation rejects %s", async (field) => {
    const verdict = await verdictOn({ status: 400, json: validation({ [field]: ['No es válido.'] }) });
    expect(verdict).toMatchObject({
      outcome: 'INVALID_INPUT',
      valid: false,
      problems: [{ code: 'REJECTED_BY_REGISTRY', message: 'No es válido.' }],
      evidence: { status: 400, validationCode: 'Abcdefghij0123456789', billing: 'NOT_CHARGED' },
    });
  });

  it.each<[string, number, unknown]>([
    [
      'a 400 whose validation only names the key, which the service could not read',
      400,
      validation({ privateKey: ['No es válido.'] }),
    ],
    ['a 400 without details', 400, { message: '' }],
    ['a 400 with a message only', 400, { success: false, status: 400, message: 'Bad Request' }],
    ['a 400 whose validation names nothing', 400, validation({})],
    ['a 400 whose validation names fields without messages', 400, validation({ certificate: [] })],
    ['a 400 about a parameter that was not sent', 400, validation({ constructor: ['Falta.'] })],
    ['a 400 with the errors of a 422', 400, { message: 'Falta.', errors: { certificate: ['Falta.'] } }],
    ['a 400 that calls itself a success', 400, { ...validation({ certificate: ['No.'] }), success: true }],
    ['a 400 about the password alone', 400, validation({ password: ['La contraseña no es correcta.'] })],
    ['a 422 about a missing field', 422, { message: 'Falta.', errors: { certificate: ['Falta.'] } }],
    ['a 422 in the shape of the validation', 422, { ...validation({ certificate: ['Falta.'] }), status: 422 }],
    ['a 422 of the receipts', 422, { ok: false, error: { code: 'VALIDATION_ERROR', message: 'No.' } }],
  ])('is neither valid nor invalid after %s', async (_, status, json) => {
    expect(await verdictOn({ status, json })).toMatchObject({
      outcome: 'INVALID_INPUT',
      valid: null,
      problems: [{ code: 'REJECTED_BY_REGISTRY' }],
      evidence: { status, billing: 'NOT_CHARGED' },
    });
  });
});
