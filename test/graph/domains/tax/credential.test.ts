import fc from 'fast-check';
import { readAuthorities, verifySignature } from '../../../../src/extensions/sandbox/efirma/verify-signature';
import { type Credential, checkCredential } from '../../../../src/graph/domains/tax/credential';
import { type Authority, type IssuedCredential, mintAuthority } from '../../../support/keys/authority';
import { authorityFiles, type CredentialFixture, efirmaFixtures, seals, signatures } from './efirma-fixtures';

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

const warnings = async (credential: Credential, now = NOW) =>
  (await checkCredential(credential, now)).warnings.map(({ code }) => code);

describe('the checks of an e.firma before a unit is spent', () => {
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
        certificate: {
          serialNumber: '30001000000900000001',
          holder: 'XOCHILT CASAS CHAVEZ',
          rfc: 'CACX7605101P8',
          curp: 'CACX760510MGTSHC04',
          issuer: 'AC UAT',
          validFrom: new Date('2026-01-01T00:00:00Z'),
          validUntil: new Date('2030-01-01T00:00:00Z'),
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
      const base64 = person.certificate.toString('base64');
      const pem = `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
      expect((await checkCredential({ ...person, certificate: Buffer.from(pem) }, NOW)).blockingProblems).toEqual([]);
    });

    it('passes if the taxpayer code is written in another case, or its Ñ as two characters', async () => {
      const credential = await authority.issue({ ...PERSON, rfc: 'CAÑF770131PA3' });
      expect(await refusals({ ...credential, rfc: ' can\u0303f770131pa3 ' })).toEqual([]);
    });
  });

  describe('an invalid certificate', () => {
    it('is rejected one second before and after its validity, and accepted in between', async () => {
      expect(await refusals(person, new Date('2025-12-31T23:59:59Z'))).toEqual(['CERTIFICATE_NOT_YET_VALID']);
      expect(await refusals(person, new Date('2026-01-01T00:00:00Z'))).toEqual([]);
      expect(await refusals(person, new Date('2030-01-01T00:00:00Z'))).toEqual([]);
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
      const { blockingProblems, certificate } = await checkCredential(
        { ...person, certificate: person.privateKey, privateKey: person.certificate },
        NOW,
      );
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
      await fc.assert(
        fc.asyncProperty(
          fc.uint8Array({ maxLength: 400 }),
          fc.uint8Array({ maxLength: 400 }),
          fc.string(),
          async (first, second, text) => {
            const files = { certificate: Buffer.from(first), privateKey: Buffer.from(second) };
            expect((await checkCredential({ ...files, rfc: text, password: text }, NOW)).blockingProblems).not.toEqual(
              [],
            );
          },
        ),
        { numRuns: 200 },
      );
    });

    it('never cause an exception if a real file is damaged in one place', async () => {
      const place = fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 1, max: 255 }));
      await fc.assert(
        fc.asyncProperty(place, place, async (inCertificate, inKey) => {
          const check = await checkCredential(
            {
              ...person,
              certificate: damaged(person.certificate, inCertificate),
              privateKey: damaged(person.privateKey, inKey),
            },
            NOW,
          );
          expect(Array.isArray(check.blockingProblems)).toBe(true);
        }),
        { numRuns: 300 },
      );
    });
  });
});

function damaged(bytes: Buffer, [place, difference]: readonly [number, number]): Buffer {
  const copy = Buffer.from(bytes);
  const index = Math.floor(place * copy.length);
  copy.writeUInt8((copy.readUInt8(index) ^ difference) & 0xff, index);
  return copy;
}

const TODAY = new Date('2026-11-20T12:00:00Z');

const isInOldCipher = (name: string): boolean => name.includes('old-cipher');

const table = (pairs: readonly CredentialFixture[]) => pairs.map((pair) => [pair.name, pair] as const);

(efirmaFixtures ? describe : describe.skip)('the public test credentials of the tax authority', () => {
  const authorities = readAuthorities(authorityFiles());
  const verify = (pair: CredentialFixture, now: Date) =>
    verifySignature({ ...pair, userId: pair.rfc }, { authorities, revokedSerials: new Set(), now });

  const inItsTime = async (pair: CredentialFixture) =>
    (await checkCredential(pair, TODAY)).certificate?.validFrom ?? TODAY;

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
