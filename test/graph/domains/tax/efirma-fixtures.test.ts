import { checkCredential } from '../../../../src/graph/domains/tax/credential';
import { readAuthorities, verifySignature } from '../../../../src/sandbox/efirma/verify-signature';
import { authorityFiles, type CredentialFixture, efirmaFixtures, seals, signatures } from './efirma-fixtures';

const TODAY = new Date('2026-11-20T12:00:00Z');
const SENT_TODAY = ['CACX7605101P8_2023-2027', 'CACX7605101P8_old-cipher', 'EKU9003173C9_2023-2027'];
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

  it('pass today if they have not expired', async () => {
    const checks = await Promise.all(
      signatures().map(async (pair) => ({ name: pair.name, check: await checkCredential(pair, TODAY) })),
    );
    const sent = checks.filter(({ check }) => check.blockingProblems.length === 0);
    const valid = signatures().filter((pair) => verify(pair, TODAY).valid);
    expect(sent.map(({ name }) => name).sort()).toEqual(SENT_TODAY);
    expect(valid.map(({ name }) => name).sort()).toEqual(SENT_TODAY.filter((name) => !isInOldCipher(name)));
  });

  it.each(table(seals()))('are distinguished from an e.firma if they are seals: %s', async (_name, pair) => {
    const now = await inItsTime(pair);
    expect((await checkCredential(pair, now)).blockingProblems.map(({ code }) => code)).toEqual(['NOT_EFIRMA']);
    expect(verify(pair, now)).toMatchObject({ field: 'certificate', message: expect.stringMatching(/sello/) });
  });
});
