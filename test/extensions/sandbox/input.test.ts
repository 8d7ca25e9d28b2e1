import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { sandboxCredentials } from '../../../src/extensions/sandbox/efirma/credentials';
import { findOrThrow } from '../../support/find-or-throw';
import { createSandboxClient } from '../../support/sandbox/sandbox-client';
import { sandboxForTests } from '../../support/sandbox/sandbox-for-tests';
import { NOW } from '../../support/sandbox/sandbox-questions';

const { password, certificate, privateKey } = findOrThrow(sandboxCredentials, ({ name }) => name === 'person');
const person = findOrThrow(people, () => true);
const employer = findOrThrow(employers, ({ owes }) => !owes);

const sandbox = sandboxForTests({ clock: () => NOW });
const client = createSandboxClient(sandbox);
beforeEach(() => sandbox.clearCalls());

describe('an invalid identifier', () => {
  it.each([
    ['/api/infonavit/grupo/buscar-credito', 'nss', '84966311214'],
    ['/api/infonavit/grupo/obtener-cuenta', 'nss', 'abc'],
    ['/api/sep/grupo/validar-cedula', 'cedula', '12-34'],
    ['/api/sep/grupo/validar-certificado', 'folio', 'not-a-folio'],
    ['/api/sep/grupo/descargar-constancia-profesional', 'curp', 'CACX760510MGTSHC05'],
    ['/api/renapo/grupo/valida-curp', 'curp', 'CACX760231MGTSHC08'],
  ])('%s?%s=%s is rejected by validation, free', async (path, field, value) => {
    const reply = await client.query(path, { [field]: value });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      success: false,
      status: 400,
      codigoValidacion: expect.any(String),
      data: { errors: { [field]: [expect.any(String)] } },
    });
    expect(sandbox.calls[0]?.units).toBe(0);
  });

  const month = { registro_patronal: employer.registration, anio: 2026, mes: 3 };
  it.each([
    ['/private/comprobantes-fiscales', { ...month, registro_patronal: 'Y6099999102' }],
    ['/private/comprobantes-fiscales', { ...month, anio: 1999 }],
    ['/private/comprobantes-fiscales', { ...month, mes: 13 }],
    ['/private/comprobantes-fiscales', { ...month, mes: '3' }],
    ['/private/comprobantes-fiscales/descargar', { ...month, folio_sua: '12345678901234567890123456' }],
    ['/private/comprobantes-fiscales/descargar', { ...month, folio_sua: '1', importe: 'x'.repeat(41) }],
    ['/private/comprobantes-fiscales/descargar', { ...month, folio_sua: '1', include_content: 'yes' }],
    ['/private/sujeto-obligado', { rp: 'A1234567890' }],
    ['/private/32d-imss', { sujeto_obligado: '1', rfc: 'EKU901317' }],
  ])('%s with %j is a validation error, free', async (path, input) => {
    const reply = await client.json(path, input);
    expect([reply.status, reply.body]).toMatchObject([422, { ok: false, error: { code: 'VALIDATION_ERROR' } }]);
    expect(sandbox.calls[0]?.units).toBe(0);
  });

  it('a signature of another person is rejected with the wrong field, free', async () => {
    const parts = { userId: person.rfc, password, certificate, privateKey };
    const reply = await client.form('/api/sat/grupo/verificar-firma-electronica', parts);
    expect([reply.status, reply.body]).toMatchObject([400, { success: false, data: { errors: { userId: [/./] } } }]);
    expect(sandbox.calls).toMatchObject([{ input: { userId: person.rfc }, units: 0 }]);
    expect(Object.keys(sandbox.calls[0]?.input ?? {})).toEqual(['userId']);
  });
});

describe('a request that reaches no endpoint', () => {
  it('an unknown path is 404 without the documented envelope, and is not recorded', async () => {
    const reply = await client.query('/api/infonavit/grupo/no-such-thing', { nss: person.nss });
    expect([reply.status, reply.body]).toEqual([404, { message: 'Not Found' }]);
    expect(sandbox.calls).toEqual([]);
  });

  it('a wrong method is 405 with the right one', async () => {
    const reply = await client.get(`/api/infonavit/grupo/buscar-credito?nss=${person.nss}`);
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await client.json('/private/rps/snapshots', {})).status).toBe(405);
  });

  it('a body that is not a JSON object is 400', async () => {
    for (const body of ['{', '[]', '"text"']) {
      const response = await fetch(`${sandbox.url}/private/sujeto-obligado`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SANDBOX_TOKEN}`, 'content-type': 'application/json' },
        body,
      });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { ok: false, error: { code: 'BAD_REQUEST' } },
      ]);
    }
  });

  it('a body under /api is ignored', async () => {
    const response = await fetch(`${sandbox.url}/api/infonavit/grupo/buscar-credito?nss=${person.nss}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SANDBOX_TOKEN}`, 'content-type': 'application/json' },
      body: '{',
    });
    expect(response.status).toBe(200);
  });
});
