import type { Problem } from '../../registry/answer/problem';
import type { Context } from '../context';
import { type CreditRecord, findCredit } from '../housing/endpoints';
import { combine, isInvalid, missingIdentifier, type Validated, valid, validate } from '../lookup/input';
import { fetchPrerequisite } from '../lookup/lookup';
import { findIdentity, type IdentityRecord } from '../population/endpoints';
import { cleanName } from '../validation/normalise';
import { checkCurp, checkName, checkNss } from '../validation/person';
import { reviewer } from './review';
import { creditSource, identitySource } from './sources';
import type { Person, PersonNameInput } from './types';

/** A name with what else identifies its owner: enough to tell a person from a namesake. */
export interface ResolvedName {
  readonly names: string;
  readonly paternalSurname: string;
  readonly maternalSurname: string | null;
  readonly curp: string | null;
}

/** The NSS is never looked up: no registry is asked for it. */
export function resolveNss(context: Context, person: Person): Validated<string> {
  if (person.nss === null) return missingIdentifier('the NSS', ['nss']);
  return validate(context, person.nss, checkNss, ['nss']);
}

/** The CURP as given, else as the housing fund knows it by NSS. */
export async function resolveCurp(context: Context, person: Person): Promise<Validated<string>> {
  if (person.curp !== null) return validate(context, person.curp, checkCurp, ['curp']);
  const credit = await fetchCredit(context, person);
  const curp = credit.record?.scurp ?? null;
  if (curp !== null) {
    const identifier = validate(context, curp, checkCurp, ['curp']);
    if (!isInvalid(identifier)) return valid(identifier.value, [...credit.problems, ...identifier.warnings]);
  }
  return missingIdentifier('the CURP', ['curp'], person.nss === null ? null : credit.problems);
}

/** The name as given, else as the housing fund knows it by NSS, else as the population registry knows it by CURP. */
export async function resolveName(context: Context, person: Person): Promise<Validated<ResolvedName>> {
  const givenCurp = person.curp === null ? valid(null) : validate(context, person.curp, checkCurp, ['curp']);
  if (person.name !== null) return validateName(context, person.name, givenCurp);
  const credit = await fetchCredit(context, person);
  // A price reckons with the worst: that the NSS does not lead to it and the CURP is tried.
  const worstCase = context.dataSource.isDryRun ? await fetchIdentity(context, person) : null;
  if (credit.record?.nombre && credit.record.apPaterno && worstCase?.record == null) {
    const { nombre, apPaterno, apMaterno, scurp } = credit.record;
    // A CURP that breaks its rule tells nobody apart: the fund's own does, and the caller is warned.
    const [curp, warnings] = isInvalid(givenCurp)
      ? [scurp, givenCurp.problems]
      : [givenCurp.value ?? scurp, givenCurp.warnings];
    return valid(toResolvedName(nombre, apPaterno, apMaterno, curp), [...credit.problems, ...warnings]);
  }
  const identity = await fetchIdentity(context, person);
  if (identity.record?.nombres && identity.record.apellidoPaterno) {
    const { nombres, apellidoPaterno, apellidoMaterno } = identity.record;
    return valid(toResolvedName(nombres, apellidoPaterno, apellidoMaterno, person.curp), identity.problems);
  }
  const nothingGiven = person.nss === null && person.curp === null;
  return missingIdentifier('the name', ['name'], nothingGiven ? null : [...credit.problems, ...identity.problems]);
}

function validateName(
  context: Context,
  name: PersonNameInput,
  curp: Validated<string | null>,
): Validated<ResolvedName> {
  const part = (value: string, field: string): Validated<string> =>
    // The search compares text: accents taken apart or a blank too many would be a paid answer that finds nobody.
    validate(context, cleanName(value), checkName, ['name', field]);
  const maternal = cleanName(name.maternalSurname ?? '');
  return combine<ResolvedName>({
    names: part(name.names, 'names'),
    paternalSurname: part(name.paternalSurname, 'paternalSurname'),
    maternalSurname: maternal === '' ? valid(null) : part(maternal, 'maternalSurname'),
    curp,
  });
}

function toResolvedName(names: string, paternal: string, maternal: string | null, curp: string | null): ResolvedName {
  return {
    names: cleanName(names),
    paternalSurname: cleanName(paternal),
    maternalSurname: maternal === null ? null : cleanName(maternal),
    curp,
  };
}

/** What a registry answered on the way to another; beside a record, `problems` are what to mind in it. */
interface Prerequisite<Wire> {
  readonly record: Wire | null;
  readonly problems: readonly Problem[];
}

function fetchCredit(context: Context, person: Person): Promise<Prerequisite<CreditRecord>> {
  const { nss } = person;
  const identifier = nss === null ? null : validate(context, nss, checkNss, ['nss']);
  const review = reviewer(context, person, creditSource);
  return fetchByIdentifier(identifier, (value) => fetchPrerequisite(context, findCredit, { nss: value }, review));
}

function fetchIdentity(context: Context, person: Person): Promise<Prerequisite<IdentityRecord>> {
  const { curp } = person;
  const identifier = curp === null ? null : validate(context, curp, checkCurp, ['curp']);
  const review = reviewer(context, person, identitySource);
  return fetchByIdentifier(identifier, (value) => fetchPrerequisite(context, findIdentity, { curp: value }, review));
}

/** What a registry answers to an identifier that the caller gave: nothing without it, and no question with a wrong one. */
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
