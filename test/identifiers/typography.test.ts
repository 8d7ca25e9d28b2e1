import { findOrThrow } from '../support/find-or-throw';
import { DOWNLOAD, LIST, NOW, payer, receiptsIn, SUBJECT } from '../support/operations/employer-graph';
import { CERTIFICATE, CREDIT, IDENTITY, LICENCE, SEARCH } from '../support/operations/people-endpoints';
import { somebody } from '../support/operations/people-fields';
import { padronForTests } from '../support/padrons/padron-for-tests';

const [receipt] = receiptsIn(payer, '2025-02');
const folio = receipt?.folio ?? '';
const licence = findOrThrow(somebody.licences, () => true).number;
const certificate = findOrThrow([somebody.certificate], (found) => found !== null)?.folio ?? '';

interface Identifier {
  readonly name: string;
  readonly value: string;
  readonly query: string;
  /** The expected input of the call, character by character. */
  readonly call: { readonly endpoint: string; readonly input: object };
}

const asks = 'outcome problems { code message }';
const ofPerson = (argument: string, type: string, field: string) =>
  `query ($value: ${type}) { person(${argument}: $value) { answer: ${field} { ${asks} } } }`;
const ofEmployer = (field: string, type: string) =>
  `query ($value: ${type}!) { employer(registration: "${payer.registration}") { answer: ${field} { ${asks} } } }`;
const byRegistration = `query ($value: EmployerRegistration!) {
  employer(registration: $value) { answer: obligatedSubject { ${asks} } } }`;
const ofDocument = (field: string, argument: string, type: string) =>
  `query ($value: ${type}!) { answer: ${field}(${argument}: $value) { ${asks} } }`;

const identifiers: readonly Identifier[] = [
  {
    ...{ name: 'NSS', value: somebody.nss, query: ofPerson('nss', 'NSS', 'credit') },
    call: { endpoint: CREDIT, input: { nss: somebody.nss.replace(/^0+/, '') } },
  },
  {
    ...{ name: 'CURP', value: somebody.curp, query: ofPerson('curp', 'CURP', 'identity') },
    call: { endpoint: IDENTITY, input: { curp: somebody.curp } },
  },
  {
    ...{ name: 'EmployerRegistration', value: payer.registration, query: byRegistration },
    call: { endpoint: SUBJECT, input: { rp: payer.registration } },
  },
  {
    ...{ name: 'LicenceNumber', value: licence, query: ofDocument('professionalLicence', 'number', 'LicenceNumber') },
    call: { endpoint: LICENCE, input: { cedula: licence.replace(/^0+/, '') } },
  },
  {
    ...{ name: 'CertificateFolio', value: certificate },
    query: ofDocument('studyCertificate', 'folio', 'CertificateFolio'),
    call: { endpoint: CERTIFICATE, input: { folio: certificate } },
  },
  {
    ...{ name: 'YearMonth', value: '2025-02', query: ofEmployer('receipts(period: $value)', 'YearMonth') },
    call: { endpoint: LIST, input: { anio: 2025, mes: 2 } },
  },
  {
    ...{ name: 'folio of a receipt', value: folio },
    query: ofEmployer('receiptFiles(period: "2025-02", folio: $value)', 'String'),
    call: { endpoint: DOWNLOAD, input: { folio_sua: folio } },
  },
];

const shift = (value: string, by: (code: number) => number): string =>
  [...value].map((letter) => String.fromCodePoint(by(letter.charCodeAt(0)))).join('');
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Variants of a text as copied from documents, chats and web pages. */
const variants: readonly (readonly [name: string, write: (value: string) => string])[] = [
  ['marks of direction around it', (value) => `\u202a\u200e${value}\u200f\u202c`],
  ['isolating marks around it', (value) => `\u2068\u061c${value}\u2069`],
  ['nothing of a width in it', (value) => `\ufeff${value.slice(0, 3)}\u200b\u2060\u034f${value.slice(3)}\u200d`],
  ['a variation selector behind it', (value) => `${value}\ufe0f`],
  ['blanks that do not break around it', (value) => `\u00a0\u2007${value}\u202f\u3000`],
  ['full-width digits and letters', (value) => shift(value, (code) => code + 0xfee0)],
  ['digits of a mathematical alphabet', (value) => shift(value, (code) => (isDigit(code) ? code + 0x1d79e : code))],
  ['raised digits', (value) => value.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)))],
];

const padron = padronForTests({ now: () => NOW });

