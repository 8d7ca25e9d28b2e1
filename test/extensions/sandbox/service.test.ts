import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findReceipts } from '../../../src/extensions/sandbox/documents/receipts';
import { sandboxCredentials } from '../../../src/extensions/sandbox/efirma/credentials';
import { findOrThrow } from '../../support/find-or-throw';
import { createSandboxClient } from '../../support/sandbox/sandbox-client';
import { sandboxForTests } from '../../support/sandbox/sandbox-for-tests';
import { askEndpoint, endpoints, NOW, type Subject } from '../../support/sandbox/sandbox-questions';

const credential = findOrThrow(sandboxCredentials, ({ name }) => name === 'person');
const { password, certificate, privateKey } = credential;
const person = findOrThrow(
  people,
  ({ credit, account, licences, certificate }) => credit && account && licences.length > 0 && certificate,
);
const employer = findOrThrow(employers, (candidate) => findReceipts(candidate, '202603', NOW).length === 1);
const subject: Subject = {
  person: { ...person, rfc: credential.rfc },
  employer,
  signature: { password, certificate, privateKey },
};

const sandbox = sandboxForTests({ clock: () => NOW });
const client = createSandboxClient(sandbox);
beforeEach(() => sandbox.clearCalls());

const isApi = (endpoint: string): boolean => endpoint.includes(' /api/');

describe.each(endpoints)('$endpoint', ({ endpoint, input, requiredInputs, units }) => {
  it('returns the record, and charges its price', async () => {
    const before = sandbox.spent(SANDBOX_TOKEN);
    const reply = await askEndpoint(client, endpoint, input(subject));
    expect(reply.status).toBe(200);
    expect(sandbox.spent(SANDBOX_TOKEN) - before).toBe(units);
    expect(sandbox.calls).toMatchObject([{ endpoint, account: SANDBOX_TOKEN, status: 200, units, sandbox: false }]);
    if (isApi(endpoint)) {
      expect(reply.body).toMatchObject({
        success: true,
        codigoValidacion: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
        message: 'Exitoso',
        status: 200,
      });
      expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it('names each missing required field', async () => {
    const full = input(subject);
    for (const name of requiredInputs) {
      const { [name]: _, ...rest } = full;
      const reply = await askEndpoint(client, endpoint, rest);
      expect(reply.status).toBe(422);
      expect(reply.body).toMatchObject(
        isApi(endpoint)
          ? { message: expect.any(String), errors: { [name]: [expect.stringContaining(name)] } }
          : { ok: false, error: { code: 'VALIDATION_ERROR', message: expect.stringContaining(name) } },
      );
    }
    expect(sandbox.calls.map(({ units: taken }) => taken)).toEqual(requiredInputs.map(() => 0));
  });
});
