import { NO_UNITS_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { askPriced } from '../../support/requests/money';
import { scrapeMetrics } from '../../support/requests/scrape-metrics';
import { unusedNss } from '../../support/sandbox/identifiers';

const owner = findOrThrow(people, ({ credit }) => !!credit);
const query = `{ person(nss: "${owner.nss}") { credit {
  outcome evidence { status message units billing } problems { code message retryable retryAfter } } } }`;
const ofMonth = (period: string) => `{ employer(registration: "${employers[0]?.registration}") {
  receipts(period: "${period}") { outcome problems { code retryable } evidence { status message billing } } } }`;

const padron = proxiedPadronForTests();
const askCredit = async () => (await padron.ask(query)).data.person.credit;
/** An answer counts the failures from zero, of which ten in a row would open the circuit breaker. */
afterEach(async () => {
  padron.proxy.reset();
  await askCredit();
});
const askMonth = async (period: string) => (await padron.ask(ofMonth(period))).data.employer.receipts;

describe('an account without units', () => {
  const withoutUnits = { authorization: `Bearer ${NO_UNITS_TOKEN}` };

  it('gets its own problem code, which the metrics count, is not charged, and is not retryable', async () => {
    const count = async () =>
      (await scrapeMetrics(padron)).of('padron_registry_problems_total', { code: 'INSUFFICIENT_UNITS' });
    const before = await count();
    const { data, errors } = await padron.ask(query, {}, withoutUnits);
    expect(errors).toBeUndefined();
    const message = 'El saldo de la cuenta es insuficiente.';
    expect(data.person.credit).toEqual({
      outcome: 'UNAVAILABLE',
      evidence: { status: 402, message, units: 0, billing: 'NOT_CHARGED' },
      problems: [
        {
          ...{ code: 'INSUFFICIENT_UNITS', message: 'The account has no units left.' },
          ...{ retryable: false, retryAfter: null },
        },
      ],
    });
    expect([padron.proxy.requests.length, padron.spent(NO_UNITS_TOKEN)]).toEqual([1, 0]);
    expect((await count()) - before).toBe(1);
  });
});

describe('a status that the interface does not document', () => {
  const askWith = (status: number) => {
    padron.proxy.standIn(() => ({ status, bytes: Buffer.from(status < 400 ? '' : '{"message":"No."}') }));
    return askCredit();
  };

  it.each([405, 406, 410, 411, 413, 414, 415, 417, 421, 426, 428, 431, 451])(
    'is final if it is %i: a retry changes nothing',
    async (status) => {
      expect(await askWith(status)).toMatchObject({
        outcome: 'UNAVAILABLE',
        evidence: { status, units: 0, billing: 'NOT_CHARGED' },
        problems: [{ code: 'REGISTRY_DECLINED', message: expect.stringContaining(`${status}`), retryable: false }],
      });
      expect(padron.proxy.requests).toHaveLength(1);
    },
  );

  it.each([408, 409, 423, 425])('is temporary if it is %i', async (status) => {
    expect(await askWith(status)).toMatchObject({
      outcome: 'UNAVAILABLE',
      evidence: { status, billing: 'NOT_CHARGED' },
      problems: [{ code: 'REGISTRY_ERROR', retryable: true }],
    });
  });

  it.each([201, 202, 204, 205, 206, 301, 302, 304, 307, 308])(
    'is not an answer if it is %i, and its number is reported',
    async (status) => {
      expect(await askWith(status)).toMatchObject({
        outcome: 'UNAVAILABLE',
        evidence: { status, billing: 'UNKNOWN' },
        problems: [{ code: 'UNUSABLE_ANSWER', message: expect.stringContaining(`${status}`), retryable: true }],
      });
      expect(padron.proxy.requests).toHaveLength(1);
    },
  );
});

describe('a 4xx whose body is not from the service', () => {
  const html = Buffer.from('<html>Forbidden</html>');
  const statuses = [400, 401, 402, 403, 405, 406, 408, 409, 410, 418, 422, 423, 425, 429, 451];

  it.each(statuses)('may have been charged, and is not called again, if it is %i', async (status) => {
    const before = padron.spent();
    // The service has answered and charged before the firewall replaces its answer.
    padron.proxy.tamper(() => ({ status, bytes: html, headers: { 'content-type': 'text/html', 'retry-after': '0' } }));
    const { data, errors, units } = await askPriced(padron, { query });
    expect(errors).toBeUndefined();
    expect(data.person.credit).toMatchObject({
      outcome: 'UNAVAILABLE',
      evidence: { status, message: null, units: 0, billing: 'UNKNOWN' },
      problems: [{ code: 'UNUSABLE_ANSWER', message: expect.stringContaining(`HTTP ${status}`) }],
    });
    expect(data.person.credit.problems[0].message).not.toMatch(/units|permission|token/);
    expect(units).toMatchObject({ spent: 0, uncertain: 1 });
    expect([padron.proxy.requests.length, padron.spent() - before]).toEqual([1, 1]);
  });

  it.each<[string, unknown]>([
    ['an empty object', {}],
    ['the error of another server', { error: { code: 'blocked', message: 'Forbidden' } }],
    ['success false without a message', { success: false, errors: [{ code: 1 }] }],
    ['ok false without an error', { ok: false }],
    ['another status', { success: false, message: 'x', status: 200 }],
  ])('may have been charged if it is %s', async (_name, json) => {
    for (const status of [400, 402, 403, 410, 422]) {
      padron.proxy.standIn(() => ({ status, json }));
      expect(await askCredit()).toMatchObject({
        evidence: { status, billing: 'UNKNOWN' },
        problems: [{ code: 'UNUSABLE_ANSWER' }],
      });
    }
    expect(padron.proxy.requests).toHaveLength(5);
  });

  it('may have been charged if it is empty', async () => {
    padron.proxy.standIn(() => ({ status: 403, bytes: Buffer.alloc(0) }));
    expect((await askCredit()).evidence).toMatchObject({ status: 403, billing: 'UNKNOWN' });
  });
});

it.each([503, 500, 502, 408, 423])(
  'the time to wait before a retry is reported as the service gave it with %i',
  async (status) => {
    padron.proxy.standIn(() => ({ status, headers: { 'retry-after': '120' }, json: { message: 'No.' } }));
    expect((await askCredit()).problems).toMatchObject([{ code: 'REGISTRY_ERROR', retryAfter: 120 }]);
    expect(padron.proxy.requests).toHaveLength(1);
  },
);

it.each([400, 401, 403, 404, 409, 422, 440])(
  'a missing session with the portal is recognized with %i too',
  async (status) => {
    const error = { code: 'IMSS_SESSION_EXPIRED', message: 'La sesión con el portal expiró.' };
    padron.proxy.standIn(() => ({ status, json: { ok: false, error } }));
    expect(await askMonth('2025-02')).toMatchObject({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'IMSS_SESSION_EXPIRED', retryable: false }],
      evidence: { status, message: error.message, billing: 'NOT_CHARGED' },
    });
  },
);

