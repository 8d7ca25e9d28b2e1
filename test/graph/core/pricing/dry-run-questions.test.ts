import { payer } from '../../../support/operations/employer-graph';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { callsBy, priceOf, type Request } from '../../../support/requests/money';

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
