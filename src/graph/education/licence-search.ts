import type { Answer } from '../../registry/answer/answer';
import { problem } from '../../registry/answer/problem';
import type { Context } from '../context';
import { isInvalid, type Validated } from '../lookup/input';
import { lookUp, mapRecords, withoutMatch } from '../lookup/lookup';
import { isSameCurp } from '../person/facts';
import { type ResolvedName, resolveName } from '../person/identifiers';
import { reviewer } from '../person/review';
import { licencesSource } from '../person/sources';
import type { Person } from '../person/types';
import { foldName } from '../validation/normalise';
import { type LicenceRecord, searchLicences } from './endpoints';
import { type LicencesLookup, NameMatch, type ProfessionalLicence } from './types';

/** The licences that the registry finds by name, and of those the ones that `match` keeps. */
export async function searchByName(context: Context, person: Person, match: NameMatch): Promise<LicencesLookup> {
  const name = await resolveName(context, person);
  const selected = new Map<NameMatch, readonly LicenceRecord[]>();
  const select = (records: readonly LicenceRecord[], by: NameMatch) => {
    const kept = selected.get(by) ?? filterByMatch(records, by, name);
    selected.set(by, kept);
    return kept;
  };
  const review = reviewer(
    context,
    person,
    licencesSource((records) => select(records, NameMatch.EXACT)),
  );
  let isNameless = false;
  const toFields = (payload: readonly LicenceRecord[] | null, answer: Answer<readonly LicenceRecord[]>) => {
    isNameless = payload?.some(({ nombre, paterno }) => nombre === null && paterno === null) ?? false;
    const records = mapRecords(answer, payload && select(payload, match), toLicence);
    return { records, setAside: records && (payload?.length ?? 0) - records.length };
  };
  const lookup = await lookUp(context, searchLicences, name, toFields, review);
  const { outcome, records, setAside } = lookup;
  // An answer to another question says nothing of this person.
  const isMismatch = lookup.problems.some(({ code }) => code === 'ANSWER_MISMATCH');
  if (outcome !== 'FOUND' || records?.length !== 0 || isMismatch) return lookup;
  // Whose a licence without a name is, nobody knows.
  if (isNameless) {
    const unusable = problem('UNUSABLE_ANSWER', { message: 'A licence came without a name, and none with this one.' });
    return {
      ...lookup,
      outcome: 'UNAVAILABLE',
      problems: [...lookup.problems, unusable],
      records: null,
      setAside: null,
    };
  }
  const message = `The registry returned ${setAside} record(s), none of which is this person's. \`match: ALL\` shows them.`;
  return withoutMatch(lookup, message);
}

function filterByMatch(
  records: readonly LicenceRecord[],
  match: NameMatch,
  name: Validated<ResolvedName>,
): readonly LicenceRecord[] {
  if (match === NameMatch.ALL || isInvalid(name)) return records;
  return records.filter((record) => isSamePerson(record, name.value));
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
