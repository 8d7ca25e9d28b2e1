import { checkCredential } from '../../../src/graph/tax/credential';
import { readAuthorities, verifySignature } from '../../../src/sandbox/efirma/verify-signature';
import {
  authorityFiles,
  type CredentialFixture,
  efirmaFixtures,
  seals,
  signatures,
} from '../../support/efirma-fixtures';

const TODAY = new Date('2026-11-20T12:00:00Z');
const VALID_TODAY = ['CACX7605101P8_2023-2027', 'CACX7605101P8_old-cipher', 'EKU9003173C9_2023-2027'];

const table = (pairs: readonly CredentialFixture[]) => pairs.map((pair) => [pair.name, pair] as const);

(efirmaFixtures ? describe : describe.skip)('the public test credentials of the tax authority', () => {
  const authorities = readAuthorities(authorityFiles());
  const verify = (pair: CredentialFixture, now: Date) =>
    verifySignature({ ...pair, userId: pair.rfc }, { authorities, revokedSerials: new Set(), now });

  const inItsTime = (pair: CredentialFixture) => checkCredential(pair, TODAY).certificate?.validFrom ?? TODAY;

  it.each(table(signatures()))('pass in their time: %s', (name, pair) => {
    const check = checkCredential(pair, inItsTime(pair));
    expect(check.blockingProblems).toEqual([]);
    expect(check.warnings.map(({ code }) => code)).toEqual(name.includes('old-cipher') ? ['UNSUPPORTED_CIPHER'] : []);
    expect(check.certificate?.rfc).toBe(pair.rfc);
    expect(check.certificate?.serialNumber).toMatch(/^30001000000\d{9}$/);
    expect(verify(pair, inItsTime(pair))).toEqual({ valid: true });
  });

  it('pass today where they have not expired', () => {
    const sent = signatures().filter((pair) => checkCredential(pair, TODAY).blockingProblems.length === 0);
    const valid = signatures().filter((pair) => verify(pair, TODAY).valid);
    expect(sent.map(({ name }) => name).sort()).toEqual(VALID_TODAY);
    expect(valid.map(({ name }) => name).sort()).toEqual(VALID_TODAY);
  });

  it.each(table(seals()))('are told from an e.firma where they are seals: %s', (_name, pair) => {
    const now = inItsTime(pair);
    expect(checkCredential(pair, now).blockingProblems.map(({ code }) => code)).toEqual(['NOT_EFIRMA']);
    expect(verify(pair, now)).toMatchObject({ field: 'certificate', message: expect.stringMatching(/sello/) });
  });
});
