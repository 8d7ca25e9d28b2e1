import fc from 'fast-check';
import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import type { Failure } from '../../../src/extensions/sandbox/test-cards/failures';
import { card } from '../sandbox/cards';
import { unusedCurp, unusedFolio, unusedLicence, unusedNss, unusedRegistration } from '../sandbox/identifiers';
import { receiptsIn } from './employer-graph';

/** A part of a generated operation, and what it promises of money. */
export interface Part {
  readonly text: string;
  /** Each of its questions is a field's own, and everybody it asks about answers. */
  readonly direct: boolean;
  /** Whatever is bought on the way is selected too, so that the evidences show every unit. */
  readonly complete: boolean;
}

const priced = '{ outcome evidence { endpoint units servedFrom billing } problems { code } }';

/** Failures that are an answer: the question is never retried. */
const definiteFailures: readonly Failure[] = [
  ...(['not-found', 'bad-request', 'unprocessable', 'IMSS_INCONSISTENT_DATA', 'somebody-else'] as const),
];
const quickFailures: readonly Failure[] = [
  ...definiteFailures,
  ...(['unprocessable-receipts', 'forbidden', 'rate-limited-for-a-day', 'server-error', 'unavailable'] as const),
  ...(['IMSS_SESSION_EXPIRED', 'IMSS_TRANSPORT_ERROR', 'IMSS_UPSTREAM_ERROR', 'IMSS_HTTP_ERROR'] as const),
  ...(['IMSS_FILETYPE_ERROR', 'html'] as const),
];

interface Somebody {
  readonly nss: string;
  readonly curp: string;
  readonly names: string;
  readonly paternalSurname: string;
  readonly licence: string;
  readonly folio: string;
  readonly answers: boolean;
}

const knownPeople: readonly Somebody[] = people
  .filter(({ credit, account, licences, certificate }) => credit && account && licences.length > 0 && certificate)
  .slice(0, 6)
  .map(({ licences: [licence], certificate, ...person }) => ({
    ...person,
    licence: licence?.number ?? '',
    folio: certificate?.folio ?? '',
    answers: true,
  }));
const peopleWith = (failures: readonly Failure[]): readonly Somebody[] =>
  failures.map((failure) => ({
    nss: card(failure, 'nss'),
    curp: card(failure, 'curp'),
    names: 'ANA',
    paternalSurname: card(failure, 'surname'),
    licence: card(failure, 'licence'),
    folio: card(failure, 'folio'),
    answers: false,
  }));
/** Known to none, and written wrongly. */
const strangers: readonly Somebody[] = [
  {
    ...{ nss: unusedNss, curp: unusedCurp, names: 'NADIE', paternalSurname: 'SINHALLAZGO' },
    ...{ licence: unusedLicence, folio: unusedFolio, answers: false },
  },
  { nss: '12345678901', curp: 'X', names: '', paternalSurname: '', licence: 'X', folio: '', answers: false },
];

type PersonField = 'credit' | 'housingAccount' | 'identity' | 'professionalStatus' | 'licences';
const personFields: readonly PersonField[] = ['credit', 'housingAccount', 'identity', 'professionalStatus', 'licences'];

/** A way to identify a person, the fields that it can answer, and the fields that these buy first. */
interface Key {
  readonly argumentsOf: (person: Somebody) => string;
  readonly asked: readonly PersonField[];
  readonly buys: Partial<Record<PersonField, readonly PersonField[]>>;
}
const keys: readonly Key[] = [
  {
    argumentsOf: ({ nss }) => `nss: "${nss}"`,
    asked: personFields,
    buys: { identity: ['credit'], professionalStatus: ['credit'], licences: ['credit'] },
  },
  {
    argumentsOf: ({ curp }) => `curp: "${curp}"`,
    asked: ['identity', 'professionalStatus', 'licences'],
    buys: { licences: ['identity'] },
  },
  {
    argumentsOf: ({ nss, curp }) => `nss: "${nss}", curp: "${curp}"`,
    asked: personFields,
    buys: { licences: ['credit', 'identity'] },
  },
  {
    argumentsOf: ({ names, paternalSurname }) => `name: { names: "${names}", paternalSurname: "${paternalSurname}" }`,
    asked: ['licences'],
    buys: {},
  },
];

/** Fields of a person who is identified by one of several keys. */
const personPart = (people: readonly Somebody[]): fc.Arbitrary<Part> =>
  fc
    .record({
      person: fc.constantFrom(...people),
      key: fc.constantFrom(...keys),
      fields: fc.subarray([...personFields], { minLength: 1 }),
    })
    .map(({ person, key: { argumentsOf, asked, buys }, fields }) => {
      const bought = fields.flatMap((field) => buys[field] ?? []);
      return {
        text: `person(${argumentsOf(person)}) { ${fields.map((field) => `${field} ${priced}`).join(' ')} }`,
        direct: person.answers && bought.length === 0 && fields.every((field) => asked.includes(field)),
        complete: bought.every((field) => fields.includes(field)),
      };
    });

