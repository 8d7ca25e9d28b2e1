import { type Employer, employers } from '../data/employers';
import { type Person, people } from '../data/people';
import { withoutAccents } from '../data/person-codes';
import type { Licence } from '../data/studies';
import { partlyFailing, players } from './personas';

/** Case, accents and Ñ folded: how the ministry's search compares. */
export function foldedName(text: string): string {
  return withoutAccents(text).replaceAll('Ñ', 'N').replace(/\s+/g, ' ').trim();
}

export function licenceKey(number: string): string {
  return number.replace(/^0+/, '');
}

/** Everybody the registries know, players of test cards included. */
export const everyone: readonly Person[] = [...people, ...players.map(({ person }) => person)];
export const everyEmployer: readonly Employer[] = [
  ...employers,
  ...players.map(({ employer }) => employer),
  ...Object.values(partlyFailing),
];

/** A licence and who holds it. */
export interface HeldLicence {
  readonly licence: Licence;
  readonly person: Person;
}

const heldLicences: readonly HeldLicence[] = everyone.flatMap((person) =>
  person.licences.map((licence) => ({ licence, person })),
);
const byNss = new Map(everyone.map((person) => [person.nss, person]));
const byCurp = new Map(everyone.map((person) => [person.curp, person]));
const byFolio = new Map(everyone.flatMap((person) => (person.certificate ? [[person.certificate.folio, person]] : [])));
const byLicence = new Map(heldLicences.map((held) => [licenceKey(held.licence.number), held]));
const byRegistration = new Map(everyEmployer.map((employer) => [employer.registration, employer]));
const byObligatedSubject = new Map(everyEmployer.map((employer) => [employer.obligatedSubjectId, employer]));

export function personByNss(nss: string): Person | undefined {
  return byNss.get(nss.padStart(11, '0'));
}

export function personByCurp(curp: string): Person | undefined {
  return byCurp.get(curp.toUpperCase());
}

export function personByFolio(folio: string): Person | undefined {
  return byFolio.get(folio.toLowerCase());
}

export function licenceByNumber(number: string): HeldLicence | undefined {
  return byLicence.get(licenceKey(number));
}

/** Every licence whose holder's names contain what was given. */
export function licencesByName(names: string, paternal: string, maternal: string): readonly HeldLicence[] {
  const contains = (text: string, given: string): boolean => foldedName(text).includes(foldedName(given));
  return heldLicences.filter(
    ({ person }) =>
      contains(person.names, names) &&
      contains(person.paternalSurname, paternal) &&
      contains(person.maternalSurname, maternal),
  );
}

export function employerByRegistration(registration: string): Employer | undefined {
  return byRegistration.get(registration.toUpperCase());
}

export function employerByObligatedSubject(id: string): Employer | undefined {
  return byObligatedSubject.get(id);
}
