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
import { padronForTests, proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import type { RelayedAnswer } from '../../../support/proxies/tampering-proxy';

describe('a signature', () => {
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
    const person = credentialOf('person');
    const company = credentialOf('company');
    const nothing = Buffer.from('no such file');

    it.each<[string, Partial<Submission>, string, string, boolean | null]>([
      ['a wrong password', { password: 'wrong' }, 'WRONG_PASSWORD', 'password', null],
      ['the key of another person', { privateKey: company.privateKey }, 'KEY_MISMATCH', 'privateKey', false],
      ['a seal', credentialOf('seal'), 'NOT_EFIRMA', 'certificate', false],
      ['the RFC of another person', { rfc: PERSON.rfc }, 'RFC_MISMATCH', 'rfc', false],
      ['an unreadable certificate', { certificate: nothing }, 'CERTIFICATE_UNREADABLE', 'certificate', null],
      ['an RFC that is none', { rfc: 'SOVM85' }, 'INVALID_FORMAT', 'rfc', null],
    ])('is reported by padron at no cost: %s', async (_what, change, code, field, valid) => {
      const verdict = verdictOf(await byMultipart(padron, { ...person, ...change }));
      expect(verdict).toMatchObject({
        outcome: 'INVALID_INPUT',
        valid,
        problems: [{ code, path: ['input', field] }],
        evidence: { servedFrom: 'NOT_SENT', units: 0 },
      });
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
  });
});

describe('a signature that is refused', () => {
  const padron = proxiedPadronForTests();

  /** The service's answer to an e.firma that passes every check made here. */
  async function verdictOn(answer: Partial<RelayedAnswer>) {
    padron.proxy.standIn(() => answer);
    const { data, errors } = await byBase64(padron, credentialOf('person'));
    expect(errors).toBeUndefined();
    expect(padron.proxy.requests.map(({ path }) => path)).toEqual(['/api/sat/grupo/verificar-firma-electronica']);
    return data.verifySignature;
  }

  const validation = (errors: unknown) => ({
    success: false,
    codigoValidacion: 'Abcdefghij0123456789',
    message: 'Los datos no superaron la validación algorítmica.',
    status: 400,
    data: { errors },
  });

  it.each([500, 503])('is neither valid nor invalid if the service fails with %i', async (status) => {
    expect(await verdictOn({ status, json: {} })).toMatchObject({
      outcome: 'UNAVAILABLE',
      valid: null,
      problems: [{ code: 'REGISTRY_ERROR' }],
      certificate: { holder: 'MARIANA SOLIS VEGA' },
    });
  });

  describe('a signature that the service rejects', () => {
    it.each(['certificate', 'privateKey', 'userId'])(
      "is invalid if the service's validation rejects %s",
      async (field) => {
        const verdict = await verdictOn({ status: 400, json: validation({ [field]: ['No es válido.'] }) });
        expect(verdict).toMatchObject({
          outcome: 'INVALID_INPUT',
          valid: false,
          problems: [{ code: 'REJECTED_BY_REGISTRY', message: 'No es válido.' }],
          evidence: { status: 400, validationCode: 'Abcdefghij0123456789', billing: 'NOT_CHARGED' },
        });
      },
    );

    it.each<[string, number, unknown]>([
      ['a 400 without details', 400, {}],
      ['a 400 with a message only', 400, { success: false, status: 400, message: 'Bad Request' }],
      ['a 400 whose validation names nothing', 400, validation({})],
      ['a 400 whose validation names fields without messages', 400, validation({ certificate: [] })],
      ['a 400 about a parameter that was not sent', 400, validation({ constructor: ['Falta.'] })],
      ['a 400 with the errors of a 422', 400, { message: 'Falta.', errors: { certificate: ['Falta.'] } }],
      ['a 400 that calls itself a success', 400, { ...validation({ certificate: ['No.'] }), success: true }],
      ['a 400 about the password alone', 400, validation({ password: ['La contraseña no es correcta.'] })],
      [
        'a 422 about a missing field',
        422,
        { message: 'Falta.', errors: { certificate: ['El campo es obligatorio.'] } },
      ],
      ['a 422 in the shape of the validation', 422, { ...validation({ certificate: ['Falta.'] }), status: 422 }],
      ['a 422 of the receipts', 422, { ok: false, error: { code: 'VALIDATION_ERROR', message: 'No.' } }],
    ])('is neither valid nor invalid after %s', async (_, status, json) => {
      expect(await verdictOn({ status, json })).toMatchObject({
        outcome: 'INVALID_INPUT',
        valid: null,
        problems: [{ code: 'REJECTED_BY_REGISTRY' }],
        evidence: { status, billing: 'NOT_CHARGED' },
      });
    });
  });
});
