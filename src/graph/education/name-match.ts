import { isInvalid, type Validated } from '../lookup/input';
import { isSameCurp } from '../person/facts';
import type { ResolvedName } from '../person/identifiers';
import { foldName } from '../validation/normalise';
import type { LicenceRecord } from './endpoints';

/** Returns the records of a search by name that belong to the person. */
export function filterByName(
  records: readonly LicenceRecord[],
  name: Validated<ResolvedName>,
): readonly LicenceRecord[] {
  return isInvalid(name) ? records : records.filter((record) => isSamePerson(record, name.value));
}

/**
 * Whether a record belongs to the person: names are equal without case and accents, and CURPs do not differ. A missing second
 * surname matches any.
 */
function isSamePerson(record: LicenceRecord, person: ResolvedName): boolean {
  if (record.curp !== null && person.curp !== null && !isSameCurp(record.curp, person.curp)) return false;
  const { nombre, paterno, materno } = record;
  const maternalMatches =
    materno === null || person.maternalSurname === null || isSameName(materno, person.maternalSurname);
  return maternalMatches && isSameName(nombre ?? '', person.names) && isSameName(paterno ?? '', person.paternalSurname);
}

function isSameName(left: string, right: string): boolean {
  return left === right || foldName(left) === foldName(right);
}
