import type { KeyObject } from 'node:crypto';
import { type IssuedCredential, mintAuthority } from '../../../support/keys/authority';
import { encryptAsTaxAuthority } from '../../../support/keys/encrypted-key';
import { sharedKey } from '../../../support/keys/rsa-keys';
import { byBase64, TODAY, temporaryFile, VERIFY } from '../../../support/keys/signatures';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { startForTests } from '../../../support/start-for-tests';

const authority = startForTests(mintAuthority, () => undefined);
const padron = padronForTests(() => ({
  now: () => TODAY,
  sandbox: { authorities: [temporaryFile('ca.pem', authority.pem)] },
}));
const password = '12345678a';
const byteOrderMark = '\u{feff}';

let person: IssuedCredential;
let key: KeyObject;
beforeAll(async () => {
  person = await authority.issue({ rfc: 'CACX7605101P8', curp: 'CACX760510MGTSHC04', name: 'XOCHILT CASAS CHAVEZ' });
  key = await sharedKey();
});

const encoded = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END ${label}-----\n`;
const asPem = (der: Buffer): string => encoded('ENCRYPTED PRIVATE KEY', der);
const verify = async (changes: Partial<IssuedCredential>) => {
  const { data } = await byBase64(padron, { ...person, ...changes });
  return data.verifySignature;
};
const sent = () => padron.callsInFull().map(({ input }) => input);

describe('a key as programs write it', () => {
  it.each<[string, (pem: string) => string | Buffer]>([
    ['in PEM', (pem) => pem],
    ['in PEM with line breaks of Windows', (pem) => pem.replaceAll('\n', '\r\n')],
    [
      'in PEM after the attributes of a bag',
      (pem) => `Bag Attributes\n    friendlyName: fiel\nKey Attributes: <No Attributes>\n${pem}`,
    ],
    ['in PEM after a byte order mark', (pem) => byteOrderMark + pem],
    ['in PEM as UTF-16', (pem) => Buffer.from(byteOrderMark + pem, 'utf16le')],
    ['in base64 without the lines of PEM', (pem) => pem.replace(/-----.*/g, '')],
  ])('is sent as the encrypted bytes that it contains: %s', async (_, write) => {
    const privateKey = Buffer.from(write(asPem(person.privateKey)));
    expect(await verify({ privateKey })).toMatchObject({ outcome: 'FOUND', valid: true, problems: [] });
    expect(padron.calls()).toEqual([VERIFY]);
  });

  it.each(['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc'])('is checked before it is sent: %s', async (cipher) => {
    const privateKey = key.export({ type: 'pkcs8', format: 'der', cipher, passphrase: password });
    expect(await verify({ privateKey, password: 'another one' })).toMatchObject({
      outcome: 'INVALID_INPUT',
      valid: null,
      problems: [{ code: 'WRONG_PASSWORD' }],
    });
    expect(padron.calls()).toEqual([]);
  });

  it('is checked before it is sent if its password was derived with SHA-224', async () => {
    const privateKey = encryptAsTaxAuthority(key, password, 2048, 'sha224');
    expect(await verify({ privateKey, password: 'another one' })).toMatchObject({
      problems: [{ code: 'WRONG_PASSWORD' }],
    });
    expect(padron.calls()).toEqual([]);
  });

  it('is damaged if a transfer as text has changed its line breaks, and free', async () => {
    const privateKey = Buffer.from(person.privateKey.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
    expect(privateKey.length).toBeGreaterThan(person.privateKey.length);
    expect(await verify({ privateKey })).toMatchObject({ valid: null, problems: [{ code: 'KEY_UNREADABLE' }] });
    expect(padron.calls()).toEqual([]);
  });

  it('may end with a line break', async () => {
    const privateKey = Buffer.concat([person.privateKey, Buffer.from('\r\n')]);
    expect(await verify({ privateKey })).toMatchObject({ outcome: 'FOUND', valid: true, problems: [] });
  });
});

describe('a password in the bytes of an older program', () => {
  it.each([
    ['Windows-1252', 'contraseña€', Buffer.from('contraseña\u0080', 'latin1')],
    ['CP850', 'contraseña', Buffer.from('contrase\u00a4a', 'latin1')],
  ])('opens the key, and the remark says which they are: %s', async (encoding, typed, bytes) => {
    const privateKey = encryptAsTaxAuthority(key, bytes);
    const { problems } = await verify({ privateKey, password: typed });
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'PASSWORD_ENCODING', message: expect.stringContaining(encoding) }),
      ]),
    );
    expect(padron.calls()).toEqual([VERIFY]);
  });
});

describe('a certificate as programs write it', () => {
  it.each<[string, (pem: string) => string | Buffer]>([
    ['as UTF-16', (pem) => Buffer.from(byteOrderMark + pem, 'utf16le')],
    ['in base64 without the lines of PEM', (pem) => pem.replace(/-----.*/g, '')],
  ])('is read, and sent in DER: %s', async (_, write) => {
    const certificate = Buffer.from(write(encoded('CERTIFICATE', person.certificate)));
    expect(await verify({ certificate })).toMatchObject({ outcome: 'FOUND', valid: true, problems: [] });
    expect(padron.calls()).toEqual([VERIFY]);
  });
});

describe('a chain of certificates', () => {
  it.each([
    ['the holder first', (holder: string, issuer: string) => holder + issuer],
    ['the authority first', (holder: string, issuer: string) => issuer + holder],
  ])('is read as the certificate of the holder: %s', async (_, order) => {
    const issuer = encoded('CERTIFICATE', authority.certificate);
    const certificate = Buffer.from(order(encoded('CERTIFICATE', person.certificate), issuer));
    expect(await verify({ certificate })).toMatchObject({
      outcome: 'FOUND',
      valid: true,
      problems: [],
      certificate: { rfc: person.rfc },
    });
    expect(sent()).toHaveLength(1);
  });

  it('is read as the renewed e.firma, not as the one that has expired', async () => {
    const expired = await authority.issue({
      rfc: person.rfc,
      name: 'XOCHILT CASAS CHAVEZ',
      curp: 'CACX760510MGTSHC04',
      validUntil: new Date('2026-06-01'),
    });
    const certificate = Buffer.from(
      encoded('CERTIFICATE', expired.certificate) + encoded('CERTIFICATE', person.certificate),
    );
    expect(await verify({ certificate })).toMatchObject({ outcome: 'FOUND', valid: true, problems: [] });
  });
});
