import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { bearer, type Claims, JWT_SECRET } from '../../support/keys/identity-provider';
import { payer } from '../../support/operations/employer-graph';
import { ACCOUNT, CREDIT } from '../../support/operations/people-endpoints';
import type { RunningPadron } from '../../support/padrons/padron';
import { padronForEachTest, padronForTests } from '../../support/padrons/padron-for-tests';
import { withPadron } from '../../support/padrons/with-padron';

const person = findOrThrow(
  people,
  ({ credit, account, licences }) => Boolean(credit && account) && licences.length > 0,
);
const ofPerson = (field: string) => `{ person(nss: "${person.nss}") { ${field} } }`;
const lookupFields = 'outcome problems { code message } evidence { servedFrom units billing status }';

const environment = { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET };

const askerOf =
  (padron: RunningPadron) =>
  (claims: Claims, query: string, headers: Readonly<Record<string, string>> = {}) =>
    padron.ask(query, {}, { ...bearer(claims), ...headers });

const forbidden = (permission: string) => ({
  outcome: 'NOT_PERMITTED',
  problems: [{ code: 'MISSING_PERMISSION', message: `The caller lacks the permission \`${permission}\`.` }],
  evidence: { servedFrom: 'NOT_SENT', units: 0, billing: 'NOT_CHARGED', status: null },
});

