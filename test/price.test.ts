import { isObjectType } from 'graphql';
import { buildGraph } from '../src/graph/schema';
import { payer } from './support/employer-graph';
import { askPriced, callsBy, priceOf, type Request } from './support/money';
import { postForm } from './support/multipart';
import { type RunningPadron, runPadron } from './support/padron';
import { CREDIT } from './support/people-endpoints';
import { somebody } from './support/people-fields';
import { base64Input, credentialOf, signatureForm, TODAY, VERIFY, verifyMutation } from './support/signatures';

let padron: RunningPadron;
beforeAll(async () => {
  padron = await runPadron({ now: () => TODAY });
});
afterAll(() => padron.stop());
// A price is free whatever it is the price of.
afterEach(() => expect(padron.calls()).toEqual([]));

const dryRun = { 'x-dry-run': 'true' };
const { nss, curp } = somebody;
const name = { names: somebody.names, paternalSurname: somebody.paternalSurname };
const byNss = (fields: string): Request => ({ query: `{ person(nss: "${nss}") { ${fields} } }` });
const byCurp = (fields: string): Request => ({ query: `{ person(curp: "${curp}") { ${fields} } }` });
const byBoth = (fields: string): Request => ({ query: `{ person(nss: "${nss}", curp: "${curp}") { ${fields} } }` });
const ofPayer = (fields: string): Request => ({
  query: `{ employer(registration: "${payer.registration}") { ${fields} } }`,
});
const credits = (names: readonly string[]): string =>
  names.map((alias) => `${alias}: person(nss: "${nss}") { credit { outcome } }`).join(' ');

describe('x-dry-run', () => {
  it('answers the estimate alone, and runs nothing', async () => {
    const { status, data, errors, estimate, units, unitsSpent } = await askPriced(
      padron,
      byBoth('credit { outcome } professionalStatus { outcome }'),
      dryRun,
    );
    expect([status, data, errors, units, unitsSpent]).toEqual([200, null, undefined, undefined, '0']);
    expect(estimate).toEqual({
      dataset: null,
      rowCount: 1,
      endpoints: [
        {
          url: '/api/sep/grupo/descargar-constancia-profesional',
          route: 'downloadProfessionalStatus',
          calls: 1,
          unitsPerCall: 2,
          subtotal: 2,
        },
        { url: '/api/infonavit/grupo/buscar-credito', route: 'findCredit', calls: 1, unitsPerCall: 1, subtotal: 1 },
      ],
      estimatedUnits: 3,
      bounded: true,
      invalidRows: 0,
      currentBalance: null,
      sufficient: null,
    });
  });

  it('has the fields of UnitEstimate, all of them', async () => {
    const { schema } = buildGraph();
    const fieldsOf = (type: string): readonly string[] => {
      const object = schema.getType(type);
      return isObjectType(object) ? Object.keys(object.getFields()).sort() : [];
    };
    const estimate = await priceOf(padron, byNss('credit { outcome }'));
    expect(Object.keys(estimate).sort()).toEqual(fieldsOf('UnitEstimate'));
    expect(Object.keys(estimate.endpoints[0] ?? {}).sort()).toEqual(fieldsOf('UnitEstimateEndpoint'));
  });

  it('needs no token: nobody is asked', async () => {
    const estimate = await priceOf(padron, byNss('credit { outcome }'), { authorization: 'none' });
    expect(estimate.estimatedUnits).toBe(1);
  });

  it('costs nothing in sandbox mode, call by call', async () => {
    const estimate = await priceOf(padron, byBoth('credit { outcome } identity { outcome }'), { 'x-sandbox': 'true' });
    expect(estimate.estimatedUnits).toBe(0);
    expect(estimate.endpoints.map(({ calls, unitsPerCall, subtotal }) => [calls, unitsPerCall, subtotal])).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ]);
  });

  it('does not reckon, in sandbox mode, with endpoints that are not asked then', async () => {
    const estimate = await priceOf(padron, ofPayer('snapshots { outcome }'), { 'x-sandbox': 'true' });
    expect(estimate).toMatchObject({ endpoints: [], estimatedUnits: 0 });
  });

  it.each(['maybe', '', 'yes'])('refuses a header that it cannot read: %j', async (value) => {
    const { status, data, errors } = await askPriced(padron, byNss('credit { outcome }'), { 'x-dry-run': value });
    expect([status, data, errors?.[0]?.extensions.code]).toEqual([400, undefined, 'BAD_USER_INPUT']);
  });
});

