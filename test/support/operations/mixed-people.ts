import { people, type SandboxPerson } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../find-or-throw';

/** Two people whom every registry knows and who must not be confused. */
export const uriel = findOrThrow(people, ({ nss }) => nss === '04159600263');
export const claudia = findOrThrow(people, ({ nss }) => nss === '15725300436');

export const nameOf = ({ names, paternalSurname, maternalSurname }: SandboxPerson) => ({
  names,
  paternalSurname,
  maternalSurname,
});

/** Whether a text contains none of their identifiers or names. */
export const namesNobody = (text: string): boolean =>
  [uriel, claudia].every((person) =>
    [person.nss, person.curp, person.rfc, person.names, person.birthDate].every((value) => !text.includes(value)),
  );
