import { type NameParts, namesToSearch, secondSurname } from '../../../identifiers/names';
import { cleanName } from '../../../identifiers/normalise';
import { checkCurp, checkName, checkNss } from '../../../identifiers/subjects';
import { isRemark, type Problem } from '../../../registry/answer/problem';
import type { Subject } from '../../../registry/endpoint/endpoint';
import type { LookupContext } from '../../core/context';
import {
  combine,
  fetchPrerequisite,
  isInvalid,
  missingIdentifier,
  type Validated,
  valid,
  validate,
} from '../../core/lookup/lookup';
import type { NameQuestion } from '../education/endpoints';
import { type CreditRecord, findCredit } from '../housing/endpoints';
import { type CurpQuestion, findIdentity, type IdentityRecord } from '../population/endpoints';
import { reviewNow } from './review';
import type { Person, PersonNameInput } from './types';

/** The name to search, the whole name to compare records with, and a CURP, which tells the person from others with the same name. */
export interface ResolvedName extends NameQuestion {
  readonly wholeName: NameParts;
  readonly curp: string | null;
}

/** Returns the NSS as given. It is never looked up, because no registry returns it for another identifier. */
export function resolveNss(context: LookupContext, person: Person): Validated<string> {
  if (person.nss === null) return missingIdentifier('the NSS', ['nss']);
  return validate(context, person.nss, checkNss, ['nss']);
}

/** Returns the CURP as given, or looks it up in the housing fund by NSS. */
export async function resolveCurp(context: LookupContext, person: Person): Promise<Validated<CurpQuestion>> {
  if (person.curp !== null) return combine({ curp: validate(context, person.curp, checkCurp, ['curp']) });
  const credit = await fetchCredit(context, person);
  const curp = credit.record?.scurp ?? null;
  if (curp !== null) {
    const identifier = validate(context, curp, checkCurp, ['curp']);
    if (!isInvalid(identifier)) {
      const question = { curp: identifier.value, foundBy: toSubject('nss', person.nss) };
      return valid(question, [...withoutRemarks(credit.problems), ...identifier.warnings]);
    }
  }
  return missingIdentifier('the CURP', ['curp'], person.nss === null ? null : credit.problems);
}

/** Returns the name as given, or looks it up in the housing fund by NSS, then in the population registry by CURP. */
export async function resolveName(context: LookupContext, person: Person): Promise<Validated<ResolvedName>> {
  const givenCurp = person.curp === null ? valid(null) : validate(context, person.curp, checkCurp, ['curp']);
  if (person.name !== null) return validateName(context, person.name, givenCurp);
  const credit = await fetchCredit(context, person);
  // An estimate assumes the worst case: the lookup by NSS finds no name and the one by CURP is needed too.
  const worstCase = context.dataSource.isDryRun ? await fetchIdentity(context, person) : null;
  if (credit.record !== null && worstCase?.record == null) {
    const { nombre, apPaterno, apMaterno, scurp } = credit.record;
    // If the given CURP is invalid, the one of the housing fund is used and the caller is warned.
    const [curp, warnings] = isInvalid(givenCurp)
      ? [scurp, givenCurp.problems]
      : [givenCurp.value ?? scurp, givenCurp.warnings];
    const name = toResolvedName(context, nombre, apPaterno, apMaterno, curp);
    const found = name && { ...name, foundBy: toSubject('nss', person.nss) };
    if (found !== null) return valid(found, [...withoutRemarks(credit.problems), ...warnings]);
  }
  // The name may arrive with the call that is still running, so another registry is not paid for it.
  if (credit.problems.some(({ code }) => code === 'STILL_RUNNING'))
    return missingIdentifier('the name', ['name'], credit.problems);
  const identity = await fetchIdentity(context, person);
  if (identity.record !== null) {
    const { nombres, apellidoPaterno, apellidoMaterno, curp } = identity.record;
    const name = toResolvedName(context, nombres, apellidoPaterno, apellidoMaterno, curp ?? person.curp);
    const found = name && { ...name, foundBy: toSubject('curp', person.curp) };
    if (found !== null) return valid(found, withoutRemarks(identity.problems));
  }
  const nothingGiven = person.nss === null && person.curp === null;
  return missingIdentifier('the name', ['name'], nothingGiven ? null : [...credit.problems, ...identity.problems]);
}

