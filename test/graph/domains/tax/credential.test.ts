import { createDecipheriv } from 'node:crypto';
import fc from 'fast-check';
import { readAuthorities, verifySignature } from '../../../../src/extensions/sandbox/efirma/verify-signature';
import { type Credential, checkCredential } from '../../../../src/graph/domains/tax/credential';
import { type Authority, type IssuedCredential, mintAuthority } from '../../../support/keys/authority';
import { integer, objectIdentifier, octets, sequence } from '../../../support/keys/der';
import { encryptAsTaxAuthority, encryptWithOldCipher } from '../../../support/keys/encrypted-key';
import { sharedKey } from '../../../support/keys/rsa-keys';
import { isWiped } from '../../../support/requests/watched-bytes';
import { authorityFiles, type CredentialFixture, seals, signatures } from './efirma-fixtures';

const NOW = new Date('2026-11-20T12:00:00Z');
const PERSON = { rfc: 'CACX7605101P8', curp: 'CACX760510MGTSHC04', name: 'XOCHILT CASAS CHAVEZ' };
const COMPANY = {
  rfc: 'EKU9003173C9',
  curp: 'VADA800927HSRSRL05',
  name: 'ESCUELA KEMPER URGATE SA DE CV',
  representative: { rfc: 'VADA800927DJ3' },
};

const refusals = async (credential: Credential, now = NOW) =>
  (await checkCredential(credential, now)).blockingProblems.map(({ code }) => code);
const warnings = async (credential: Credential) =>
  (await checkCredential(credential, NOW)).warnings.map(({ code }) => code);
const asPem = (label: string, der: Buffer): Buffer =>
  Buffer.from(
    `-----BEGIN ${label}-----\n${der.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END ${label}-----\n`,
  );

let authority: Authority;
let person: IssuedCredential;
let company: IssuedCredential;

beforeAll(async () => {
  authority = await mintAuthority();
  person = await authority.issue(PERSON);
  company = await authority.issue(COMPANY);
});

describe('a valid certificate', () => {
  it('passes, and its facts about a person are read', async () => {
    expect(await checkCredential(person, NOW)).toEqual({
      blockingProblems: [],
      warnings: [],
      password: person.password,
      certificateFile: person.certificate,
      certificate: {
        ...{ serialNumber: '30001000000900000001', holder: PERSON.name, rfc: PERSON.rfc, curp: PERSON.curp },
        ...{ issuer: 'AC UAT', validFrom: new Date('2026-01-01'), validUntil: new Date('2030-01-01') },
      },
    });
  });

  it('passes for a company, which has no CURP although its representative is named', async () => {
    const check = await checkCredential(company, NOW);
    expect(check).toMatchObject({ blockingProblems: [], warnings: [] });
    expect(check.certificate).toMatchObject({ rfc: 'EKU9003173C9', curp: null });
  });

  it.each(['CAÑF770131PA3', 'H&E951128469'])('passes for a taxpayer code such as %s', async (rfc) => {
    const credential = await authority.issue({ ...PERSON, rfc, name: 'FERNANDO ÑABARRO & HIJOS' });
    const check = await checkCredential(credential, NOW);
    expect(check).toMatchObject({ blockingProblems: [], warnings: [] });
    expect(check.certificate).toMatchObject({ rfc, holder: 'FERNANDO ÑABARRO & HIJOS' });
  });

  it('passes as PEM', async () => {
    expect(await refusals({ ...person, certificate: asPem('CERTIFICATE', person.certificate) })).toEqual([]);
  });

  it('passes if the taxpayer code is written in another case, or its Ñ as two characters', async () => {
    const credential = await authority.issue({ ...PERSON, rfc: 'CAÑF770131PA3' });
    expect(await refusals({ ...credential, rfc: ' can\u0303f770131pa3 ' })).toEqual([]);
  });
});

describe('an invalid certificate', () => {
  it('is rejected one second before and after its validity, and accepted in between', async () => {
    expect(await refusals(person, new Date('2025-12-31T23:59:59Z'))).toEqual(['CERTIFICATE_NOT_YET_VALID']);
    for (const valid of ['2026-01-01', '2030-01-01']) expect(await refusals(person, new Date(valid))).toEqual([]);
    expect(await refusals(person, new Date('2030-01-01T00:00:01Z'))).toEqual(['CERTIFICATE_EXPIRED']);
  });

  it('is rejected if it is a seal', async () => {
    expect(await refusals(await authority.issue({ ...COMPANY, kind: 'seal' }))).toEqual(['NOT_EFIRMA']);
  });

  it("is rejected if it is the authority's certificate", async () => {
    expect(await refusals({ ...person, rfc: '2.5.4.45', certificate: authority.certificate })).toEqual([
      'NOT_EFIRMA',
      'KEY_MISMATCH',
    ]);
  });

  it('is rejected for another taxpayer, at the field of the taxpayer code', async () => {
    const { blockingProblems } = await checkCredential({ ...person, rfc: 'XIQB891116QE4' }, NOW);
    expect(blockingProblems).toMatchObject([{ code: 'RFC_MISMATCH', field: 'rfc' }]);
    expect(blockingProblems[0]?.message).not.toMatch(/representative/);
  });

  it("is rejected for a company's representative, with a message that says so", async () => {
    const { blockingProblems } = await checkCredential({ ...company, rfc: 'VADA800927DJ3' }, NOW);
    expect(blockingProblems).toMatchObject([
      { code: 'RFC_MISMATCH', message: expect.stringMatching(/representative/) },
    ]);
  });

  it('is sent with a warning if its issuer does not have the name of the tax authority', async () => {
    const stranger = await mintAuthority({ commonName: 'Example CA', organization: 'Example' });
    const credential = await stranger.issue(PERSON);
    expect(await refusals(credential)).toEqual([]);
    expect(await warnings(credential)).toEqual(['UNKNOWN_ISSUER']);
  });
});