const documentPart = (people: readonly Somebody[]): fc.Arbitrary<Part> =>
  fc.record({ person: fc.constantFrom(...people), isLicence: fc.boolean() }).map(({ person, isLicence }) => ({
    text: isLicence
      ? `professionalLicence(number: "${person.licence}") ${priced}`
      : `studyCertificate(folio: "${person.folio}") ${priced}`,
    direct: person.answers,
    complete: true,
  }));

interface Employer {
  readonly registration: string;
  readonly rfc: string;
  readonly folio: string;
  readonly answers: boolean;
}

/** Employers whose record is whole. */
const paying: readonly Employer[] = employers.slice(0, 3).map((employer) => ({
  registration: employer.registration,
  rfc: employer.rfc,
  folio: receiptsIn(employer, '2025-01')[0]?.folio ?? '1',
  answers: true,
}));
const employersWith = (failures: readonly Failure[]): readonly Employer[] =>
  [...failures.map((failure) => card(failure, 'registration')), unusedRegistration].map((registration) => ({
    ...{ registration, rfc: 'H&E951128469', folio: '123456', answers: false },
  }));

const month = 'period: "2025-01"';
/** The text of each field of an employer. Those with a list are not direct: they buy these fields first, or list what they ask about. */
type EmployerField = readonly [text: string, buys?: readonly string[]];
const employerFields: Readonly<Record<string, (employer: Employer) => EmployerField>> = {
  snapshots: () => [`snapshots ${priced}`],
  subject: () => [`obligatedSubject ${priced}`],
  opinion: () => [`complianceOpinion ${priced}`, ['subject', 'snapshots']],
  opinionByRfc: ({ rfc }) => [`byRfc: complianceOpinion(rfc: "${rfc}") ${priced}`, ['subject']],
  month: () => [`receipts(${month}) ${priced}`],
  months: () => [`receiptsBetween(from: "2024-12", to: "2025-02") ${priced}`],
  receipt: ({ folio }) => [`receiptFiles(${month}, folio: "${folio}") ${priced}`],
  inline: ({ folio }) => [`inline: receiptFiles(${month}, folio: "${folio}", inline: true) ${priced}`],
  files: () => [
    `listed: receipts(${month}) ${priced.slice(0, -1)} records { files ${priced} employer { snapshots ${priced} } } }`,
    [],
  ],
};

const employerPart = (employers: readonly Employer[]): fc.Arbitrary<Part> =>
  fc
    .record({
      employer: fc.constantFrom(...employers),
      names: fc.subarray(Object.keys(employerFields), { minLength: 1, maxLength: 4 }),
    })
    .map(({ employer, names }) => {
      const fields = names.map((name): EmployerField => employerFields[name]?.(employer) ?? ['']);
      return {
        text: `employer(registration: "${employer.registration}") { ${fields.map(([text]) => text).join(' ')} }`,
        direct: employer.answers && fields.every(([, buys]) => buys === undefined),
        complete: fields.every(([, buys = []]) => buys.every((name) => names.includes(name))),
      };
    });

/** Up to five parts, some of them twice: the same question under another alias. */
const operationOf = (...parts: readonly fc.Arbitrary<Part>[]) =>
  fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 5 }).chain((chosen) =>
    fc.boolean().map((twice): Part => {
      const all = twice ? [...chosen, ...chosen.slice(0, 1)] : chosen;
      return {
        text: `{ ${all.map(({ text }, index) => `alias${index}: ${text}`).join('\n')} }`,
        direct: all.every(({ direct }) => direct),
        complete: all.every(({ complete }) => complete),
      };
    }),
  );

export const answeredOperations = operationOf(personPart(knownPeople), documentPart(knownPeople), employerPart(paying));

const failing = [...peopleWith(quickFailures), ...strangers];
export const anyOperations = operationOf(
  personPart(knownPeople),
  personPart(failing),
  documentPart([...knownPeople, ...failing]),
  employerPart(paying),
  employerPart(employersWith(quickFailures)),
);

const definite = [...knownPeople, ...peopleWith(definiteFailures), ...strangers];
/** Operations whose every question has an answer at once that is never retried: found, not found, or refused. */
export const definiteOperations = operationOf(
  personPart(definite),
  documentPart(definite),
  employerPart([...paying, ...employersWith(definiteFailures)]),
);
