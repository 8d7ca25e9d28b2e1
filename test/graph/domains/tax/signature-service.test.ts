import { UNPERMITTED_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { findOrThrow } from '../../../support/find-or-throw';
import type { IssuedCredential } from '../../../support/keys/authority';
import { byBase64, byMultipart, credentialOf, TODAY, VERIFY } from '../../../support/keys/signatures';
import { trustingPadronForTests } from '../../../support/keys/trusting-padron';
import { type GraphqlAnswer, runPadron } from '../../../support/padrons/padron';
import { card } from '../../../support/sandbox/cards';
import { authorityFiles, efirmaFixtures, signatures } from './efirma-fixtures';

const PERSON = { rfc: 'CACX7605101P8', curp: 'CACX760510MGTSHC04', name: 'XOCHILT CASAS CHAVEZ' };

const { authority, padron } = trustingPadronForTests();

const verdictOf = ({ data, errors }: GraphqlAnswer) => {
  expect(errors).toBeUndefined();
  return data.verifySignature;
};

describe('a signature of an additional authority', () => {
  it('is valid if the service is configured to trust that authority', async () => {
    const issued = await authority.issue(PERSON);
    expect(verdictOf(await byMultipart(padron, issued))).toMatchObject({ outcome: 'FOUND', valid: true, problems: [] });
  });

  it.each([
    ['server-error', 'UNAVAILABLE', 'REGISTRY_ERROR'],
    ['unavailable', 'UNAVAILABLE', 'REGISTRY_ERROR'],
    ['html', 'UNAVAILABLE', 'UNUSABLE_ANSWER'],
    ['forbidden', 'NOT_PERMITTED', 'MISSING_PERMISSION'],
  ] as const)('is neither valid nor invalid if the service answers «%s»', async (failure, outcome, code) => {
    const issued = await issuedTo(card(failure, 'rfc'));
    const verdict = verdictOf(await byMultipart(padron, issued));
    expect(verdict).toMatchObject({ outcome, valid: null, problems: [{ code }], certificate: { rfc: issued.rfc } });
    expect(padron.calls()).toEqual([VERIFY]);
  });

  const issuedTo = (rfc: string): Promise<IssuedCredential> => authority.issue({ ...PERSON, rfc });
});

describe('the account of a verification', () => {
  it('needs its permission', async () => {
    const answer = await byMultipart(padron, credentialOf('person'), { authorization: `Bearer ${UNPERMITTED_TOKEN}` });
    expect(verdictOf(answer)).toMatchObject({
      outcome: 'NOT_PERMITTED',
      valid: null,
      problems: [{ code: 'MISSING_PERMISSION', message: expect.stringContaining('verificar_firma') }],
    });
  });

  it.each([['Bearer nobody'], ['']])('must be known to the service: authorization «%s»', async (authorization) => {
    const { data, errors } = await byBase64(padron, credentialOf('person'), { authorization });
    expect(data).toEqual({ verifySignature: null });
    expect(errors).toMatchObject([{ path: ['verifySignature'], extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  it('is not charged in sandbox mode', async () => {
    const before = padron.spent();
    const answer = await byMultipart(padron, credentialOf('person'), { 'x-sandbox': 'true' });
    expect(verdictOf(answer)).toMatchObject({ valid: true, evidence: { servedFrom: 'SANDBOX', units: 0 } });
    expect(padron.spent()).toBe(before);
  });
});

(efirmaFixtures ? describe : describe.skip)("with the tax authority's own test credential", () => {
  const files = (part: string) => authorityFiles().filter((file) => file.includes(part));

  it('is confirmed during its validity', async () => {
    const own = await runPadron({ now: () => TODAY, sandbox: { authorities: files('AC_UAT_2022') } });
    const pair = findOrThrow(signatures(), ({ name }) => name === 'CACX7605101P8_2023-2027');
    const verdict = verdictOf(await byMultipart(own, pair));
    await own.stop();
    expect(verdict).toMatchObject({
      outcome: 'FOUND',
      valid: true,
      problems: [],
      certificate: { serialNumber: '30001000000500003282', rfc: PERSON.rfc, curp: PERSON.curp, issuer: 'AC UAT' },
      evidence: { units: 1, billing: 'CHARGED' },
    });
  });

  it('is sent with a warning if its key has an old cipher', async () => {
    const own = await runPadron({ now: () => TODAY, sandbox: { authorities: files('AC_UAT_2022') } });
    const pair = findOrThrow(signatures(), ({ name }) => name === 'CACX7605101P8_old-cipher');
    const verdict = verdictOf(await byBase64(own, pair));
    const calls = own.calls();
    await own.stop();
    // The sandbox does not open single DES, see its CHOICES.md. The real service decides for itself.
    expect(verdict).toMatchObject({ problems: [{ code: 'UNSUPPORTED_CIPHER' }, { path: ['input', 'privateKey'] }] });
    expect(calls).toEqual([VERIFY]);
  });
});
