import { people } from '../../../src/extensions/sandbox/data/people';
import { findCertificate, searchLicences } from '../../../src/graph/domains/education/endpoints';
import { findCredit } from '../../../src/graph/domains/housing/endpoints';
import { cacheKeys } from '../../../src/registry/endpoint/endpoint';
import { findOrThrow } from '../../support/find-or-throw';
import { monthWith, NOW, payer, receiptsIn } from '../../support/operations/employer-graph';
import { somebody } from '../../support/operations/people-fields';
import { padronForEachTest, proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { buildGraph } from '../../support/padrons/whole-padron';
import { holdResponses } from '../../support/proxies/held-responses';
import { askPriced, priceOf } from '../../support/requests/money';
import { unusedFolio } from '../../support/sandbox/identifiers';

const lookup = '{ outcome problems { code } evidence { validationCode } }';
const folio = somebody.certificate?.folio ?? '';
const number = somebody.licences[0]?.number ?? '';
const { names, paternalSurname, maternalSurname } = findOrThrow(
  people,
  (person) => person.licences.length > 0 && / /.test(person.names) && /[ÁÉÍÓÚÑ]/.test(person.names),
);
const month = monthWith(1);
const receipt = receiptsIn(payer, month)[0]?.folio ?? '';

const nss = (value: string, field: string) => `person(nss: "${value}") { lookup: ${field} ${lookup} }`;
const curp = (value: string, field: string) => `person(curp: "${value}") { lookup: ${field} ${lookup} }`;
const certificate = (value: string) => `studyCertificate(folio: "${value}") ${lookup}`;
const licence = (value: string) => `professionalLicence(number: "${value}") ${lookup}`;
const employer = (value: string, field: string) => `employer(registration: "${value}") { lookup: ${field} ${lookup} }`;
const opinion = (rfc: string) => `complianceOpinion(rfc: "${rfc}")`;
const receipts = (period: string) => `receipts(period: "${period}")`;
const files = (period: string, value: string, inline: boolean) =>
  `receiptFiles(period: "${period}", folio: "${value}", inline: ${inline})`;
const named = (write: (part: string) => string) =>
  `person(name: { names: "${write(names)}", paternalSurname: "${write(paternalSurname)}",
    maternalSurname: "${write(maternalSurname)}" }) { lookup: licences(match: ALL) ${lookup} }`;

const lower = (part: string) => part.toLowerCase();
const apart = (part: string) => ` ${part.normalize('NFD').replaceAll(' ', '   ')} `;
const spaced = (value: string) => ` ${value.slice(0, 4)} ${value.slice(4).toLowerCase()} `;
const dashed = (value: string) => `${value.slice(0, 3)}-${value.slice(3, 8)}‑${value.slice(8)}`.toLowerCase();
const [asNss, asCurp, asRegistration] = [dashed(somebody.nss), spaced(somebody.curp), dashed(payer.registration)];
const { registration, rfc } = payer;

/** Two ways to write a question of each endpoint, and what it costs. */
const spellings: [endpoint: string, first: string, second: string, cost: number][] = [
  ['findIdentity', curp(somebody.curp, 'identity'), curp(asCurp, 'identity'), 1],
  ['findCredit', nss(somebody.nss, 'credit'), nss(asNss, 'credit'), 1],
  ['findHousingAccount', nss(somebody.nss, 'housingAccount'), nss(asNss, 'housingAccount'), 1],
  ['findLicence', licence(number), licence(` 000${number}`), 1],
  ['searchLicences', named(lower), named(apart), 1],
  ['findCertificate', certificate(folio), certificate(` ${folio.toUpperCase().replaceAll('-', '‑')}`), 1],
  ['downloadProfessionalStatus', curp(somebody.curp, 'professionalStatus'), curp(asCurp, 'professionalStatus'), 2],
  [
    'resolveObligatedSubject',
    employer(registration, 'obligatedSubject'),
    employer(asRegistration, 'obligatedSubject'),
    1,
  ],
  ['issueOpinion', employer(registration, opinion(rfc)), employer(asRegistration, opinion(spaced(rfc))), 2],
  [
    'listReceipts',
    employer(registration, receipts(month)),
    employer(asRegistration, receipts(` ${month.replace('-', '‐')}`)),
    1,
  ],
  [
    'downloadReceipt',
    employer(registration, files(month, receipt, false)),
    employer(asRegistration, files(`${month} `, ` ${receipt}`, true)),
    1,
  ],
  ['listSnapshots', employer(registration, 'snapshots'), employer(asRegistration, 'snapshots'), 1],
];

const operation = (...fields: readonly string[]) => ({
  query: `{ ${fields.map((field, index) => `q${index}: ${field}`).join(' ')} }`,
});
const lookupsOf = (data: Readonly<Record<string, { readonly lookup?: unknown }>>): readonly unknown[] =>
  Object.values(data).map((field) => field.lookup ?? field);
const outcomesOf = (data: Parameters<typeof lookupsOf>[0]): readonly unknown[] =>
  lookupsOf(data).map((entry) => (entry as { readonly outcome: unknown }).outcome);

describe('one question, however it is written', () => {
  const padron = padronForEachTest({ now: () => NOW, environment: { REPLAY_SECONDS: '60' } });

  it('is tried at every endpoint whose answers are shared', () => {
    const all = buildGraph().catalogue.map(({ endpoint }) => endpoint.name);
    const shared = all.filter((name) => !['readBalance', 'verifyElectronicSignature'].includes(name));
    expect(spellings.map(([endpoint]) => endpoint).sort()).toEqual(shared.sort());
  });

  it.each(spellings)(
    'is one call and one answer in a request and in the next: %s',
    async (endpoint, first, second, cost) => {
      const price = endpoint === 'findCertificate' ? 2 : cost;
      expect((await priceOf(padron, operation(first, second))).estimatedUnits).toBe(price);
      const { data, units } = await askPriced(padron, operation(first, second));
      const [answer, repeated] = lookupsOf(data);
      expect(answer).toMatchObject({ outcome: 'FOUND', problems: [] });
      expect([repeated, units?.spent]).toEqual([answer, cost]);
      const again = await askPriced(padron, operation(second));
      expect([lookupsOf(again.data), again.units?.spent]).toEqual([[answer], 0]);
      expect(padron.callsInFull().reduce((sum, call) => sum + call.units, 0)).toBe(cost);
    },
  );

  it('sends a name in capitals, composed and with single blanks, and everything else of it as it was written', async () => {
    await askPriced(padron, operation(named((part) => apart(part.toLowerCase()))));
    expect(padron.callsInFull()).toMatchObject([
      { input: { nombres: names, paterno: paternalSurname, materno: maternalSurname } },
    ]);
    padron.calls();
    await askPriced(
      padron,
      operation(`person(name: { names: "Ma.", paternalSurname: "o'Farrill-peña" }) { lookup: licences ${lookup} }`),
    );
    expect(padron.callsInFull()).toMatchObject([{ input: { nombres: 'MA.', paterno: "O'FARRILL-PEÑA" } }]);
  });

  it('has the key of the version before beside its own', () => {
    const name = { names: 'Ana María', paternalSurname: 'Peña', maternalSurname: null };
    expect(cacheKeys(searchLicences, name)).toEqual([
      '{"nombres":"ANA MARÍA","paterno":"PEÑA"}',
      '{"nombres":"Ana María","paterno":"Peña"}',
    ]);
    expect(cacheKeys(findCertificate, { folio: 'AB-1' })).toEqual(['["ab1"]', '{"folio":"AB-1"}']);
    expect(cacheKeys(findCredit, { nss: '01' })).toEqual(['{"nss":"1"}']);
  });

  it('refuses a month without its zero, free of charge, because it is no spelling of a month', async () => {
    const { data, units } = await askPriced(padron, operation(employer(registration, receipts('2025-1'))));
    expect([outcomesOf(data), units?.spent, padron.calls()]).toEqual([['INVALID_INPUT'], 0, []]);
  });
});

describe('the folio of a certificate', () => {
  const padron = padronForEachTest({ environment: { REPLAY_SECONDS: '60' } });
  const upper = unusedFolio.toUpperCase().replace('4000', 'ABCD');
  const unknown = upper.toLowerCase();
  const undashed = folio.replaceAll('-', '');

  it('is asked again in another spelling if it was not found, each spelling once', async () => {
    const { data, units } = await askPriced(
      padron,
      operation(certificate(unknown), certificate(upper), certificate(upper)),
    );
    expect([outcomesOf(data), units?.spent]).toEqual([['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'], 2]);
    expect(
      (await priceOf(padron, operation(certificate(upper), certificate(unknown)), { 'x-dry-run': 'now' }))
        .estimatedUnits,
    ).toBe(0);
    const again = await askPriced(padron, operation(certificate(upper), certificate(unknown)));
    expect([outcomesOf(again.data), again.units?.spent]).toEqual([['NOT_FOUND', 'NOT_FOUND'], 0]);
    expect(padron.callsInFull().map(({ input }) => input.folio)).toEqual([unknown, upper]);
  });

  it('is answered in a spelling that the service refuses, after another spelling was found, but not before', async () => {
    const refused = await askPriced(padron, operation(certificate(undashed), certificate(folio)));
    expect([outcomesOf(refused.data), refused.units?.spent]).toEqual([['INVALID_INPUT', 'FOUND'], 1]);
    const found = await askPriced(padron, operation(certificate(undashed)));
    expect([outcomesOf(found.data), found.units?.spent]).toEqual([['FOUND'], 0]);
    expect(padron.callsInFull().map(({ input }) => input.folio)).toEqual([undashed, folio]);
  });
});

describe('two requests at the same time', () => {
  const padron = proxiedPadronForTests();
  const askBoth = async (first: string, second: string) => {
    const held = holdResponses(padron.proxy);
    const payer = askPriced(padron, operation(first));
    await held.arrived(1);
    const sharer = askPriced(padron, operation(second));
    await askPriced(padron, { query: '{ __typename }' });
    held.release();
    const answers = await Promise.all([payer, sharer]);
    return [answers.map(({ data }) => outcomesOf(data)[0]), padron.callsInFull().length];
  };
  const unknown = (text: string) => text.replace(/[^-]{4}$/, 'abcd');

  it('share the call for a name in two spellings, and for a folio that is found', async () => {
    expect(await askBoth(named(lower), named(apart))).toEqual([['FOUND', 'FOUND'], 1]);
    padron.calls();
    expect(await askBoth(certificate(folio), certificate(folio.toUpperCase()))).toEqual([['FOUND', 'FOUND'], 1]);
  });

  it('ask both spellings of a folio that is not found, and one spelling once', async () => {
    const first = certificate(unknown(unusedFolio));
    expect(await askBoth(first, certificate(unknown(unusedFolio).toUpperCase()))).toEqual([
      ['NOT_FOUND', 'NOT_FOUND'],
      2,
    ]);
    padron.calls();
    expect(await askBoth(first, first)).toEqual([['NOT_FOUND', 'NOT_FOUND'], 1]);
  });
});
