import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxAuthorities, sandboxRevokedSerials } from '../../../../src/extensions/sandbox/efirma/credentials';
import {
  readAuthorities,
  type Trust,
  verifySignature,
} from '../../../../src/extensions/sandbox/efirma/verify-signature';
import { type Authority, type IssuedCredential, mintAuthority } from '../../../support/keys/authority';
import {
  encryptWithOldCipher as oldCipher,
  encryptAsTaxAuthority as taxCipher,
} from '../../../support/keys/encrypted-key';
import { sharedKey } from '../../../support/keys/rsa-keys';
import { credentialOf } from '../../../support/keys/signatures';

const NOW = new Date('2026-11-20T12:00:00Z');
const NOT_SUPPORTED = /^El cifrado de la llave privada no está soportado\.$/;
const PASSWORD = '12345678a';
const PERSON = { rfc: 'CACX7605101P8', curp: 'CACX760510MGTSHC04', name: 'XOCHILT CASAS CHAVEZ' };

type Submitted = Omit<IssuedCredential, 'serial'>;

const submit = ({ rfc, ...rest }: Submitted, trust: Trust) => verifySignature({ ...rest, userId: rfc }, trust);

const encrypted = (privateKey: Buffer): Partial<Submitted> => ({ privateKey });
const iterated = async (iterations: number): Promise<Partial<Submitted>> =>
  encrypted(taxCipher(await sharedKey(), PASSWORD, iterations));
const makeDsaKey = () => generateKeyPairSync('dsa', { modulusLength: 2_048, divisorLength: 256 }).privateKey;

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

  it('accepts a company by its code, and rejects the code of its representative', async () => {
    const company = await authority.issue({ ...PERSON, rfc: 'EKU9003173C9', representative: { rfc: 'VADA800927DJ3' } });
    expect(submit(company, trust)).toEqual({ valid: true });
    expect(submit({ ...company, rfc: 'VADA800927DJ3' }, trust)).toMatchObject({ valid: false, field: 'userId' });
  });

  it.each(['aes-128-cbc', 'aes-256-cbc', 'des-ede3-cbc'])(
    'opens a key that OpenSSL encrypted with %s',
    async (cipher) => {
      const key = await sharedKey();
      const privateKey = key.export({ type: 'pkcs8', format: 'der', cipher, passphrase: PASSWORD });
      expect(submit({ ...person, privateKey }, trust)).toEqual({ valid: true });
    },
  );

  it('rejects every wrong password as a wrong password', () => {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      expect(submit({ ...person, password: `wrong-${attempt}` }, trust)).toMatchObject({ field: 'password' });
    }
  });

  type Change = () => Partial<Submitted> | Promise<Partial<Submitted>>;
  const rubbish = Buffer.from('rubbish');
  const otherKey = () => authority.issue({ ...PERSON, ownKey: true });
  it.each<[part: string, field: string, message: RegExp, change: Change]>([
    [
      'a key with single DES',
      'privateKey',
      NOT_SUPPORTED,
      async () => encrypted(oldCipher(await sharedKey(), PASSWORD)),
    ],
    ['a key that is not RSA', 'privateKey', /no corresponde/, () => encrypted(taxCipher(makeDsaKey(), PASSWORD))],
    ['a key that needs 32,768 iterations', 'privateKey', NOT_SUPPORTED, () => iterated(32_768)],
    ['a key that needs two billion iterations', 'privateKey', NOT_SUPPORTED, () => iterated(2 ** 31 - 1)],
    ['a key that is too large', 'privateKey', NOT_SUPPORTED, () => encrypted(taxCipher(Buffer.alloc(5_000), PASSWORD))],
    [
      'the key of another certificate',
      'privateKey',
      /no corresponde/,
      async () => encrypted((await otherKey()).privateKey),
    ],
    ['an unreadable certificate', 'certificate', /legible/, () => ({ certificate: rubbish })],
    ['an unreadable key', 'privateKey', /no es una llave/, () => encrypted(rubbish)],
    ['a certificate as the key', 'privateKey', /no es una llave/, () => encrypted(person.certificate)],
    ['another holder', 'userId', /titular/, () => ({ rfc: 'XIQB891116QE4' })],
    ['a seal', 'certificate', /sello/, () => authority.issue({ ...PERSON, kind: 'seal' })],
    [
      'another authority of the same name',
      'certificate',
      /autoridad/,
      async () => (await mintAuthority()).issue(PERSON),
    ],
    [
      'a certificate that was changed after it was signed',
      'certificate',
      /autoridad/,
      () => {
        const certificate = Buffer.from(person.certificate);
        certificate.write('Y', certificate.indexOf('XOCHILT'), 'latin1');
        return { certificate };
      },
    ],
  ])('rejects %s', async (_part, field, message, change) => {
    const verdict = submit({ ...person, ...(await change()) }, trust);
    expect(verdict).toEqual({ valid: false, field, message: expect.stringMatching(message) });
  });

  it.each<[reason: string, message: RegExp, change: () => Partial<Trust>]>([
    ['before its validity', /aún/, () => ({ now: new Date('2025-12-31') })],
    ['after its validity', /expirado/, () => ({ now: new Date('2030-01-02') })],
    ['that was revoked', /revocado/, () => ({ revokedSerials: new Set([person.serial]) })],
    ['if it trusts no authority', /autoridad/, () => ({ authorities: [] })],
  ])('rejects a certificate %s', (_reason, message, change) => {
    const verdict = submit(person, { ...trust, ...change() });
    expect(verdict).toEqual({ valid: false, field: 'certificate', message: expect.stringMatching(message) });
  });
});

describe('the credentials of the sandbox', () => {
  it('are valid for a company, and are not changed by a reader that overwrites its buffers', () => {
    const trust = { authorities: sandboxAuthorities, revokedSerials: sandboxRevokedSerials, now: NOW };
    credentialOf('company').privateKey.fill(0);
    credentialOf('company').certificate.fill(0);
    expect(submit({ ...credentialOf('company') }, trust)).toEqual({ valid: true });
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
