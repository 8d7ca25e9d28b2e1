import { employers, type SandboxEmployer } from '../data/employers';
import { people, type SandboxPerson } from '../data/people';
import { stripAccents } from '../data/person-codes';
import type { Licence } from '../data/studies';
import { uncleanPeople } from '../data/unclean-people';
import { partlyFailingEmployers, testPersonas } from './personas';

/** Folds case, accents and Ñ, as the ministry's search does. */
export function foldName(text: string): string {
  return stripAccents(text).replaceAll('Ñ', 'N').replace(/\s+/g, ' ').trim();
}

export function toLicenceKey(number: string): string {
  return number.replace(/^0+/, '');
}

const cleanPeople = [...people, ...testPersonas.map(({ person }) => person)];
const unclean = Object.values(uncleanPeople);
const peopleAsWritten = (registry: 'fund' | 'ministry'): readonly SandboxPerson[] => [
  ...cleanPeople,
  ...unclean.map(({ person, [registry]: deviation }) => ({ ...person, ...deviation })),
];

export const allPeople: readonly SandboxPerson[] = [...cleanPeople, ...unclean.map(({ person }) => person)];
export const allEmployers: readonly SandboxEmployer[] = [
  ...employers,
  ...testPersonas.map(({ employer }) => employer),
  ...Object.values(partlyFailingEmployers),
];

export interface HeldLicence {
  readonly licence: Licence;
  readonly person: SandboxPerson;
}

const heldLicences: readonly HeldLicence[] = peopleAsWritten('ministry').flatMap((person) =>
  person.licences.map((licence) => ({ licence, person })),
);
const byNss = new Map(peopleAsWritten('fund').map((person) => [person.nss, person]));
const byCurp = new Map(
  allPeople.flatMap((person) => [person.curp, person.replacedCurp ?? person.curp].map((curp) => [curp, person])),
);
const byFolio = new Map(
  peopleAsWritten('ministry').flatMap((person) => (person.certificate ? [[person.certificate.folio, person]] : [])),
);
const byLicence = new Map(heldLicences.map((held) => [toLicenceKey(held.licence.number), held]));
const byRegistration = new Map(allEmployers.map((employer) => [employer.registration, employer]));
const byObligatedSubject = new Map(allEmployers.map((employer) => [employer.obligatedSubjectId, employer]));

export function findPersonByNss(nss: string): SandboxPerson | undefined {
  return byNss.get(nss.padStart(11, '0'));
}

export function findPersonByCurp(curp: string): SandboxPerson | undefined {
  return byCurp.get(curp.toUpperCase());
}

export function findPersonByFolio(folio: string): SandboxPerson | undefined {
  return byFolio.get(folio.toLowerCase());
}

export function findLicenceByNumber(number: string): HeldLicence | undefined {
  return byLicence.get(toLicenceKey(number));
}

export function findLicencesByName(names: string, paternal: string, maternal: string): readonly HeldLicence[] {
  const contains = (text: string, wanted: string): boolean => foldName(text).includes(foldName(wanted));
  return heldLicences.filter(
    ({ person }) =>
      contains(person.names, names) &&
      contains(person.paternalSurname, paternal) &&
      contains(person.maternalSurname, maternal),
  );
}

export function findEmployerByRegistration(registration: string): SandboxEmployer | undefined {
  return byRegistration.get(registration.toUpperCase());
}

export function findEmployerByObligatedSubject(id: string): SandboxEmployer | undefined {
  return byObligatedSubject.get(id);
}