describe('the price of a question', () => {
  it.each<[string, Request, Readonly<Record<string, number>>]>([
    ['one field', byNss('housingAccount { outcome }'), { findHousingAccount: 1 }],
    ['what is asked at the root', { query: '{ professionalLicence(number: "123") { outcome } }' }, { findLicence: 1 }],
    [
      'a profile by NSS: the fund tells CURP and name',
      byNss('credit { outcome } identity { outcome } licences { outcome }'),
      { findCredit: 1, findIdentity: 1, searchLicences: 1 },
    ],
    [
      'a CURP that only the fund knows',
      byNss('professionalStatus { outcome }'),
      { findCredit: 1, downloadProfessionalStatus: 1 },
    ],
    [
      'a name that only the population registry knows',
      byCurp('licences { outcome }'),
      { findIdentity: 1, searchLicences: 1 },
    ],
    [
      'licences by NSS and CURP: in the worst case both are asked for the name',
      byBoth('licences { outcome }'),
      { findCredit: 1, findIdentity: 1, searchLicences: 1 },
    ],
    ['identity by NSS and CURP: nothing is missing', byBoth('identity { outcome }'), { findIdentity: 1 }],
    [
      'licences by name',
      { query: 'query ($name: PersonNameInput) { person(name: $name) { licences { outcome } } }', variables: { name } },
      { searchLicences: 1 },
    ],
    [
      'an opinion without RFC',
      ofPayer('complianceOpinion { outcome }'),
      { issueOpinion: 1, resolveObligatedSubject: 1, listSnapshots: 1 },
    ],
    [
      'an opinion with RFC',
      ofPayer(`complianceOpinion(rfc: "${payer.rfc}") { outcome }`),
      { issueOpinion: 1, resolveObligatedSubject: 1 },
    ],
    [
      'an opinion beside what it needs',
      ofPayer('complianceOpinion { outcome } obligatedSubject { outcome } snapshots { outcome }'),
      { issueOpinion: 1, resolveObligatedSubject: 1, listSnapshots: 1 },
    ],
    ['months between', ofPayer('receiptsBetween(from: "2025-11", to: "2026-02") { outcome }'), { listReceipts: 4 }],
    ['36 months', ofPayer('receiptsBetween(from: "2023-01", to: "2025-12") { outcome }'), { listReceipts: 36 }],
    [
      'a month within the months',
      ofPayer('receipts(period: "2026-01") { outcome } receiptsBetween(from: "2025-11", to: "2026-02") { outcome }'),
      { listReceipts: 4 },
    ],
    [
      'the employer of a receipt is the one that was asked about',
      ofPayer(
        'snapshots { outcome } receipts(period: "2026-01") { records { employer { snapshots { outcome } obligatedSubject { outcome } } } }',
      ),
      { listReceipts: 1, listSnapshots: 1, resolveObligatedSubject: 1 },
    ],
    [
      'a receipt by its folio',
      ofPayer('receiptFiles(period: "2026-01", folio: "123456") { outcome }'),
      { downloadReceipt: 1 },
    ],
    [
      'files in both modes',
      ofPayer(
        'a: receiptFiles(period: "2026-01", folio: "1") { outcome } b: receiptFiles(period: "2026-01", folio: "1", inline: true) { outcome }',
      ),
      { downloadReceipt: 1 },
    ],
    ['nothing that is paid', { query: '{ registryEndpoints { units } __schema { queryType { name } } }' }, {}],
    ['entering without a question', byBoth('nss curp'), {}],
  ])('%s', async (_what, request, calls) => {
    const estimate = await priceOf(padron, request);
    expect(callsBy(estimate)).toEqual(calls);
    expect(estimate.bounded).toBe(true);
    expect(estimate.estimatedUnits).toBe(estimate.endpoints.reduce((sum, { subtotal }) => sum + subtotal, 0));
  });

  it.each<[string, Request, Readonly<Record<string, number>>]>([
    [
      'a month',
      ofPayer('receipts(period: "2026-01") { records { files { outcome } } }'),
      { listReceipts: 1, downloadReceipt: 10 },
    ],
    [
      'three months',
      ofPayer('receiptsBetween(from: "2026-01", to: "2026-03") { records { files { outcome } } }'),
      { listReceipts: 3, downloadReceipt: 30 },
    ],
    [
      'through the employer of a receipt',
      ofPayer(
        'receipts(period: "2026-01") { records { employer { receipts(period: "2026-02") { records { files { outcome } } } } } }',
      ),
      { listReceipts: 2, downloadReceipt: 10 },
    ],
  ])('files of receipts that nobody has listed, ten a month and not bounded: %s', async (_what, request, calls) => {
    const estimate = await priceOf(padron, request);
    expect(callsBy(estimate)).toEqual(calls);
    expect(estimate.bounded).toBe(false);
  });

  it('is bounded whatever a caller writes into an argument', async () => {
    const kind = 'entry:0';
    const estimate = await priceOf(
      padron,
      ofPayer(`complianceOpinion(rfc: "${payer.rfc}", kind: "${kind}") { outcome }`),
    );
    expect(estimate).toMatchObject({ estimatedUnits: 2, bounded: true });
  });
});

