import { base64Input, credentialOf, signatureForm, TODAY, verifyMutation } from '../../../support/keys/signatures';
import { payer } from '../../../support/operations/employer-graph';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { callsBy, priceOf, type Request } from '../../../support/requests/money';
import { postForm } from '../../../support/requests/multipart';
import { unusedNss } from '../../../support/sandbox/identifiers';

describe('the questions of a dry run', () => {
  const padron = padronForTests();
  // A price is free whatever it is the price of.
  afterEach(() => expect(padron.calls()).toEqual([]));

  const { nss, curp } = somebody;
  const name = { names: somebody.names, paternalSurname: somebody.paternalSurname };
  const byNss = (fields: string): Request => ({ query: `{ person(nss: "${nss}") { ${fields} } }` });
  const byCurp = (fields: string): Request => ({ query: `{ person(curp: "${curp}") { ${fields} } }` });
  const byBoth = (fields: string): Request => ({ query: `{ person(nss: "${nss}", curp: "${curp}") { ${fields} } }` });
  const ofPayer = (fields: string): Request => ({
    query: `{ employer(registration: "${payer.registration}") { ${fields} } }`,
  });

  describe('the price of a question', () => {
    it.each<[string, Request, Readonly<Record<string, number>>]>([
      ['one field', byNss('housingAccount { outcome }'), { findHousingAccount: 1 }],
      ['fields at the root', { query: '{ professionalLicence(number: "123") { outcome } }' }, { findLicence: 1 }],
      [
        'a profile by NSS: the fund provides CURP and name',
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
        'licences by NSS and CURP: in the worst case both registries are called for the name',
        byBoth('licences { outcome }'),
        { findCredit: 1, findIdentity: 1, searchLicences: 1 },
      ],
      ['identity by NSS and CURP: nothing is missing', byBoth('identity { outcome }'), { findIdentity: 1 }],
      [
        'licences by name',
        {
          query: 'query ($name: PersonNameInput) { person(name: $name) { licences { outcome } } }',
          variables: { name },
        },
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
        'an opinion with its prerequisites',
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
        'the employer of a receipt is the employer of the query',
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
        { listReceipts: 1, downloadReceipt: 2 },
      ],
      [
        'three months',
        ofPayer('receiptsBetween(from: "2026-01", to: "2026-03") { records { files { outcome } } }'),
        { listReceipts: 3, downloadReceipt: 6 },
      ],
      [
        'through the employer of a receipt',
        ofPayer(
          'receipts(period: "2026-01") { records { employer { receipts(period: "2026-02") { records { files { outcome } } } } } }',
        ),
        { listReceipts: 2, downloadReceipt: 2 },
      ],
    ])('files of receipts that were not listed, two a month and not bounded: %s', async (_what, request, calls) => {
      const estimate = await priceOf(padron, request);
      expect(callsBy(estimate)).toEqual(calls);
      expect(estimate.bounded).toBe(false);
    });

    it('has a limited size whatever a caller writes in an argument', async () => {
      const kind = 'entry:0';
      const estimate = await priceOf(
        padron,
        ofPayer(`complianceOpinion(rfc: "${payer.rfc}", kind: "${kind}") { outcome }`),
      );
      expect(estimate).toMatchObject({ estimatedUnits: 2, bounded: true });
    });
  });
});