function validateName(
  context: LookupContext,
  name: PersonNameInput,
  curp: Validated<string | null>,
): Validated<ResolvedName> {
  const part = (value: string, field: string): Validated<string> =>
    // The search compares text: decomposed accents or an extra space would be a paid call without a match.
    validate(context, cleanName(value), checkName, ['name', field]);
  const maternal = secondSurname(name.maternalSurname);
  const parts = combine<Omit<ResolvedName, 'wholeName'>>({
    names: part(name.names, 'names'),
    paternalSurname: part(name.paternalSurname, 'paternalSurname'),
    maternalSurname: maternal === null ? valid(null) : part(maternal, 'maternalSurname'),
    curp,
  });
  return isInvalid(parts) ? parts : valid(toSearch(parts.value), parts.warnings);
}

function toSearch({ names, paternalSurname, maternalSurname, curp }: Omit<ResolvedName, 'wholeName'>): ResolvedName {
  const wholeName = { names, paternalSurname, maternalSurname };
  return { names: namesToSearch(names), paternalSurname, maternalSurname, wholeName, curp };
}

/** Returns the name of a registry. Returns null if it lacks a part or if letters were lost, so that no call is paid for a damaged name. */
function toResolvedName(
  context: LookupContext,
  names: string | null,
  paternal: string | null,
  maternal: string | null,
  curp: string | null = null,
): ResolvedName | null {
  const second = secondSurname(maternal);
  const parts = [names, paternal, ...(second === null ? [] : [second])];
  const isName = (text: string | null): text is string =>
    text !== null && !isInvalid(validate(context, cleanName(text), checkName, []));
  if (!parts.every(isName)) return null;
  const [given = '', first = '', last = null] = parts.map(cleanName);
  return toSearch({ names: given, paternalSurname: first, maternalSurname: last, curp });
}

const toSubject = (kind: 'nss' | 'curp', value: string | null): Subject | null =>
  value === null ? null : { kind, value };

/** The lookup of the registry itself reports a remark. */
const withoutRemarks = (problems: readonly Problem[]): readonly Problem[] => problems.filter((each) => !isRemark(each));

/** Answer of a lookup that another call needs. If there is a record, `problems` are its warnings. */
interface Prerequisite<Wire> {
  readonly record: Wire | null;
  readonly problems: readonly Problem[];
}

function fetchCredit(context: LookupContext, person: Person): Promise<Prerequisite<CreditRecord>> {
  const { nss } = person;
  const identifier = nss === null ? null : validate(context, nss, checkNss, ['nss']);
  const review = reviewNow(context, person, findCredit);
  return fetchByIdentifier(identifier, (value) => fetchPrerequisite(context, findCredit, { nss: value }, review));
}

function fetchIdentity(context: LookupContext, person: Person): Promise<Prerequisite<IdentityRecord>> {
  const { curp } = person;
  const identifier = curp === null ? null : validate(context, curp, checkCurp, ['curp']);
  const review = reviewNow(context, person, findIdentity);
  return fetchByIdentifier(identifier, (value) => fetchPrerequisite(context, findIdentity, { curp: value }, review));
}

/** Calls a registry with an identifier of the caller. Makes no call if the identifier is missing or invalid. */
function fetchByIdentifier<Wire>(
  identifier: Validated<string> | null,
  fetch: (identifier: string) => Promise<{ readonly payload: Wire | null; readonly problems: readonly Problem[] }>,
): Promise<Prerequisite<Wire>> {
  if (identifier === null) return Promise.resolve({ record: null, problems: [] });
  if (isInvalid(identifier)) return Promise.resolve({ record: null, problems: identifier.problems });
  return fetch(identifier.value).then(({ payload, problems }) => ({
    record: payload,
    problems: [...identifier.warnings, ...problems],
  }));
}
