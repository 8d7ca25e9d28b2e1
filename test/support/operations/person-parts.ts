import fc from 'fast-check';
import { people } from '../../../src/extensions/sandbox/data/people';
import type { Failure } from '../../../src/extensions/sandbox/test-cards/failures';
import { card } from '../sandbox/cards';
import { unusedCurp, unusedFolio, unusedLicence, unusedNss } from '../sandbox/identifiers';
import { definiteFailures, type Part, priced, quickFailures } from './operation-part';

interface Somebody {
  readonly nss: string;
  readonly curp: string;
  readonly names: string;
  readonly paternalSurname: string;
  readonly licence: string;
  readonly folio: string;
  readonly answers: boolean;
}

export const knownPeople: readonly Somebody[] = people
  .filter(({ credit, account, licences, certificate }) => credit && account && licences.length > 0 && certificate)
  .slice(0, 6)
  .map(({ licences, certificate, ...person }) => ({
    ...person,
    licence: licences[0]?.number ?? '',
    folio: certificate?.folio ?? '',
    answers: true,
  }));
const holdersOf = (failures: readonly Failure[]): readonly Somebody[] =>
  failures.map((failure) => ({
    nss: card(failure, 'nss'),
    curp: card(failure, 'curp'),
    names: 'ANA',
    paternalSurname: card(failure, 'surname'),
    licence: card(failure, 'licence'),
    folio: card(failure, 'folio'),
    answers: false,
  }));

export const failing = holdersOf(quickFailures);
export const definite = holdersOf(definiteFailures);
/** Known to none, and written wrongly. */
export const strangers: readonly Somebody[] = [
  {
    nss: unusedNss,
    curp: unusedCurp,
    names: 'NADIE',
    paternalSurname: 'SINHALLAZGO',
    licence: unusedLicence,
    folio: unusedFolio,
    answers: false,
  },
  { nss: '12345678901', curp: 'X', names: '', paternalSurname: '', licence: 'X', folio: '', answers: false },
];

const personFields = ['credit', 'housingAccount', 'identity', 'professionalStatus', 'licences'] as const;
type PersonField = (typeof personFields)[number];
const keys = ['nss', 'curp', 'both', 'name'] as const;
type Key = (typeof keys)[number];

const argumentsBy: Readonly<Record<Key, (person: Somebody) => string>> = {
  nss: ({ nss }) => `nss: "${nss}"`,
  curp: ({ curp }) => `curp: "${curp}"`,
  both: ({ nss, curp }) => `nss: "${nss}", curp: "${curp}"`,
  name: ({ names, paternalSurname }) => `name: { names: "${names}", paternalSurname: "${paternalSurname}" }`,
};

const prerequisites: Readonly<Record<Key, Partial<Record<PersonField, readonly PersonField[]>>>> = {
  nss: { identity: ['credit'], professionalStatus: ['credit'], licences: ['credit'] },
  curp: { licences: ['identity'] },
  both: { licences: ['credit', 'identity'] },
  name: {},
};
const asked: Readonly<Record<Key, readonly PersonField[]>> = {
  nss: personFields,
  curp: ['identity', 'professionalStatus', 'licences'],
  both: personFields,
  name: ['licences'],
};

const someFields = fc.subarray([...personFields], { minLength: 1 });

/** Fields of a person who is identified by one of several keys. */
export function personPart(people: readonly Somebody[]): fc.Arbitrary<Part> {
  return fc
    .record({ person: fc.constantFrom(...people), key: fc.constantFrom(...keys), fields: someFields })
    .map(({ person, key, fields }) => {
      const bought = fields.flatMap((field) => prerequisites[key][field] ?? []);
      return {
        text: `person(${argumentsBy[key](person)}) { ${fields.map((field) => `${field} { ${priced} }`).join(' ')} }`,
        direct: person.answers && bought.length === 0 && fields.every((field) => asked[key].includes(field)),
        complete: bought.every((field) => fields.includes(field)),
      };
    });
}

export function documentPart(people: readonly Somebody[]): fc.Arbitrary<Part> {
  return fc.record({ person: fc.constantFrom(...people), licence: fc.boolean() }).map(({ person, licence }) => ({
    text: licence
      ? `professionalLicence(number: "${person.licence}") { ${priced} }`
      : `studyCertificate(folio: "${person.folio}") { ${priced} }`,
    direct: person.answers,
    complete: true,
  }));
}