describe('the document of a dry run', () => {
  const padron = padronForTests({ now: () => TODAY });
  // A price is free whatever it is the price of.
  afterEach(() => expect(padron.calls()).toEqual([]));

  const { nss } = somebody;
  const credits = (names: readonly string[]): string =>
    names.map((alias) => `${alias}: person(nss: "${nss}") { credit { outcome } }`).join(' ');

  describe('the form of an operation', () => {
    const conditional = `query ($nss: NSS, $credit: Boolean!, $skip: Boolean!) { person(nss: $nss) {
    credit @include(if: $credit) { outcome } housingAccount @skip(if: $skip) { outcome }
    ... @include(if: $credit) { identity { outcome } } } }`;

    it.each([
      [true, false, 3],
      [true, true, 2],
      [false, false, 1],
      [false, true, 0],
    ])('is priced by @include(if: %s) and @skip(if: %s)', async (credit, skip, units) => {
      const estimate = await priceOf(padron, { query: conditional, variables: { nss, credit, skip } });
      expect(estimate.estimatedUnits).toBe(units);
    });

    it('is priced with fragments: named, nested, inline and on the interface of all lookups', async () => {
      const query = `query ($nss: NSS) { person(nss: $nss) { ...Profile ... on Person { credit { ...Answer } } } }
      fragment Profile on Person { ...Housing housingAccount { ...Answer } }
      fragment Housing on Person { credit { outcome } }
      fragment Answer on RegistryLookup { outcome evidence { units } ... on HousingCreditLookup { record { names } } }`;
      const estimate = await priceOf(padron, { query, variables: { nss } });
      expect(callsBy(estimate)).toEqual({ findCredit: 1, findHousingAccount: 1 });
    });

    it('counts different arguments under aliases as different questions', async () => {
      const query = `{ employer(registration: "${payer.registration}") {
      a: receipts(period: "2026-01") { outcome } b: receipts(period: "2026-02") { outcome }
      c: complianceOpinion(kind: "1") { outcome } d: complianceOpinion(kind: "2") { outcome } } }`;
      expect(callsBy(await priceOf(padron, { query }))).toMatchObject({
        listReceipts: 2,
        issueOpinion: 2,
        listSnapshots: 1,
      });
    });

    it('is priced with the representations of a gateway, each entity once', async () => {
      const query = `query ($r: [_Any!]!) { _entities(representations: $r) {
      ... on Person { credit { outcome } } ... on Employer { snapshots { outcome } } } }`;
      const r = [
        { __typename: 'Person', nss },
        { __typename: 'Person', nss },
        { __typename: 'Person', nss: unusedNss },
        { __typename: 'Person', nss: 'nonsense' },
        { __typename: 'Employer', registration: payer.registration },
      ];
      expect(callsBy(await priceOf(padron, { query, variables: { r } }))).toEqual({ findCredit: 2, listSnapshots: 1 });
    });

    it('is priced by the selected operation', async () => {
      const query = `query One { ${credits(['a'])} } query None { registryEndpoints { units } }`;
      expect((await priceOf(padron, { query, operationName: 'One' })).estimatedUnits).toBe(1);
      expect((await priceOf(padron, { query, operationName: 'None' })).estimatedUnits).toBe(0);
    });

    it('costs nothing for input that would be rejected without a call', async () => {
      const query = `{ a: person(nss: "12345678901") { credit { outcome } identity { outcome } } b: person(curp: "X") { identity { outcome } }
      employer(registration: "Y6077636106") { snapshots { outcome } receiptsBetween(from: "2026-01", to: "2026-02") { outcome } }
      c: employer(registration: "${payer.registration}") { receiptsBetween(from: "2026-02", to: "2026-01") { outcome } complianceOpinion(rfc: "X") { outcome } }
      person { credit { outcome } } }`;
      expect(await priceOf(padron, { query })).toMatchObject({ endpoints: [], estimatedUnits: 0, invalidRows: 1 });
    });
  });

  describe('a signature', () => {
    const person = credentialOf('person');
    const twice = `mutation ($input: SignatureInput!) { a: verifySignature(input: $input) { outcome } b: verifySignature(input: $input) { outcome } }`;

    it('costs one unit each time, because it is never shared', async () => {
      const variables = { input: base64Input(person) };
      expect((await priceOf(padron, { query: verifyMutation, variables })).estimatedUnits).toBe(1);
      expect((await priceOf(padron, { query: twice, variables })).estimatedUnits).toBe(2);
    });

    it('can be priced by upload', async () => {
      const { status, data, headers } = await postForm(padron.url, signatureForm(person), { 'x-dry-run': 'true' });
      expect([status, data, headers['x-units-spent']]).toEqual([200, null, '0']);
    });
  });
});