describe('how a question is written', () => {
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

  it('follows fragments: named, nested, inline and on the interface of all lookups', async () => {
    const query = `query ($nss: NSS) { person(nss: $nss) { ...Profile ... on Person { credit { ...Answer } } } }
      fragment Profile on Person { ...Housing housingAccount { ...Answer } }
      fragment Housing on Person { credit { outcome } }
      fragment Answer on RegistryLookup { outcome evidence { units } ... on HousingCreditLookup { record { names } } }`;
    const estimate = await priceOf(padron, { query, variables: { nss } });
    expect(callsBy(estimate)).toEqual({ findCredit: 1, findHousingAccount: 1 });
  });

  it('counts the same question once, under whatever aliases', async () => {
    const spelled = `${nss.slice(0, 4)}-${nss.slice(4)}`;
    const query = `{ ${credits(['a', 'b'])} c: person(nss: "${spelled}") { x: credit { outcome } y: credit { problems { code } } } }`;
    expect(callsBy(await priceOf(padron, { query }))).toEqual({ findCredit: 1 });
  });

  it('counts other arguments under aliases as other questions', async () => {
    const { query } = ofPayer(
      'a: receipts(period: "2026-01") { outcome } b: receipts(period: "2026-02") { outcome } c: complianceOpinion(kind: "1") { outcome } d: complianceOpinion(kind: "2") { outcome }',
    );
    expect(callsBy(await priceOf(padron, { query }))).toMatchObject({
      listReceipts: 2,
      issueOpinion: 2,
      listSnapshots: 1,
    });
  });

  it('follows the representations of a gateway, each entity once', async () => {
    const query = `query ($r: [_Any!]!) { _entities(representations: $r) {
      ... on Person { credit { outcome } } ... on Employer { snapshots { outcome } } } }`;
    const r = [
      { __typename: 'Person', nss },
      { __typename: 'Person', nss },
      { __typename: 'Person', nss: '84966311213' },
      { __typename: 'Person', nss: 'nonsense' },
      { __typename: 'Employer', registration: payer.registration },
    ];
    expect(callsBy(await priceOf(padron, { query, variables: { r } }))).toEqual({ findCredit: 2, listSnapshots: 1 });
  });

  it('reckons with the operation that is chosen', async () => {
    const query = `query One { ${credits(['a'])} } query None { registryEndpoints { units } }`;
    expect((await priceOf(padron, { query, operationName: 'One' })).estimatedUnits).toBe(1);
    expect((await priceOf(padron, { query, operationName: 'None' })).estimatedUnits).toBe(0);
  });

  it('prices nothing that would be refused here', async () => {
    const query = `{ a: person(nss: "12345678901") { credit { outcome } identity { outcome } } b: person(curp: "X") { identity { outcome } }
      employer(registration: "Y6077636106") { snapshots { outcome } receiptsBetween(from: "2026-01", to: "2026-02") { outcome } }
      c: employer(registration: "${payer.registration}") { receiptsBetween(from: "2026-02", to: "2026-01") { outcome } complianceOpinion(rfc: "X") { outcome } }
      person { credit { outcome } } }`;
    expect(await priceOf(padron, { query })).toMatchObject({ endpoints: [], estimatedUnits: 0, invalidRows: 1 });
  });

  it('prices nothing when a variable is missing or of the wrong kind', async () => {
    const query = 'query ($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
    for (const variables of [{}, { nss: 5 }]) {
      expect(await priceOf(padron, { query, variables })).toMatchObject({ estimatedUnits: 0, invalidRows: 1 });
    }
  });
});

