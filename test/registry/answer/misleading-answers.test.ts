import { employers } from '../../../src/sandbox/data/employers';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { unusedNss } from '../../support/sandbox/identifiers';

const owner = findOrThrow(people, ({ credit }) => !!credit);
const employer = findOrThrow(employers, () => true);

describe('an answer with misleading details', () => {
  const padron = proxiedPadronForTests();
  afterEach(() => padron.proxy.reset());

  it('does not report NOT_FOUND for an empty list about another employer', async () => {
    const params = { registro_patronal: 'Y6012345101', periodo: '199901', anio: 1999, mes: 1 };
    padron.proxy.tamper(() => ({ json: { ok: true, params, meta: { count: 0, warnings: [] }, comprobantes: [] } }));
    const { data } = await padron.ask(
      `{ employer(registration: "${employer.registration}") { receipts(period: "2026-01") { outcome problems { code } } } }`,
    );
    expect(data.employer.receipts).toEqual({ outcome: 'NOT_FOUND', problems: [{ code: 'ANSWER_MISMATCH' }] });
  });

  it('reports a declined call as not charged, whatever its message says', async () => {
    padron.proxy.tamper(() => ({
      status: 402,
      headers: { 'content-type': 'text/html' },
      bytes: Buffer.from('<html>Pay</html>'),
    }));
    const { data } = await padron.ask(
      `{ person(nss: "${owner.nss}") { credit { outcome problems { code } evidence { status billing } } } }`,
    );
    expect(data.person.credit).toEqual({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'INSUFFICIENT_UNITS' }],
      evidence: { status: 402, billing: 'NOT_CHARGED' },
    });
  });

  it.each([
    ['a firewall', '<h1>Access denied</h1>', 'firewall'],
    ['the service', '{"success":false,"message":"No tiene el permiso.","status":403}', 'use_buscar_credito'],
  ])('names what a 403 of %s may mean', async (_who, text, named) => {
    padron.proxy.standIn(() => ({ status: 403, bytes: Buffer.from(text) }));
    const { data } = await padron.ask(
      `{ person(nss: "${owner.nss}") { credit { outcome problems { code message } } } }`,
    );
    const problems = [{ code: 'MISSING_PERMISSION', message: expect.stringContaining(named) }];
    expect(data.person.credit).toEqual({ outcome: 'NOT_PERMITTED', problems });
  });

  it('prices people separately if the same NSS comes with different CURPs', async () => {
    const [first, second] = people.filter(({ curp }) => curp !== owner.curp);
    const of = [first?.curp, second?.curp].map((curp) => ({ __typename: 'Person', nss: unusedNss, curp }));
    const query =
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { licences { outcome } } } }';
    const before = padron.spent();
    const priced = await padron.ask(query, { of }, { 'x-max-units': '4' });
    expect(priced.errors).toMatchObject([
      { extensions: { code: 'UNIT_BUDGET_EXCEEDED', estimate: { bounded: true } } },
    ]);
    expect(priced.errors?.[0].extensions.estimate.estimatedUnits).toBeGreaterThanOrEqual(5);
    expect(padron.spent()).toBe(before);
  });
});
