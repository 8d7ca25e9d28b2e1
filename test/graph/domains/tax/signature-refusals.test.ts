import { byBase64, credentialOf } from '../../../support/keys/signatures';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import type { RelayedAnswer } from '../../../support/proxies/tampering-proxy';

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
    ['a 422 about a missing field', 422, { message: 'Falta.', errors: { certificate: ['El campo es obligatorio.'] } }],
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
