import { isObjectType } from 'graphql';
import { THREE_UNITS_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { base64Input, credentialOf, signatureForm, TODAY, verifyMutation } from '../../../support/keys/signatures';
import { payer } from '../../../support/operations/employer-graph';
import { CREDIT } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { buildGraph } from '../../../support/padrons/whole-padron';
import { withPadron } from '../../../support/padrons/with-padron';
import { askPriced, callsBy, nothingSpent, priceOf, type Request } from '../../../support/requests/money';
import { postForm } from '../../../support/requests/multipart';
import { unusedNss } from '../../../support/sandbox/identifiers';

const padron = padronForTests({ now: () => TODAY });
// A price is free whatever it is the price of.
afterEach(() => expect(padron.calls()).toEqual([]));

const dryRun = { 'x-dry-run': 'true' };
const { nss, curp, names, paternalSurname } = somebody;
/** Selects the outcome of each field. */
const outcomes = (fields: readonly string[]): string => fields.map((field) => `${field} { outcome }`).join(' ');
const ofPerson = (by: string, fields: readonly string[]): Request => ({
  query: `{ person(${by}) { ${outcomes(fields)} } }`,
});
const byNss = (...fields: readonly string[]) => ofPerson(`nss: "${nss}"`, fields);
const byCurp = (...fields: readonly string[]) => ofPerson(`curp: "${curp}"`, fields);
const byBoth = (...fields: readonly string[]) => ofPerson(`nss: "${nss}", curp: "${curp}"`, fields);
const ofPayer = (selection: string): Request => ({
  query: `{ employer(registration: "${payer.registration}") { ${selection} } }`,
});
const asksOfPayer = (...fields: readonly string[]) => ofPayer(outcomes(fields));

describe('x-dry-run', () => {
  it('returns the estimate alone and runs nothing', async () => {
    const asked = await askPriced(padron, byBoth('credit', 'professionalStatus'), dryRun);
    const { status, data, errors, estimate, units, unitsSpent } = asked;
    expect([status, data, errors, units, unitsSpent]).toEqual([200, null, undefined, nothingSpent, '0']);
    const sep = '/api/sep/grupo/descargar-constancia-profesional';
    const degree = { url: sep, route: 'downloadProfessionalStatus', fields: ['person.professionalStatus'] };
    const credit = { url: '/api/infonavit/grupo/buscar-credito', route: 'findCredit', fields: ['person.credit'] };
    expect(estimate).toEqual({
      endpoints: [
        { ...degree, calls: 1, unitsPerCall: 2, subtotal: 2 },
        { ...credit, calls: 1, unitsPerCall: 1, subtotal: 1 },
      ],
      ...{
        dataset: null,
        rowCount: 1,
        estimatedUnits: 3,
        atMost: 3,
        unitsWithPermission: null,
        amount: null,
        bounded: true,
      },
      ...{ invalidRows: 0, problems: [], currentBalance: null, sufficient: null },
    });
  });

  it('has the fields of UnitEstimate, all of them', async () => {
    const { schema } = buildGraph();
    const fieldsOf = (name: string): readonly string[] => {
      const type = schema.getType(name);
      return isObjectType(type) ? Object.keys(type.getFields()).sort() : [];
    };
    const estimate = await priceOf(padron, byNss('credit'));
    expect(Object.keys(estimate).sort()).toEqual(fieldsOf('UnitEstimate'));
    expect(Object.keys(estimate.endpoints[0] ?? {}).sort()).toEqual(fieldsOf('UnitEstimateEndpoint'));
  });

  const entity = `_entities(representations: [{ __typename: "Person", nss: "${nss}" }])`;
  it.each<[string, Readonly<Record<string, string>>, Request]>([
    ['is a part of an operation', { 'x-operation-id': 'op-1' }, byNss('credit')],
    ['asks for entities', {}, { query: `{ ${entity} { ... on Person { credit { outcome } } } }` }],
  ])('is also an error if the request %s, because routers drop extensions', async (_what, headers, request) => {
    const { status, data, errors, estimate } = await askPriced(padron, request, { ...dryRun, ...headers });
    expect([status, data, estimate?.estimatedUnits]).toEqual([200, null, 1]);
    expect(errors).toMatchObject([{ extensions: { code: 'DRY_RUN' } }]);
  });

  it.each([dryRun, { ...dryRun, 'x-max-units': '1' }, { 'x-max-units': '0' }])(
    'rejects a variable that the operation would reject, instead of a price of zero: %o',
    async (headers) => {
      const query = 'query($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
      const { status, errors, estimate } = await askPriced(padron, { query, variables: { nss: 4159600263 } }, headers);
      expect([status, estimate]).toEqual([400, undefined]);
      const message = 'Variable "$nss": expected NSS!, got a number. NSS must be a string of digits.';
      expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    },
  );

  it('returns an error, not a price of zero, if the limit of a batch is unknown', async () => {
    const query = 'mutation { resumeRegistryBatch(id: "a") { problems { code } } }';
    const { status, estimate, errors } = await askPriced(padron, { query }, dryRun);
    expect([status, estimate]).toEqual([400, undefined]);
    const message = 'The price is unknown: resumeRegistryBatch spends up to the limit of its batch. Give `maxUnits`.';
    expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  it('includes the limit of a batch, which is not in the budget of the request that starts it', async () => {
    const query = 'mutation { startRegistryBatch(id: "a", maxUnits: 1000) { problems { code } } }';
    expect(await priceOf(padron, { query })).toMatchObject({ estimatedUnits: 1_000, atMost: 1_000, bounded: true });
    const { errors } = await askPriced(padron, { query }, { 'x-max-units': '1' });
    // It ran: this padron has no batches.
    expect(errors).toMatchObject([{ extensions: { code: 'BATCHES_OFF' } }]);
  });

  it('needs no token, because no call is made', async () => {
    expect((await priceOf(padron, byNss('credit'), { authorization: 'none' })).estimatedUnits).toBe(1);
  });

  it('has a price of 0 for each call in sandbox mode, and leaves out endpoints that are not called', async () => {
    const sandbox = { 'x-sandbox': 'true' };
    const { estimatedUnits, endpoints } = await priceOf(padron, byBoth('credit', 'identity'), sandbox);
    const free = { calls: 1, unitsPerCall: 0, subtotal: 0 };
    expect({ estimatedUnits, endpoints }).toMatchObject({ estimatedUnits: 0, endpoints: [free, free] });
    const outside = await priceOf(padron, asksOfPayer('snapshots'), sandbox);
    expect(outside).toMatchObject({ endpoints: [], estimatedUnits: 0 });
  });

  it.each(['maybe', '', 'yes'])('rejects a header that it cannot read: %j', async (value) => {
    const { status, data, errors } = await askPriced(padron, byNss('credit'), { 'x-dry-run': value });
    expect([status, data, errors?.[0]?.extensions.code]).toEqual([400, undefined, 'BAD_USER_INPUT']);
  });

  it('counts an answer that padron would replay as free with `now`, and in full without', () =>
    withPadron({ environment: { REPLAY_SECONDS: '60' } }, async (beside) => {
      const operation = byNss('credit', 'housingAccount');
      const price = async (value: string) =>
        (await priceOf(beside, operation, { 'x-dry-run': value })).endpoints.map(({ route }) => route);
      expect(await price('now')).toEqual(['findCredit', 'findHousingAccount']);
      await askPriced(beside, byNss('credit'));
      expect([await price('now'), await price(' NOW '), await price('true')]).toEqual([
        ['findHousingAccount'],
        ['findHousingAccount'],
        ['findCredit', 'findHousingAccount'],
      ]);
      await askPriced(beside, operation);
      expect(await priceOf(beside, operation, { 'x-dry-run': 'now' })).toMatchObject({ estimatedUnits: 0, atMost: 0 });
      expect(beside.calls()).toHaveLength(2);
    }));

  it('reports whether the account can pay, with one free call, if the operator names the path of the balance', () =>
    withPadron({ environment: { BALANCE_PATH: '/api/balance' } }, async (beside) => {
      const authorization = `Bearer ${THREE_UNITS_TOKEN}`;
      const three = await priceOf(beside, byBoth('credit', 'professionalStatus'), { authorization });
      const four = await priceOf(beside, byBoth('credit', 'identity', 'professionalStatus'), { authorization });
      expect(three).toMatchObject({ currentBalance: '3', estimatedUnits: 3, sufficient: true });
      expect(four).toMatchObject({ currentBalance: '3', estimatedUnits: 4, sufficient: false });
      expect(beside.calls()).toEqual(['GET /api/balance', 'GET /api/balance']);
      const unknown = await priceOf(beside, byNss('credit'), { authorization: 'Bearer nobody' });
      expect(unknown).toMatchObject({ estimatedUnits: 1, currentBalance: null, sufficient: null });
    }));
});

describe('x-max-units', () => {
  it.each(['-1', '1.5', 'many', '', '1e3', '1, 2', '99999999999'])(
    'rejects a value that it cannot read: %j',
    async (budget) => {
      const { status, data, errors } = await askPriced(padron, byNss('credit'), { 'x-max-units': budget });
      expect([status, data, errors?.[0]?.extensions.code]).toEqual([400, undefined, 'BAD_USER_INPUT']);
      expect(errors?.[0]?.message).toContain('x-max-units');
    },
  );

  it('accepts blanks around the number', async () => {
    const { data } = await askPriced(padron, byNss('credit'), { 'x-max-units': ' 1 ' });
    expect(data.person.credit.outcome).toBe('FOUND');
    expect(padron.calls()).toEqual([CREDIT]);
  });
});

describe('the price of a question', () => {
  const byName = `name: { names: "${names}", paternalSurname: "${paternalSurname}" }`;
  const months = 'receiptsBetween(from: "2025-11", to: "2026-02")';
  const [byLink, inline] = ['', ', inline: true'].map((mode) => `receiptFiles(period: "2026-01", folio: "1"${mode})`);
  const ofReceipt = 'records { employer { snapshots { outcome } obligatedSubject { outcome } } }';
  const opinion = { issueOpinion: 1, resolveObligatedSubject: 1 };

  it.each<[string, Request, Readonly<Record<string, number>>]>([
    ['one field', byNss('housingAccount'), { findHousingAccount: 1 }],
    ['fields at the root', { query: '{ professionalLicence(number: "123") { outcome } }' }, { findLicence: 1 }],
    [
      'a profile by NSS: the fund provides CURP and name',
      byNss('credit', 'identity', 'licences'),
      { findCredit: 1, findIdentity: 1, searchLicences: 1 },
    ],
    ['a CURP that only the fund knows', byNss('professionalStatus'), { findCredit: 1, downloadProfessionalStatus: 1 }],
    ['a name that only the population registry knows', byCurp('licences'), { findIdentity: 1, searchLicences: 1 }],
    [
      'licences by NSS and CURP: in the worst case both registries are called for the name',
      byBoth('licences'),
      { findCredit: 1, findIdentity: 1, searchLicences: 1 },
    ],
    ['identity by NSS and CURP: nothing is missing', byBoth('identity'), { findIdentity: 1 }],
    ['licences by name', ofPerson(byName, ['licences']), { searchLicences: 1 }],
    ['an opinion without RFC', asksOfPayer('complianceOpinion'), { ...opinion, listSnapshots: 1 }],
    ['an opinion with RFC', asksOfPayer(`complianceOpinion(rfc: "${payer.rfc}", kind: "entry:0")`), opinion],
    [
      'an opinion with its prerequisites',
      asksOfPayer('complianceOpinion', 'obligatedSubject', 'snapshots'),
      { ...opinion, listSnapshots: 1 },
    ],
    ['36 months', asksOfPayer('receiptsBetween(from: "2023-01", to: "2025-12")'), { listReceipts: 36 }],
    ['a month within the months', asksOfPayer('receipts(period: "2026-01")', months), { listReceipts: 4 }],
    [
      'the employer of a receipt is the employer of the query',
      ofPayer(`snapshots { outcome } receipts(period: "2026-01") { ${ofReceipt} }`),
      { listReceipts: 1, listSnapshots: 1, resolveObligatedSubject: 1 },
    ],
    ['files in both modes', asksOfPayer(`a: ${byLink}`, `b: ${inline}`), { downloadReceipt: 1 }],
    ['nothing that is paid', { query: '{ registryEndpoints { units } __schema { queryType { name } } }' }, {}],
    ['entering without a question', { query: `{ person(nss: "${nss}", curp: "${curp}") { nss curp } }` }, {}],
  ])('%s', async (_what, request, calls) => {
    const estimate = await priceOf(padron, request);
    expect(callsBy(estimate)).toEqual(calls);
    expect(estimate.bounded).toBe(true);
    expect(estimate.estimatedUnits).toBe(estimate.endpoints.reduce((sum, { subtotal }) => sum + subtotal, 0));
  });

  const files = 'records { files { outcome } }';
  it.each<[string, string, Readonly<Record<string, number>>]>([
    ['a month', `receipts(period: "2026-01") { ${files} }`, { listReceipts: 1, downloadReceipt: 2 }],
    ['four months', `${months} { ${files} }`, { listReceipts: 4, downloadReceipt: 8 }],
    [
      'through the employer of a receipt',
      `receipts(period: "2026-01") { records { employer { receipts(period: "2026-02") { ${files} } } } }`,
      { listReceipts: 2, downloadReceipt: 2 },
    ],
  ])('files of receipts that were not listed, two a month and not bounded: %s', async (_what, selection, calls) => {
    const estimate = await priceOf(padron, ofPayer(selection));
    expect(callsBy(estimate)).toEqual(calls);
    expect(estimate.bounded).toBe(false);
  });
});

describe('the price of an operation', () => {
  const conditional = `query ($nss: NSS, $credit: Boolean!, $skip: Boolean!) { person(nss: $nss) {
    credit @include(if: $credit) { outcome } housingAccount @skip(if: $skip) { outcome }
    ... @include(if: $credit) { identity { outcome } } } }`;

  it.each([
    [true, false, 3],
    [true, true, 2],
    [false, false, 1],
    [false, true, 0],
  ])('follows @include(if: %s) and @skip(if: %s)', async (credit, skip, units) => {
    const estimate = await priceOf(padron, { query: conditional, variables: { nss, credit, skip } });
    expect(estimate.estimatedUnits).toBe(units);
  });

  it('includes fragments: named, nested, inline and on the interface of all lookups', async () => {
    const query = `{ person(nss: "${nss}") { ...Profile ... on Person { credit { ...Answer } } } }
      fragment Profile on Person { ...Housing housingAccount { ...Answer } }
      fragment Housing on Person { credit { outcome } }
      fragment Answer on RegistryLookup { outcome evidence { units } ... on HousingCreditLookup { record { names } } }`;
    expect(callsBy(await priceOf(padron, { query }))).toEqual({ findCredit: 1, findHousingAccount: 1 });
  });

  it('counts different arguments under aliases as different questions', async () => {
    const opinions = ['c: complianceOpinion(kind: "1")', 'd: complianceOpinion(kind: "2")'];
    const request = asksOfPayer('a: receipts(period: "2026-01")', 'b: receipts(period: "2026-02")', ...opinions);
    expect(callsBy(await priceOf(padron, request))).toMatchObject({
      listReceipts: 2,
      issueOpinion: 2,
      listSnapshots: 1,
    });
  });

  it('counts each entity of a gateway once', async () => {
    const query = `query ($r: [_Any!]!) { _entities(representations: $r) {
      ... on Person { credit { outcome } } ... on Employer { snapshots { outcome } } } }`;
    const people = [nss, nss, unusedNss, 'nonsense'].map((nss) => ({ __typename: 'Person', nss }));
    const r = [...people, { __typename: 'Employer', registration: payer.registration }];
    expect(callsBy(await priceOf(padron, { query, variables: { r } }))).toEqual({ findCredit: 2, listSnapshots: 1 });
  });

  it('is that of the selected operation', async () => {
    const query = `query One ${byNss('credit').query} query None { registryEndpoints { units } }`;
    expect((await priceOf(padron, { query, operationName: 'One' })).estimatedUnits).toBe(1);
    expect((await priceOf(padron, { query, operationName: 'None' })).estimatedUnits).toBe(0);
  });

  it('is nothing for input that would be rejected without a call', async () => {
    const reversed = 'receiptsBetween(from: "2026-02", to: "2026-01")';
    const query = `{ a: person(nss: "12345678901") { ${outcomes(['credit', 'identity'])} }
      b: person(curp: "X") { identity { outcome } } person { credit { outcome } }
      employer(registration: "Y6077636106") { ${outcomes(['snapshots', 'receipts(period: "2026-01")'])} }
      c: ${asksOfPayer(reversed, 'complianceOpinion(rfc: "X")').query.slice(1, -1)} }`;
    expect(await priceOf(padron, { query })).toMatchObject({ endpoints: [], estimatedUnits: 0, invalidRows: 1 });
  });

  it('has one unit for each verification of a signature, which is never shared, also by upload', async () => {
    const person = credentialOf('person');
    const variables = { input: base64Input(person) };
    const verify = 'verifySignature(input: $input) { outcome }';
    const twice = `mutation ($input: SignatureInput!) { a: ${verify} b: ${verify} }`;
    expect((await priceOf(padron, { query: verifyMutation, variables })).estimatedUnits).toBe(1);
    expect((await priceOf(padron, { query: twice, variables })).estimatedUnits).toBe(2);
    const { status, data, headers } = await postForm(padron.url, signatureForm(person), dryRun);
    expect([status, data, headers['x-units-spent']]).toEqual([200, null, '0']);
  });
});