describe.each(identifiers)('$name', ({ value, query, call }) => {
  it.each(variants)('is accepted with %s', async (_, write) => {
    const { data, errors } = await padron.ask(query, { value: write(value) });
    expect(errors).toBeUndefined();
    expect((data.person ?? data.employer ?? data).answer).toEqual({ outcome: 'FOUND', problems: [] });
    expect(padron.callsInFull()).toMatchObject([call]);
  });
});

it('the key of an entity from another subgraph is read in the same way', async () => {
  const of = [{ __typename: 'Person', nss: `\u202a${shift(somebody.nss, (code) => code + 0xfee0)}\u202c` }];
  const query = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { credit { outcome } } } }';
  expect((await padron.ask(query, { of })).data).toEqual({ _entities: [{ credit: { outcome: 'FOUND' } }] });
  expect(padron.callsInFull()).toMatchObject([{ endpoint: CREDIT, input: { nss: somebody.nss.replace(/^0+/, '') } }]);
});

describe('dashes', () => {
  it.each(['-', '‐', '‑', '‒', '–', '—', '−', '－', '⁃', '˗'])('of every kind are equivalent: %s', async (dash) => {
    const query = `{
      studyCertificate(folio: "${certificate.replaceAll('-', dash)}") { outcome }
      employer(registration: "${payer.registration.replace(/^(...)/, `$1${dash}`)}") {
        receipts(period: "2025${dash}02") { outcome } } }`;
    const { data } = await padron.ask(query);
    expect(data).toEqual({ studyCertificate: { outcome: 'FOUND' }, employer: { receipts: { outcome: 'FOUND' } } });
    expect([...padron.calls()].sort()).toEqual([LIST, CERTIFICATE].sort());
  });
});

describe('a name', () => {
  const query = 'query ($name: PersonNameInput) { person(name: $name) { licences { outcome } } }';

  it('is searched for without its invisible characters', async () => {
    const { names, paternalSurname, maternalSurname } = somebody;
    const name = {
      names: `\u202a${names}\u202c`,
      paternalSurname: `\u00a0${shift(paternalSurname, (code) => (code > 0x7f ? code : code + 0xfee0))}\ufeff`,
      maternalSurname: maternalSurname.split('').join('\u200b'),
    };
    expect((await padron.ask(query, { name })).data).toEqual({ person: { licences: { outcome: 'FOUND' } } });
    expect(padron.callsInFull()).toMatchObject([
      { endpoint: SEARCH, input: { nombres: names, paterno: paternalSurname, materno: maternalSurname } },
    ]);
  });

  it('keeps the characters that belong to it', async () => {
    await padron.ask(query, { name: { names: 'Mª', paternalSurname: 'O’Donoghue-Ñúñez' } });
    expect(padron.callsInFull()).toMatchObject([{ input: { nombres: 'Mª', paterno: 'O’DONOGHUE-ÑÚÑEZ' } }]);
  });
});

/** Marks that composing sorts, by the square of their number. */
const marks = `a${'\u0301'.repeat(1_000)}${'\u0323'.repeat(1_000)}`;
const partOfName = `query ($value: String!) {
  person(name: { names: "A", paternalSurname: "B", maternalSurname: $value }) { answer: licences { ${asks} } } }`;

describe('a text that is not an identifier', () => {
  const [ofNss, ofCurp] = [ofPerson('nss', 'NSS', 'credit'), ofPerson('curp', 'CURP', 'identity')];

  it.each([
    ['digits of another script', ofNss, '٨٤٩٦٦٣١١٢١٣', ''],
    ['a mark of a footnote behind it', ofNss, `${somebody.nss}²`, ''],
    ['a text of a million letters', ofNss, 'ﷺ'.repeat(100_000), ''],
    ['an NSS that is extremely long', ofNss, marks, '1,000'],
    ['a CURP that is extremely long', ofCurp, marks, '1,000'],
    ['a registration that is extremely long', byRegistration, marks, '1,000'],
    ['a part of a name that is extremely long', partOfName, marks, '1,000'],
    ['a part of a name that is mostly blanks', partOfName, `B${' '.repeat(1_000)}`, '1,000'],
  ])('is rejected without a call: %s', async (_, query, value, limit) => {
    const { data, errors } = await padron.ask(query, { value });
    expect(errors).toBeUndefined();
    expect((data.person ?? data.employer).answer).toEqual({
      outcome: 'INVALID_INPUT',
      problems: [{ code: 'INVALID_FORMAT', message: expect.stringContaining(limit) }],
    });
    expect(padron.calls()).toEqual([]);
  });
});
