import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAuthorities, type Trust, verifySignature } from '../../../src/sandbox/efirma/verify-signature';
import { type Authority, type IssuedCredential, mintAuthority } from '../../support/keys/authority';
import { encryptAsTaxAuthority, encryptWithOldCipher } from '../../support/keys/encrypted-key';
import { sharedKey } from '../../support/keys/rsa-keys';

const NOW = new Date('2026-11-20T12:00:00Z');
const NOT_SUPPORTED = 'El cifrado de la llave privada no está soportado.';
const PERSON = { rfc: 'CACX7605101P8', curp: 'CACX760510MGTSHC04', name: 'XOCHILT CASAS CHAVEZ' };

type Submitted = Omit<IssuedCredential, 'serial'>;

const submit = ({ rfc, ...rest }: Submitted, trust: Trust) => verifySignature({ ...rest, userId: rfc }, trust);

describe("the service's verification of a signature", () => {
  let authority: Authority;
  let person: IssuedCredential;
  let trust: Trust;

  beforeAll(async () => {
    authority = await mintAuthority();
    person = await authority.issue(PERSON);
    trust = { authorities: [new X509Certificate(authority.certificate)], revokedSerials: new Set(), now: NOW };
  });

  it('accepts a certificate of a trusted authority', () => {
    expect(submit(person, trust)).toEqual({ valid: true });
  });

  it.each(['CAÑF770131PA3', 'H&E951128469'])('accepts the taxpayer code %s', async (rfc) => {
    expect(submit(await authority.issue({ ...PERSON, rfc }), trust)).toEqual({ valid: true });
  });

  it('accepts a company by its code, and rejects the code of its representative', async () => {
    const company = await authority.issue({ ...PERSON, rfc: 'EKU9003173C9', representative: { rfc: 'VADA800927DJ3' } });
    expect(submit(company, trust)).toEqual({ valid: true });
    expect(submit({ ...company, rfc: 'VADA800927DJ3' }, trust)).toMatchObject({ valid: false, field: 'userId' });
  });

  it('does not open a key with single DES, which OpenSSL 3 does not open', async () => {
    const privateKey = encryptWithOldCipher(await sharedKey(), '12345678a');
    expect(submit({ ...person, privateKey }, trust)).toMatchObject({ field: 'privateKey', message: NOT_SUPPORTED });
  });

  it.each(['utf8', 'latin1'] as const)('accepts a password with ñ that encrypted the key in %s', async (encoding) => {
    const password = 'contraseña';
    const privateKey = encryptAsTaxAuthority(await sharedKey(), Buffer.from(password, encoding));
    expect(submit({ ...person, privateKey, password }, trust)).toEqual({ valid: true });
  });

  it.each(['aes-128-cbc', 'aes-256-cbc', 'des-ede3-cbc'])(
    'opens a key that OpenSSL encrypted with %s',
    async (cipher) => {
      const key = await sharedKey();
      const privateKey = key.export({ type: 'pkcs8', format: 'der', cipher, passphrase: '12345678a' });
      expect(submit({ ...person, privateKey }, trust)).toEqual({ valid: true });
    },
  );

  it('rejects a key that is not RSA', () => {
    const { privateKey: dsa } = generateKeyPairSync('dsa', { modulusLength: 2_048, divisorLength: 256 });
    const privateKey = encryptAsTaxAuthority(dsa, '12345678a');
    expect(submit({ ...person, privateKey }, trust)).toMatchObject({
      field: 'privateKey',
      message: expect.stringMatching(/no corresponde/),
    });
  });

  it('rejects an unreadable part, and names it', () => {
    const rubbish = Buffer.from('rubbish');
    expect(submit({ ...person, certificate: rubbish }, trust)).toMatchObject({ valid: false, field: 'certificate' });
    expect(submit({ ...person, privateKey: rubbish }, trust)).toMatchObject({ valid: false, field: 'privateKey' });
    expect(submit({ ...person, privateKey: person.certificate }, trust)).toMatchObject({ field: 'privateKey' });
  });

  it.each([32_768, 2 ** 31 - 1])('rejects a key that needs much work: %d iterations', async (iterations) => {
    const privateKey = encryptAsTaxAuthority(await sharedKey(), '12345678a', iterations);
    expect(submit({ ...person, privateKey }, trust)).toMatchObject({ field: 'privateKey', message: NOT_SUPPORTED });
  });

  it('rejects a key of a size that no e.firma has', async () => {
    const privateKey = encryptAsTaxAuthority(Buffer.alloc(5_000), '12345678a');
    expect(submit({ ...person, privateKey }, trust)).toMatchObject({ field: 'privateKey', message: NOT_SUPPORTED });
  });

  it('rejects every wrong password as a wrong password', () => {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      expect(submit({ ...person, password: `wrong-${attempt}` }, trust)).toMatchObject({ field: 'password' });
    }
  });

  it('rejects the key of another certificate', async () => {
    const { privateKey } = await authority.issue({ ...PERSON, ownKey: true });
    expect(submit({ ...person, privateKey }, trust)).toMatchObject({
      field: 'privateKey',
      message: expect.stringMatching(/no corresponde/),
    });
  });

  it('rejects another holder', () => {
    expect(submit({ ...person, rfc: 'XIQB891116QE4' }, trust)).toMatchObject({ valid: false, field: 'userId' });
  });

  it('rejects a seal', async () => {
    const seal = await authority.issue({ ...PERSON, kind: 'seal' });
    expect(submit(seal, trust)).toMatchObject({ field: 'certificate', message: expect.stringMatching(/sello/) });
  });

  it('rejects a certificate before and after its validity', () => {
    expect(submit(person, { ...trust, now: new Date('2025-12-31') })).toMatchObject({
      message: expect.stringMatching(/aún/),
    });
    expect(submit(person, { ...trust, now: new Date('2030-01-02') })).toMatchObject({
      message: expect.stringMatching(/expirado/),
    });
  });

  it('rejects a revoked certificate', () => {
    const revokedSerials = new Set([person.serial]);
    expect(submit(person, { ...trust, revokedSerials })).toMatchObject({ message: expect.stringMatching(/revocado/) });
  });

  it('rejects an authority of the same name that signs with another key', async () => {
    const impostor = await mintAuthority();
    expect(submit(await impostor.issue(PERSON), trust)).toMatchObject({
      field: 'certificate',
      message: expect.stringMatching(/autoridad/),
    });
  });

  it('rejects a certificate that was altered after it was signed', () => {
    const altered = Buffer.from(person.certificate);
    altered.write('Y', altered.indexOf('XOCHILT'), 'latin1');
    expect(submit({ ...person, certificate: altered }, trust)).toMatchObject({
      message: expect.stringMatching(/autoridad/),
    });
  });

  it('rejects everything if it trusts no authority', () => {
    expect(submit(person, { ...trust, authorities: [] })).toMatchObject({ valid: false, field: 'certificate' });
  });
});

describe('the authorities in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'authorities-'));
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are read as DER, as PEM, and several from one PEM', async () => {
    const first = await mintAuthority({ commonName: 'First' });
    const second = await mintAuthority({ commonName: 'Second' });
    const files = [file('one.cer', first.certificate), file('both.pem', first.pem + second.pem)];
    const names = readAuthorities(files).map(({ subject }) => /CN=(\w+)/.exec(subject)?.[1]);
    expect(names).toEqual(['First', 'First', 'Second']);
    expect(readAuthorities([])).toEqual([]);
  });

  it('are rejected with the name of an unreadable file', () => {
    const rubbish = file('rubbish.cer', 'rubbish');
    expect(() => readAuthorities([rubbish])).toThrow(rubbish);
    expect(() => readAuthorities(['/nowhere/authority.cer'])).toThrow('/nowhere/authority.cer');
  });
});
