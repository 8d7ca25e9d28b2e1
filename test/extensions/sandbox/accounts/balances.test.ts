import {
  type Account,
  NO_UNITS_TOKEN,
  SANDBOX_TOKEN,
  THREE_UNITS_TOKEN,
  THROTTLED_TOKEN,
} from '../../../../src/extensions/sandbox/accounts/accounts';
import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { type Sandbox, startSandbox } from '../../../../src/extensions/sandbox/service';
import { getCard } from '../../../../src/extensions/sandbox/test-cards/cards';
import { findOrThrow } from '../../../support/find-or-throw';
import { createSandboxClient } from '../../../support/sandbox/sandbox-client';
import { NOW } from '../../../support/sandbox/sandbox-questions';

const CREDIT = '/api/infonavit/grupo/buscar-credito';
const CONSTANCIA = '/api/sep/grupo/descargar-constancia-profesional';
const graduate = findOrThrow(people, ({ licences }) => licences.length > 0);
const employer = findOrThrow(employers, () => true);
const FREE = { 'x-sandbox': 'true' };

let now = NOW;
let sandbox: Sandbox;

beforeEach(async () => {
  now = NOW;
  const own: Account = { token: 'own', name: 'Own', permissions: 'all', units: 2 };
  sandbox = await startSandbox({ clock: () => now, accounts: [own], slowMs: 20 });
});
afterEach(() => sandbox.close());

describe('the balances', () => {
  it('rejects with 402 a call that the balance does not cover, and accepts one that it covers', async () => {
    const client = createSandboxClient(sandbox, THREE_UNITS_TOKEN);
    const statuses: number[] = [];
    const { curp, nss } = graduate;
    for (const path of [CONSTANCIA, CONSTANCIA, CREDIT, CREDIT])
      statuses.push((await client.query(path, path === CREDIT ? { nss } : { curp })).status);
    expect(statuses).toEqual([200, 402, 200, 402]);
    expect(sandbox.spent(THREE_UNITS_TOKEN)).toBe(3);
    const rejection = await client.json('/private/sujeto-obligado', { rp: employer.registration });
    expect([rejection.status, rejection.body]).toMatchObject([
      402,
      { ok: false, error: { code: 'INSUFFICIENT_BALANCE' } },
    ]);
  });

  it('never lets two concurrent calls spend the same unit', async () => {
    const client = createSandboxClient(sandbox, 'own');
    const { value: nss } = getCard('slow', 'nss');
    const replies = await Promise.all([1, 2, 3, 4].map(() => client.query(CREDIT, { nss })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 402, 402]);
    expect(sandbox.spent('own')).toBe(2);
  });

  it('releases the units of a failed call', async () => {
    const client = createSandboxClient(sandbox, 'own');
    const { value: nss } = getCard('server-error', 'nss');
    for (let i = 0; i < 3; i += 1) expect((await client.query(CREDIT, { nss })).status).toBe(500);
    expect((await client.query(CONSTANCIA, { curp: graduate.curp })).status).toBe(200);
    expect(sandbox.spent('own')).toBe(2);
  });

  it('is subtracted from the balance', async () => {
    const client = createSandboxClient(sandbox, THREE_UNITS_TOKEN);
    await client.query(CREDIT, { nss: graduate.nss });
    const reply = await client.get('/api/balance');
    expect([reply.status, reply.body]).toMatchObject([200, { success: true, status: 200, data: { balance: 2 } }]);
    expect(sandbox.spent(THREE_UNITS_TOKEN)).toBe(1);
    expect((await createSandboxClient(sandbox, null).get('/api/balance')).status).toBe(401);
  });
});

describe('sandbox mode', () => {
  it('is free under /api, found or not, and needs no balance', async () => {
    const client = createSandboxClient(sandbox, NO_UNITS_TOKEN);
    expect((await client.query(CREDIT, { nss: graduate.nss }, FREE)).status).toBe(200);
    expect((await client.query(CREDIT, { nss: '84966311213' }, FREE)).status).toBe(404);
    expect((await client.query(CREDIT, { nss: graduate.nss })).status).toBe(402);
    expect(sandbox.spent(NO_UNITS_TOKEN)).toBe(0);
    expect(sandbox.calls.map((call) => call.sandbox)).toEqual([true, true, false]);
  });

  it('does not exist outside /api, where the call is charged', async () => {
    const rp = employer.registration;
    expect((await createSandboxClient(sandbox).json('/private/sujeto-obligado', { rp }, FREE)).status).toBe(200);
    expect(sandbox.calls).toMatchObject([{ sandbox: false, units: 1 }]);
  });

  it('is not set by any other value of the header', async () => {
    await createSandboxClient(sandbox).query(CREDIT, { nss: graduate.nss }, { 'x-sandbox': 'false' });
    expect(sandbox.spent(SANDBOX_TOKEN)).toBe(1);
  });
});

describe('the rate limit', () => {
  it('counts down on /api, and rejects with the seconds until the next minute', async () => {
    const client = createSandboxClient(sandbox, THROTTLED_TOKEN);
    now = new Date('2026-11-20T18:00:18Z');
    const replies = [];
    for (let i = 0; i < 3; i += 1) replies.push(await client.query(CREDIT, { nss: graduate.nss }));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(replies.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(['2', '2', '2']);
    expect(replies.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0']);
    expect(replies[2]?.headers.get('retry-after')).toBe('42');
    now = new Date('2026-11-20T18:01:00Z');
    expect((await client.query(CREDIT, { nss: graduate.nss })).status).toBe(200);
    expect(sandbox.spent(THROTTLED_TOKEN)).toBe(3);
  });

  it('does not apply to /private', async () => {
    const client = createSandboxClient(sandbox, THROTTLED_TOKEN);
    for (let i = 0; i < 4; i += 1) {
      const reply = await client.json('/private/sujeto-obligado', { rp: employer.registration });
      expect([reply.status, reply.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    }
  });
});

describe('the call log', () => {
  it('keeps the order of arrival, and shows a call in progress', async () => {
    const client = createSandboxClient(sandbox);
    const slow = client.query(CREDIT, { nss: getCard('slow', 'nss').value });
    while (sandbox.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(sandbox.calls[0]).toMatchObject({ status: 0, units: 0 });
    await client.json('/private/sujeto-obligado', { rp: employer.registration });
    await slow;
    expect(sandbox.calls.map(({ endpoint, status, input }) => [endpoint, status, Object.keys(input)])).toEqual([
      [`POST ${CREDIT}`, 200, ['nss']],
      ['POST /private/sujeto-obligado', 200, ['rp']],
    ]);
    sandbox.clearCalls();
    expect(sandbox.calls).toEqual([]);
  });

  it('never gives two answers the same validation code', async () => {
    const client = createSandboxClient(sandbox);
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.query(CREDIT, { nss: graduate.nss })));
    const codes = replies.map(({ body }) => (body as { codigoValidacion: string }).codigoValidacion);
    expect(new Set(codes).size).toBe(20);
  });
});
