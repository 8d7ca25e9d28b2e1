import { generateKeyPairSync } from 'node:crypto';
import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { type IssuedCredential, mintAuthority } from '../../../support/keys/authority';
import { encryptAsTaxAuthority } from '../../../support/keys/encrypted-key';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { sharedKey } from '../../../support/keys/rsa-keys';
import {
  base64Input,
  byBase64,
  credentialOf,
  type Submission,
  TODAY,
  temporaryFile,
  VERIFY,
} from '../../../support/keys/signatures';
import type { GraphqlAnswer } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { LONG_SECRET } from '../../../support/padrons/settings';
import { withPadron } from '../../../support/padrons/with-padron';
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