describe('a mistake of the caller', () => {
  it('is recognized if the two files are swapped', async () => {
    const swapped = { ...person, certificate: person.privateKey, privateKey: person.certificate };
    const { blockingProblems, certificate } = await checkCredential(swapped, NOW);
    expect(certificate).toBeNull();
    expect(blockingProblems).toMatchObject([
      { code: 'CERTIFICATE_UNREADABLE', field: 'certificate', message: expect.stringMatching(/swapped/) },
      { code: 'KEY_UNREADABLE', field: 'privateKey', message: expect.stringMatching(/swapped/) },
    ]);
  });

  it('is not reported as a swap if the files are something else', async () => {
    const nothing = Buffer.from('%PDF-1.7');
    const { blockingProblems } = await checkCredential({ ...person, certificate: nothing, privateKey: nothing }, NOW);
    expect(blockingProblems).toMatchObject([{ code: 'CERTIFICATE_UNREADABLE' }, { code: 'KEY_UNREADABLE' }]);
    for (const { message } of blockingProblems) expect(message).not.toMatch(/swapped/);
  });

  it('is reported together with all others', async () => {
    const seal = await authority.issue({ ...COMPANY, kind: 'seal' });
    const worst = { ...seal, rfc: 'XIQB891116QE4', password: 'wrong' };
    expect(await refusals(worst, new Date('2031-01-01'))).toEqual([
      'CERTIFICATE_EXPIRED',
      'NOT_EFIRMA',
      'RFC_MISMATCH',
      'WRONG_PASSWORD',
    ]);
  });

  it('never puts an identifier or the password into a message', async () => {
    const worst = { ...company, rfc: 'VADA800927DJ3', password: 'my-secret ' };
    const { blockingProblems } = await checkCredential(worst, new Date('2031-01-01'));
    expect(blockingProblems).toHaveLength(3);
    expect(JSON.stringify(blockingProblems)).not.toMatch(/EKU9003|VADA8009|KEMPER|my-secret/);
  });
});

