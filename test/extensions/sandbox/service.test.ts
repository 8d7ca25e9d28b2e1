import { spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  type Account,
  NO_UNITS_TOKEN,
  SANDBOX_TOKEN,
  THREE_UNITS_TOKEN,
  THROTTLED_TOKEN,
} from '../../../src/extensions/sandbox/accounts/accounts';
import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findReceipts } from '../../../src/extensions/sandbox/documents/receipts';
import { sandboxCredentials } from '../../../src/extensions/sandbox/efirma/credentials';
import { type Sandbox, startSandbox } from '../../../src/extensions/sandbox/service';
import { getCard } from '../../../src/extensions/sandbox/test-cards/cards';
import { findOrThrow } from '../../support/find-or-throw';
import { watchProcess } from '../../support/processes/process';
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
    if (!isApi(endpoint)) return;
    expect(reply.body).toMatchObject({ codigoValidacion: expect.stringMatching(/^[A-Za-z0-9]{20}$/) });
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
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
    expect([reply.status, reply.body]).toMatchObject([400, { data: { errors: { [field]: [expect.any(String)] } } }]);
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

  const post = (path: string, body: string) => {
    const headers = { authorization: `Bearer ${SANDBOX_TOKEN}`, 'content-type': 'application/json' };
    return fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body });
  };

  it('a body that is not a JSON object is 400', async () => {
    for (const body of ['{', '[]', '"text"']) {
      const response = await post('/private/sujeto-obligado', body);
      const refused = [400, { ok: false, error: { code: 'BAD_REQUEST' } }];
      expect([response.status, await response.json()]).toMatchObject(refused);
    }
  });

  it('a body under /api is ignored', async () => {
    expect((await post(`/api/infonavit/grupo/buscar-credito?nss=${person.nss}`, '{')).status).toBe(200);
  });
});

const main = join(__dirname, '../../../src/extensions/sandbox/main.ts');
const runMain = (environment: Readonly<Record<string, string>>) =>
  watchProcess(spawn(process.execPath, ['--import', 'tsx', main], { env: { ...process.env, ...environment } }));

describe('npm run sandbox', () => {
  it('prints its address, a token and a command that works, and stops on SIGTERM', async () => {
    const program = runMain({ PORT: '0' });
    const greeting = await program.says("Bearer sandbox-token'");
    const address = /curl -X POST '(http[^']+)'/.exec(greeting)?.[1] ?? '';
    const response = await fetch(address, { method: 'POST', headers: { authorization: 'Bearer sandbox-token' } });
    expect([response.status, await response.json()]).toMatchObject([200, { success: true }]);
    expect(await program.stop()).toBe(0);
  });

  it('reports that the port is in use', async () => {
    const { port } = new URL(sandbox.url);
    const program = runMain({ PORT: port });
    expect([await program.ended(), program.output()]).toEqual([
      1,
      `Port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or set PORT to another port.\n`,
    ]);
  });

  it('rejects a port that is not a number', async () => {
    const program = runMain({ PORT: 'web' });
    const message = 'PORT must be a number from 0 to 65535, not web.\n';
    expect([await program.ended(), program.output()]).toEqual([1, message]);
  });
});

const CREDIT = '/api/infonavit/grupo/buscar-credito';
const CONSTANCIA = '/api/sep/grupo/descargar-constancia-profesional';
const graduate = findOrThrow(people, ({ licences }) => licences.length > 0);
const anyEmployer = findOrThrow(employers, () => true);
const FREE = { 'x-sandbox': 'true' };

