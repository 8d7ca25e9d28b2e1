import { foldName } from '../../../identifiers/normalise';
import type { Answer } from '../../../registry/answer/answer';
import { problem } from '../../../registry/answer/problem';
import type { Context } from '../../core/context';
import { isInvalid, type Validated } from '../../core/lookup/input';
import { lookUp, mapRecords, withoutMatch, withProblems } from '../../core/lookup/lookup';
import { isSameCurp } from '../person/facts';
import { type ResolvedName, resolveName } from '../person/identifiers';
import { reviewer } from '../person/review';
import { licencesSource } from '../person/sources';
import type { Person } from '../person/types';
import { type LicenceRecord, searchLicences } from './endpoints';
import { type LicencesLookup, NameMatch, type ProfessionalLicence } from './types';

/** Searches licences by name and returns the records that `match` selects. */
export async function searchByName(context: Context, person: Person, match: NameMatch): Promise<LicencesLookup> {
  const name = await resolveName(context, person);
  // Filtered once, for the records that are shown and for those that are reviewed.
  let matching: readonly LicenceRecord[] | null = null;
  const select = (records: readonly LicenceRecord[]) => {
    matching ??= filterByName(records, name);
    return matching;
  };
  const review = reviewer(context, person, licencesSource(select));
  let isNameless = false;
  const toFields = (payload: readonly LicenceRecord[] | null, answer: Answer<readonly LicenceRecord[]>) => {
    isNameless = payload?.some(({ nombre, paterno }) => nombre === null && paterno === null) ?? false;
    const kept = payload === null || match === NameMatch.ALL ? payload : select(payload);
    const records = mapRecords(answer, kept, toLicence);
    return { records, setAside: records && (payload?.length ?? 0) - records.length };
  };
  const lookup = await lookUp(context, searchLicences, name, toFields, review);
  const { outcome, records, setAside } = lookup;
  // An answer to another question contains nothing about this person.
  const isMismatch = lookup.problems.some(({ code }) => code === 'ANSWER_MISMATCH');
  if (outcome !== 'FOUND' || records?.length !== 0 || isMismatch) return lookup;
  // A licence without a name may belong to this person.
  if (isNameless) {
    const unusable = problem('UNUSABLE_ANSWER', {
      message: 'The registry returned a licence without a name and none with this name. Use `match: ALL` to see it.',
      spanish: 'El registro devolvió una cédula sin nombre y ninguna con este. Use `match: ALL` para verla.',
    });
    const withoutRecords = { ...lookup, outcome: 'UNAVAILABLE', records: null, setAside: null } as const;
    return withProblems(context, withoutRecords, [unusable]);
  }
  return withoutMatch(context, lookup, {
    message: `The registry returned ${setAside} record(s), none of which is this person's. Use \`match: ALL\` to see them.`,
    spanish: `El registro devolvió ${setAside} cédula(s), ninguna de esta persona. Use \`match: ALL\` para verlas.`,
  });
}

export function toLicence(record: LicenceRecord): ProfessionalLicence {
  return {
    number: record.idCedula,
    kind: record.tipo,
    title: record.titulo,
    institution: record.desins,
    registrationYear: record.anioreg,
    names: record.nombre,
    paternalSurname: record.paterno,
    maternalSurname: record.materno,
    namesM: record.nombreM,
    paternalSurnameM: record.paternoM,
    maternalSurnameM: record.maternoM,
    sex: record.sexo,
    curp: record.curp,
    sheet: record.foja,
    book: record.libro,
    entry: record.numero,
    areaCode: record.carArea,
    consecutive: record.carCons,
    levelCode: record.carNivel,
    subareaCode: record.carSarea,
    institutionCode: record.inscons,
    institutionStateCode: record.insedo,
  };
}

/** Returns the records of a search by name that belong to the person. */
function filterByName(records: readonly LicenceRecord[], name: Validated<ResolvedName>): readonly LicenceRecord[] {
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