describe('the permissions of a caller that uses REGISTRY_TOKEN', () => {
  const padron = padronForTests({ environment });
  const askAs = askerOf(padron);

  it.each<[string, Claims]>([
    ['scope, separated by blanks', { scope: 'openid use_buscar_credito' }],
    ['scope, in a list', { scope: ['use_buscar_credito'] }],
    ['scopes', { scopes: ['openid', 'use_buscar_credito'] }],
    ['scp', { scp: ['use_buscar_credito'] }],
    ['scp, separated by blanks', { scp: 'openid  use_buscar_credito' }],
    ['permissions', { permissions: ['use_buscar_credito'] }],
    ['one of several claims', { scope: 'openid', permissions: [7, null, 'use_buscar_credito'] }],
  ])('come from the claim «%s»', async (_, claims) => {
    const { data, errors } = await askAs(
      claims,
      ofPerson(`credit { ${lookupFields} } housingAccount { ${lookupFields} }`),
    );
    expect(errors).toBeUndefined();
    expect(data.person.credit).toMatchObject({ outcome: 'FOUND', evidence: { units: 1 } });
    expect(data.person.housingAccount).toEqual(forbidden('use_obtener_cuenta'));
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it.each<[string, Claims]>([
    ['nothing', {}],
    ['an empty claim', { scope: '' }],
    ['a part of the name', { scope: 'use_buscar' }],
    ['the name in other letters', { scope: 'USE_BUSCAR_CREDITO' }],
    ['names run together', { scope: 'use_buscar_credito,use_obtener_cuenta' }],
    ['everything', { scope: '*' }],
    ['an object', { permissions: { use_buscar_credito: true } }],
    ['another claim', { roles: ['use_buscar_credito'] }],
  ])('are empty if the JWT has %s', async (_, claims) => {
    const { data } = await askAs(claims, ofPerson(`credit { ${lookupFields} }`));
    expect(data.person.credit).toEqual(forbidden('use_buscar_credito'));
    expect(padron.calls()).toEqual([]);
  });

  it('apply to lookups of missing identifiers: no licence search by a name that the caller may not look up', async () => {
    const { data, errors } = await askAs(
      { scope: 'use_buscar_cedula' },
      ofPerson('licences { outcome problems { code message } }'),
    );
    expect(errors).toBeUndefined();
    expect(data.person.licences).toEqual({
      outcome: 'NOT_RUN',
      problems: expect.arrayContaining([
        expect.objectContaining({ code: 'MISSING_PERMISSION', message: expect.stringContaining('use_buscar_credito') }),
        expect.objectContaining({ code: 'MISSING_IDENTIFIER' }),
      ]),
    });
    expect(padron.calls()).toEqual([]);
  });

  it('apply to the last call too, even if the calls before it were allowed', async () => {
    const { data } = await askAs({ scope: 'use_buscar_credito' }, ofPerson(`licences { ${lookupFields} }`));
    expect(data.person.licences).toEqual(forbidden('use_buscar_cedula'));
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it('apply to signatures: files of a caller without the permission are not sent', async () => {
    const file = '{ base64: "eA==" }';
    const input = `{ rfc: "EKU9003173C9", password: "x", certificate: ${file}, privateKey: ${file} }`;
    const { data } = await askAs({}, `mutation { verifySignature(input: ${input}) { outcome } }`);
    expect(data.verifySignature.outcome).not.toBe('FOUND');
    expect(padron.calls()).toEqual([]);
  });

  const everything = `{
    person(nss: "${person.nss}", curp: "${person.curp}") {
      identity { outcome } credit { outcome } housingAccount { outcome } licences { outcome } professionalStatus { outcome }
    }
    employer(registration: "${payer.registration}") {
      obligatedSubject { outcome } snapshots { outcome } complianceOpinion(rfc: "${payer.rfc}") { outcome }
      receipts(period: "2026-01") { outcome } receiptsBetween(from: "2026-01", to: "2026-02") { outcome }
      receiptFiles(period: "2026-01", folio: "123") { outcome }
    }
    professionalLicence(number: "1234567") { outcome }
    studyCertificate(folio: "abc") { outcome }
  }`;

  it.each<[string, Claims]>([
    ['none', {}],
    ['one of nothing here', { scope: 'openid profile' }],
  ])('are empty with scopes such as: %s', async (_, claims) => {
    const { data, errors } = await askAs(claims, everything);
    expect(errors).toBeUndefined();
    const outcomes = JSON.stringify(data).match(/[A-Z_]{5,}/g) ?? [];
    expect(outcomes).toHaveLength(14);
    // What is found on the way to a question is not asked either, so that the question cannot be put.
    expect(new Set(outcomes)).toEqual(new Set(['NOT_PERMITTED', 'NOT_RUN']));
    expect(padron.calls()).toEqual([]);
  });

  it.each([
    ['person', 'identity', 'padron_find_identity'],
    ['employer', 'obligatedSubject', 'padron_resolve_obligated_subject'],
    ['employer', 'snapshots', 'padron_list_snapshots'],
    ['employer', 'receipts(period: "2026-01")', 'padron_list_receipts'],
    ['employer', 'receiptFiles(period: "2026-01", folio: "123")', 'padron_download_receipt'],
    ['employer', 'complianceOpinion(rfc: "EKU9003173C9")', 'padron_issue_opinion'],
  ])(
    'include a scope of padron for endpoints without a permission of the service: %s.%s',
    async (parent, field, scope) => {
      const entry =
        parent === 'person' ? `person(curp: "${person.curp}")` : `employer(registration: "${payer.registration}")`;
      const query = `{ of: ${entry} { lookup: ${field} { ${lookupFields} } } }`;
      const prerequisite = 'padron_resolve_obligated_subject';
      const without = await askAs({ scope: `${scope}s ${scope === prerequisite ? '' : prerequisite}` }, query);
      expect(without.data.of.lookup).toEqual(forbidden(scope));
      const { data } = await askAs({ scope: `${scope} ${prerequisite}` }, query);
      expect(data.of.lookup.outcome).not.toBe('NOT_PERMITTED');
      expect(data.of.lookup.evidence.servedFrom).toBe('LIVE');
    },
  );

  it('do not apply to callers with a token of the service, which the service checks', async () => {
    await withPadron({}, async (own) => {
      const { data } = await own.ask(`{ employer(registration: "${payer.registration}") { snapshots { outcome } } }`);
      expect(data.employer.snapshots.outcome).toBe('FOUND');
    });
  });

  it("do not include the account's balance without a scope", async () => {
    const withBalance = { ...environment, BALANCE_PATH: '/api/balance' };
    await withPadron({ environment: withBalance, sandbox: { balancePath: '/api/balance' } }, async (own) => {
      const query = '{ unitEstimate(input: { operation: "{ __typename }" }) { estimatedUnits currentBalance } }';
      const balanceAs = async (scope: string) =>
        (await askerOf(own)({ scope }, query)).data.unitEstimate.currentBalance;
      expect(await balanceAs('use_buscar_credito')).toBeNull();
      expect(await balanceAs('padron_read_balance')).toMatch(/^\d+$/);
    });
  });
});

describe('a recent answer that REGISTRY_TOKEN paid for', () => {
  const padron = padronForEachTest({ environment: { ...environment, REPLAY_SECONDS: '30' } });
  const askAs = askerOf(padron);
  const permitted = { scope: 'use_buscar_credito' };

  it('is reused for another caller with the permission', async () => {
    await askAs({ ...permitted, sub: 'one' }, ofPerson(`credit { ${lookupFields} }`));
    const { data } = await askAs({ ...permitted, sub: 'two' }, ofPerson(`credit { ${lookupFields} }`));
    expect(data.person.credit).toMatchObject({ outcome: 'FOUND', evidence: { servedFrom: 'REPLAY', units: 0 } });
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it('is never returned to a caller without the permission', async () => {
    await askAs(permitted, ofPerson(`credit { ${lookupFields} }`));
    const { data } = await askAs(
      { scope: 'use_obtener_cuenta' },
      ofPerson(`credit { ${lookupFields} } housingAccount { outcome }`),
    );
    expect(data.person.credit).toEqual(forbidden('use_buscar_credito'));
    expect(data.person.housingAccount.outcome).toBe('FOUND');
    expect(padron.calls()).toEqual([CREDIT, ACCOUNT]);
  });

  it('is not shared either while its call is running', async () => {
    const query = ofPerson(`credit { ${lookupFields} }`);
    const [first, second] = await Promise.all([askAs(permitted, query), askAs({}, query)]);
    expect(first.data.person.credit.outcome).toBe('FOUND');
    expect(second.data.person.credit).toEqual(forbidden('use_buscar_credito'));
  });

  it('is not used to find an identifier for a caller without the permission', async () => {
    await askAs(permitted, ofPerson(`credit { ${lookupFields} }`));
    const { data } = await askAs({ scope: 'use_buscar_cedula' }, ofPerson('licences { outcome }'));
    expect(data.person.licences.outcome).toBe('NOT_RUN');
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it('follows the same rules for entities of a router', async () => {
    const entities = `{ _entities(representations: [{ __typename: "Person", nss: "${person.nss}" }]) { ... on Person { credit { ${lookupFields} } } } }`;
    await askAs(permitted, entities);
    const { data } = await askAs({}, entities);
    expect(data._entities[0].credit).toEqual(forbidden('use_buscar_credito'));
  });
});
