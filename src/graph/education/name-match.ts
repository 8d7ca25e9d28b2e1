import { isInvalid, type Validated } from '../lookup/input';
import { isSameCurp } from '../person/facts';
import type { ResolvedName } from '../person/identifiers';
import { foldName } from '../validation/normalise';
import type { LicenceRecord } from './endpoints';

/** Of the records that a search by name returned, those of the person. */
export function filterByName(
  records: readonly LicenceRecord[],
  name: Validated<ResolvedName>,
): readonly LicenceRecord[] {
  return isInvalid(name) ? records : records.filter((record) => isSamePerson(record, name.value));
}

/** The same name, case and accents aside; a second surname that either side lacks matches; another's CURP never does. */
function isSamePerson(record: LicenceRecord, person: ResolvedName): boolean {
  if (record.curp !== null && person.curp !== null && !isSameCurp(record.curp, person.curp)) return false;
  const { nombre, paterno, materno } = record;
  const maternalMatches =
    materno === null || person.maternalSurname === null || isSameName(materno, person.maternalSurname);
  return maternalMatches && isSameName(nombre ?? '', person.names) && isSameName(paterno ?? '', person.paternalSurname);
}

/** Most are the same letter by letter; folding is dear. */
function isSameName(left: string, right: string): boolean {
  return left === right || foldName(left) === foldName(right);
}
