import { mintAuthority } from '../../../support/keys/authority';
import {
  byBase64,
  byMultipart,
  credentialOf,
  type Submission,
  TODAY,
  VERIFY,
  ways,
} from '../../../support/keys/signatures';
import type { GraphqlAnswer } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';

const PERSON = { rfc: 'CACX7605101P8', curp: 'CACX760510MGTSHC04', name: 'XOCHILT CASAS CHAVEZ' };

const padron = padronForTests({ now: () => TODAY });

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
        serialNumber: '30001000000900000001',
        holder: 'MARIANA SOLIS VEGA',
        rfc: person.rfc,
        curp: 'SOVM850314MJCLGR01',
        issuer: 'AC SANDBOX',
        validFrom: '2026-01-01T00:00:00.000Z',
        validUntil: '2046-01-01T00:00:00.000Z',
      },
      evidence: { endpoint: VERIFY, status: 200, servedFrom: 'LIVE', units: 1, billing: 'CHARGED' },
    });
    expect(verdict.evidence.validationCode).toMatch(/^\w{20}$/);
    expect(padron.callsInFull()).toMatchObject([{ endpoint: VERIFY, input: { userId: person.rfc }, units: 1 }]);
  });

  it("confirms a company's signature, which has no CURP", async () => {
    const verdict = verdictOf(await submit(padron, credentialOf('company')));
    expect(verdict).toMatchObject({ outcome: 'FOUND', valid: true, certificate: { curp: null } });
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
        {
          code: 'REJECTED_BY_REGISTRY',
          path: ['input', 'certificate'],
          message: expect.stringMatching(/revocado/),
        },
      ],
      certificate: { holder: 'AITANA MENDEZ CASTRO' },
      evidence: { status: 400, units: 0, billing: 'NOT_CHARGED' },
    });
    expect(padron.calls()).toEqual([VERIFY]);
  });
});

describe('a problem of a signature', () => {
  const person = (): Submission => credentialOf('person');
  const nothing = Buffer.from('no such file');

  it.each<[string, () => Submission, string, string, boolean | null]>([
    ['a wrong password', () => ({ ...person(), password: 'wrong' }), 'WRONG_PASSWORD', 'password', null],
    ['an empty password', () => ({ ...person(), password: '' }), 'WRONG_PASSWORD', 'password', null],
    [
      'the key of another person',
      () => ({ ...person(), privateKey: credentialOf('company').privateKey }),
      'KEY_MISMATCH',
      'privateKey',
      false,
    ],
    ['a seal', () => credentialOf('seal'), 'NOT_EFIRMA', 'certificate', false],
    ['the RFC of another person', () => ({ ...person(), rfc: PERSON.rfc }), 'RFC_MISMATCH', 'rfc', false],
    [
      'an unreadable certificate',
      () => ({ ...person(), certificate: nothing }),
      'CERTIFICATE_UNREADABLE',
      'certificate',
      null,
    ],
    ['an unreadable key', () => ({ ...person(), privateKey: nothing }), 'KEY_UNREADABLE', 'privateKey', null],
    ['an RFC that is none', () => ({ ...person(), rfc: 'SOVM85' }), 'INVALID_FORMAT', 'rfc', null],
  ])('is reported by padron at no cost: %s', async (_what, submission, code, field, valid) => {
    const verdict = verdictOf(await byMultipart(padron, submission()));
    expect(verdict).toMatchObject({
      outcome: 'INVALID_INPUT',
      valid,
      problems: [{ code, path: ['input', field] }],
      evidence: { servedFrom: 'NOT_SENT', units: 0 },
    });
    expect(padron.calls()).toEqual([]);
  });

  it('is reported for both files if they are swapped', async () => {
    const { certificate, privateKey } = person();
    const swapped = { ...person(), certificate: privateKey, privateKey: certificate };
    const verdict = verdictOf(await byMultipart(padron, swapped));
    expect(verdict).toMatchObject({ outcome: 'INVALID_INPUT', valid: null, certificate: null });
    expect(verdict.problems.map(({ path }: { path: string[] }) => path)).toEqual([
      ['input', 'certificate'],
      ['input', 'privateKey'],
    ]);
    for (const { message } of verdict.problems) expect(message).toMatch(/swapped/);
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

  it('is found with a taxpayer code in lower case with blanks', async () => {
    const verdict = verdictOf(await byBase64(padron, { ...person(), rfc: ' sovm-850314 t49' }));
    expect(verdict).toMatchObject({ outcome: 'FOUND', valid: true });
  });
});