describe('an answer with misleading details', () => {
  it('warns of an empty list about another employer', async () => {
    const params = { registro_patronal: 'Y6012345101', periodo: '199901', anio: 1999, mes: 1 };
    padron.proxy.tamper(() => ({ json: { ok: true, params, meta: { count: 0, warnings: [] }, comprobantes: [] } }));
    expect(await askMonth('2026-01')).toMatchObject({ outcome: 'NOT_FOUND', problems: [{ code: 'ANSWER_MISMATCH' }] });
  });

  it.each([
    ['another server', '{"message":"Forbidden"}', 'may lack the permission `use_buscar_credito`, or a firewall'],
    ['Laravel', '{"message":"User does not have the right permissions."}', 'The account lacks the permission `use_'],
    ['the service', '{"success":false,"message":"No tiene el permiso.","status":403}', 'use_buscar_credito'],
  ])('names what a 403 of %s may mean', async (_who, text, named) => {
    padron.proxy.standIn(() => ({ status: 403, bytes: Buffer.from(text) }));
    const problems = [{ code: 'MISSING_PERMISSION', message: expect.stringContaining(named) }];
    expect(await askCredit()).toMatchObject({ outcome: 'NOT_PERMITTED', problems });
  });

  it('prices people separately if the same NSS comes with different CURPs', async () => {
    const [first, second] = people.filter(({ curp }) => curp !== owner.curp);
    const of = [first?.curp, second?.curp].map((curp) => ({ __typename: 'Person', nss: unusedNss, curp }));
    const query =
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { licences { outcome } } } }';
    const { errors } = await padron.ask(query, { of }, { 'x-max-units': '4' });
    expect(errors).toMatchObject([{ extensions: { code: 'UNIT_BUDGET_EXCEEDED', estimate: { bounded: true } } }]);
    expect(errors?.[0].extensions.estimate.estimatedUnits).toBeGreaterThanOrEqual(5);
    expect(padron.calls()).toEqual([]);
  });
});