describe('a signature', () => {
  const person = credentialOf('person');
  const twice = `mutation ($input: SignatureInput!) { a: verifySignature(input: $input) { outcome } b: verifySignature(input: $input) { outcome } }`;

  it('costs a unit each time: it is never shared', async () => {
    const variables = { input: base64Input(person) };
    expect((await priceOf(padron, { query: verifyMutation, variables })).estimatedUnits).toBe(1);
    expect((await priceOf(padron, { query: twice, variables })).estimatedUnits).toBe(2);
  });

  it('costs nothing when the RFC is wrong', async () => {
    const variables = { input: { ...base64Input(person), rfc: 'NONSENSE' } };
    expect(await priceOf(padron, { query: verifyMutation, variables })).toMatchObject({
      estimatedUnits: 0,
      invalidRows: 1,
    });
  });

  it('can be priced by upload', async () => {
    const { status, data, headers } = await postForm(padron.url, signatureForm(person), dryRun);
    expect([status, data, headers['x-units-spent']]).toEqual([200, null, '0']);
  });

  it.each([
    ['by base64', () => padron.ask(verifyMutation, { input: base64Input(person) }, { 'x-max-units': '1' })],
    ['by upload', () => postForm(padron.url, signatureForm(person), { 'x-max-units': '1' })],
  ])('is verified after its price was told: %s', async (_way, send) => {
    const { data, errors, headers } = await send();
    expect(errors).toBeUndefined();
    expect(data.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true });
    expect(headers['x-units-spent']).toBe('1');
    expect(padron.calls()).toEqual([VERIFY]);
  });

  it('tells its units like any other question', async () => {
    const { units } = await askPriced(padron, { query: verifyMutation, variables: { input: base64Input(person) } });
    expect(units).toMatchObject({ spent: 1, calls: [{ endpoint: VERIFY, outcome: 'FOUND', units: 1 }] });
    expect(padron.calls()).toEqual([VERIFY]);
  });
});

describe('beside the balance', () => {
  it('tells whether the account can pay, by one free call', async () => {
    const poor = await runPadron({ environment: { BALANCE_PATH: '/api/balance' } });
    const authorization = 'Bearer sandbox-token-with-three-units';
    const three = await priceOf(poor, byBoth('credit { outcome } professionalStatus { outcome }'), { authorization });
    const four = await priceOf(poor, byBoth('credit { outcome } identity { outcome } professionalStatus { outcome }'), {
      authorization,
    });
    const calls = poor.calls();
    const unknown = await priceOf(poor, byNss('credit { outcome }'), { authorization: 'Bearer nobody' });
    await poor.stop();
    expect(
      [three, four].map(({ currentBalance, estimatedUnits, sufficient }) => [
        currentBalance,
        estimatedUnits,
        sufficient,
      ]),
    ).toEqual([
      ['3', 3, true],
      ['3', 4, false],
    ]);
    expect(calls).toEqual(['GET /api/balance', 'GET /api/balance']);
    expect(unknown).toMatchObject({ estimatedUnits: 1, currentBalance: null, sufficient: null });
  });
});

describe('x-max-units', () => {
  it.each(['-1', '1.5', 'many', '', '1e3', '1, 2', '99999999999'])(
    'refuses what it cannot read: %j',
    async (budget) => {
      const { status, data, errors } = await askPriced(padron, byNss('credit { outcome }'), { 'x-max-units': budget });
      expect([status, data, errors?.[0]?.extensions.code]).toEqual([400, undefined, 'BAD_USER_INPUT']);
      expect(errors?.[0]?.message).toContain('x-max-units');
    },
  );

  it('accepts blanks around the number', async () => {
    const { data } = await askPriced(padron, byNss('credit { outcome }'), { 'x-max-units': ' 1 ' });
    expect(data.person.credit.outcome).toBe('FOUND');
    expect(padron.calls()).toEqual([CREDIT]);
  });
});