describe('any bytes', () => {
  it('never cause an exception and never pass', async () => {
    const file = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(file, file, fc.string(), async (certificate, privateKey, text) => {
        expect(await refusals({ certificate, privateKey, rfc: text, password: text })).not.toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('never cause an exception if a real file is damaged in one place', async () => {
    const place = fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 1, max: 255 }));
    await fc.assert(
      fc.asyncProperty(place, place, async (inCertificate, inKey) => {
        const certificate = damaged(person.certificate, inCertificate);
        const check = await checkCredential(
          { ...person, certificate, privateKey: damaged(person.privateKey, inKey) },
          NOW,
        );
        expect(Array.isArray(check.blockingProblems)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the private key of an e.firma, before a unit is spent', () => {
  it('is rejected with the certificate of another key', async () => {
    const reissued = await authority.issue({ ...PERSON, ownKey: true });
    expect(await refusals({ ...person, privateKey: reissued.privateKey })).toEqual(['KEY_MISMATCH']);
  });

  it('is rejected as having a wrong password, whatever error OpenSSL gives', async () => {
    // One wrong password in 200 deciphers to something with the right padding; 400 are enough to meet it.
    const attempts = Array.from({ length: 400 }, (_, attempt) => `wrong-${attempt}`);
    // OpenSSL takes passwords up to a length.
    for (const password of ['', 'x'.repeat(3_000), ...attempts])
      expect(await refusals({ ...person, password })).toEqual(['WRONG_PASSWORD']);
  });

  it('is rejected with its own message if the password ends with a line break', async () => {
    const { blockingProblems } = await checkCredential({ ...person, password: '12345678a\n' }, NOW);
    expect(blockingProblems).toMatchObject([{ code: 'WRONG_PASSWORD', message: expect.stringMatching(/line break/) }]);
  });

  it('opens with a password that ends with a blank if that is the password', async () => {
    expect(await refusals(await authority.issue({ ...PERSON, password: 'contraseña ' }))).toEqual([]);
  });

  it('opens as PEM', async () => {
    expect(await refusals({ ...person, privateKey: asPem('ENCRYPTED PRIVATE KEY', person.privateKey) })).toEqual([]);
  });

  it('leaves no bytes of itself or of its password behind, opened or not', async () => {
    const base64 = encryptAsTaxAuthority(await sharedKey(), 'contraseña').toString('base64');
    const pem = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${base64}\n-----END ENCRYPTED PRIVATE KEY-----`;
    const texts = [`\n${base64}\n`, 'contrasena', 'contraseña', 'contraseña'.normalize('NFD')];
    const decipher = Object.getPrototypeOf(createDecipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16)));
    const spies = [jest.spyOn(Buffer, 'concat'), jest.spyOn(decipher, 'update'), jest.spyOn(decipher, 'final')];
    const from = jest.spyOn(Buffer, 'from');
    const credential = { ...person, privateKey: Buffer.from(pem) };
    await checkCredential({ ...credential, password: 'contraseña' }, NOW);
    await checkCredential({ ...credential, password: 'contrasena' }, NOW);
    const decoded = from.mock.results.filter((_, index) => texts.includes(String(from.mock.calls[index]?.[0])));
    const made = [...decoded, ...spies.flatMap(({ mock }) => mock.results)].map(({ value }): unknown => value);
    jest.restoreAllMocks();
    const buffers = made.filter((value): value is Buffer => Buffer.isBuffer(value) && value.length > 0);
    // The last block of the key may be empty.
    expect(buffers.length).toBeGreaterThanOrEqual(7);
    expect(buffers.filter((bytes) => !isWiped(bytes))).toEqual([]);
  });

  it('is refused when nothing encrypts it, in every form', async () => {
    const key = await sharedKey();
    const forms = [
      key.export({ type: 'pkcs8', format: 'der' }),
      key.export({ type: 'pkcs1', format: 'der' }),
      Buffer.from(key.export({ type: 'pkcs8', format: 'pem' })),
      Buffer.from(key.export({ type: 'pkcs1', format: 'pem' })),
    ];
    for (const privateKey of forms) expect(await refusals({ ...person, privateKey })).toEqual(['KEY_NOT_ENCRYPTED']);
  });

  it('is sent with a warning if its cipher is too old to be opened by padron', async () => {
    const credential = { ...person, privateKey: encryptWithOldCipher(await sharedKey(), '12345678a') };
    expect(await refusals(credential)).toEqual([]);
    expect(await warnings(credential)).toEqual(['UNSUPPORTED_CIPHER']);
  });

  it('is not opened if it is derived with scrypt, whose work cannot be estimated cheaply', async () => {
    const scrypt = sequence(objectIdentifier('2b06010401da47040b'), sequence(octets(Buffer.alloc(8)), integer(1)));
    const algorithm = sequence(objectIdentifier('2a864886f70d01050d'), sequence(scrypt, sequence()));
    const privateKey = sequence(algorithm, octets(Buffer.alloc(64)));
    expect(await warnings({ ...person, privateKey })).toEqual(['UNSUPPORTED_CIPHER']);
  });

  it.each([0, 1, 40, 700, -1])('is unreadable if it ends at byte %i', async (end) => {
    const privateKey = person.privateKey.subarray(0, end);
    expect(await refusals({ ...person, privateKey })).toEqual(['KEY_UNREADABLE']);
  });
});

function damaged(bytes: Buffer, [place, difference]: readonly [number, number]): Buffer {
  const copy = Buffer.from(bytes);
  const index = Math.floor(place * copy.length);
  copy.writeUInt8((copy.readUInt8(index) ^ difference) & 0xff, index);
  return copy;
}

const isInOldCipher = (name: string): boolean => name.includes('old-cipher');
const table = (pairs: readonly CredentialFixture[]) => pairs.map((pair) => [pair.name, pair] as const);

describe('the public test credentials of the tax authority', () => {
  const authorities = readAuthorities(authorityFiles());
  const verify = (pair: CredentialFixture, now: Date) =>
    verifySignature({ ...pair, userId: pair.rfc }, { authorities, revokedSerials: new Set(), now });
  const inItsTime = async (pair: CredentialFixture) => (await checkCredential(pair, NOW)).certificate?.validFrom ?? NOW;

  it.each(table(signatures()))('pass during their validity: %s', async (name, pair) => {
    const check = await checkCredential(pair, await inItsTime(pair));
    expect(check.blockingProblems).toEqual([]);
    expect(check.warnings.map(({ code }) => code)).toEqual(isInOldCipher(name) ? ['UNSUPPORTED_CIPHER'] : []);
    expect(check.certificate?.rfc).toBe(pair.rfc);
    expect(check.certificate?.serialNumber).toMatch(/^30001000000\d{9}$/);
    // The sandbox does not open single DES, see its CHOICES.md.
    expect(verify(pair, await inItsTime(pair))).toMatchObject(
      isInOldCipher(name) ? { valid: false, field: 'privateKey' } : { valid: true },
    );
  });

  it.each(table(seals()))('are distinguished from an e.firma if they are seals: %s', async (_name, pair) => {
    const now = await inItsTime(pair);
    expect((await checkCredential(pair, now)).blockingProblems.map(({ code }) => code)).toEqual(['NOT_EFIRMA']);
    expect(verify(pair, now)).toMatchObject({ field: 'certificate', message: expect.stringMatching(/sello/) });
  });
});