describe('an account of the service', () => {
  let now = NOW;
  let ownSandbox: Sandbox;

  beforeEach(async () => {
    now = NOW;
    const own: Account = { token: 'own', name: 'Own', permissions: 'all', units: 2 };
    ownSandbox = await startSandbox({ clock: () => now, accounts: [own], slowMs: 20 });
  });
  afterEach(() => ownSandbox.close());

  describe('the balances', () => {
    it('rejects with 402 a call that the balance does not cover, and accepts one that it covers', async () => {
      const client = createSandboxClient(ownSandbox, THREE_UNITS_TOKEN);
      const statuses: number[] = [];
      const { curp, nss } = graduate;
      for (const path of [CONSTANCIA, CONSTANCIA, CREDIT, CREDIT])
        statuses.push((await client.query(path, path === CREDIT ? { nss } : { curp })).status);
      expect(statuses).toEqual([200, 402, 200, 402]);
      expect(ownSandbox.spent(THREE_UNITS_TOKEN)).toBe(3);
      const rejection = await client.json('/private/sujeto-obligado', { rp: anyEmployer.registration });
      expect([rejection.status, rejection.body]).toMatchObject([
        402,
        { ok: false, error: { code: 'INSUFFICIENT_BALANCE' } },
      ]);
    });

    it('never lets two concurrent calls spend the same unit', async () => {
      const client = createSandboxClient(ownSandbox, 'own');
      const { value: nss } = getCard('slow', 'nss');
      const replies = await Promise.all([1, 2, 3, 4].map(() => client.query(CREDIT, { nss })));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 402, 402]);
      expect(ownSandbox.spent('own')).toBe(2);
    });

    it('releases the units of a failed call', async () => {
      const client = createSandboxClient(ownSandbox, 'own');
      const { value: nss } = getCard('server-error', 'nss');
      for (let i = 0; i < 3; i += 1) expect((await client.query(CREDIT, { nss })).status).toBe(500);
      expect((await client.query(CONSTANCIA, { curp: graduate.curp })).status).toBe(200);
      expect(ownSandbox.spent('own')).toBe(2);
    });

    it('is subtracted from the balance', async () => {
      const client = createSandboxClient(ownSandbox, THREE_UNITS_TOKEN);
      await client.query(CREDIT, { nss: graduate.nss });
      const reply = await client.get('/api/balance');
      expect([reply.status, reply.body]).toMatchObject([200, { success: true, status: 200, data: { balance: 2 } }]);
      expect(ownSandbox.spent(THREE_UNITS_TOKEN)).toBe(1);
      expect((await createSandboxClient(ownSandbox, null).get('/api/balance')).status).toBe(401);
    });
  });

  describe('sandbox mode', () => {
    it('is free under /api, found or not, and needs no balance', async () => {
      const client = createSandboxClient(ownSandbox, NO_UNITS_TOKEN);
      expect((await client.query(CREDIT, { nss: graduate.nss }, FREE)).status).toBe(200);
      expect((await client.query(CREDIT, { nss: '84966311213' }, FREE)).status).toBe(404);
      expect((await client.query(CREDIT, { nss: graduate.nss })).status).toBe(402);
      expect(ownSandbox.spent(NO_UNITS_TOKEN)).toBe(0);
      expect(ownSandbox.calls.map((call) => call.sandbox)).toEqual([true, true, false]);
    });

    it('does not exist outside /api, where the call is charged', async () => {
      const rp = anyEmployer.registration;
      expect((await createSandboxClient(ownSandbox).json('/private/sujeto-obligado', { rp }, FREE)).status).toBe(200);
      expect(ownSandbox.calls).toMatchObject([{ sandbox: false, units: 1 }]);
    });

    it('is not set by any other value of the header', async () => {
      await createSandboxClient(ownSandbox).query(CREDIT, { nss: graduate.nss }, { 'x-sandbox': 'false' });
      expect(ownSandbox.spent(SANDBOX_TOKEN)).toBe(1);
    });
  });

  describe('the rate limit', () => {
    it('counts down on /api, and rejects with the seconds until the next minute', async () => {
      const client = createSandboxClient(ownSandbox, THROTTLED_TOKEN);
      now = new Date('2026-11-20T18:00:18Z');
      const replies = [];
      for (let i = 0; i < 3; i += 1) replies.push(await client.query(CREDIT, { nss: graduate.nss }));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(replies.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(['2', '2', '2']);
      expect(replies.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0']);
      expect(replies[2]?.headers.get('retry-after')).toBe('42');
      now = new Date('2026-11-20T18:01:00Z');
      expect((await client.query(CREDIT, { nss: graduate.nss })).status).toBe(200);
      expect(ownSandbox.spent(THROTTLED_TOKEN)).toBe(3);
    });

    it('does not apply to /private', async () => {
      const client = createSandboxClient(ownSandbox, THROTTLED_TOKEN);
      for (let i = 0; i < 4; i += 1) {
        const reply = await client.json('/private/sujeto-obligado', { rp: anyEmployer.registration });
        expect([reply.status, reply.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
      }
    });
  });

  describe('the call log', () => {
    it('keeps the order of arrival, and shows a call in progress', async () => {
      const client = createSandboxClient(ownSandbox);
      const slow = client.query(CREDIT, { nss: getCard('slow', 'nss').value });
      while (ownSandbox.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
      expect(ownSandbox.calls[0]).toMatchObject({ status: 0, units: 0 });
      await client.json('/private/sujeto-obligado', { rp: anyEmployer.registration });
      await slow;
      expect(ownSandbox.calls.map(({ endpoint, status, input }) => [endpoint, status, Object.keys(input)])).toEqual([
        [`POST ${CREDIT}`, 200, ['nss']],
        ['POST /private/sujeto-obligado', 200, ['rp']],
      ]);
      ownSandbox.clearCalls();
      expect(ownSandbox.calls).toEqual([]);
    });

    it('never gives two answers the same validation code', async () => {
      const client = createSandboxClient(ownSandbox);
      const replies = await Promise.all(Array.from({ length: 20 }, () => client.query(CREDIT, { nss: graduate.nss })));
      const codes = replies.map(({ body }) => (body as { codigoValidacion: string }).codigoValidacion);
      expect(new Set(codes).size).toBe(20);
    });
  });
});
