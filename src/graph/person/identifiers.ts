import type { Problem } from '../../registry/problem';
import type { Context } from '../context';
import { type CreditRecord, findCredit } from '../housing/endpoints';
import { checked, type Given, isRefusal, known, missing, together } from '../lookup/input';
import { askOnTheWay } from '../lookup/lookup';
import { findIdentity, type IdentityRecord } from '../population/endpoints';
import { checkCurp, checkName, checkNss } from '../validation/person';
import type { Person, PersonNameInput } from './types';

/** A name with what is known of its owner: enough to tell a person from a namesake. */
export interface KnownName {
  readonly names: string;
  readonly paternalSurname: string;
  readonly maternalSurname: string | null;
  readonly curp: string | null;
}

/** The NSS is never looked up: no registry is asked for it. */
export function nssOf(context: Context, person: Person): Given<string> {
  if (person.nss === null) return missing('the NSS', ['nss']);
  return checked(context, person.nss, checkNss, ['nss']);
}

/** The CURP as given, else as the housing fund knows it by NSS. */
export async function curpOf(context: Context, person: Person): Promise<Given<string>> {
  if (person.curp !== null) return checked(context, person.curp, checkCurp, ['curp']);
  const credit = await creditOf(context, person);
  const curp = credit.record?.scurp ?? null;
  if (curp !== null) {
    const given = checked(context, curp, checkCurp, ['curp']);
    if (!isRefusal(given)) return known(given.value, [...credit.problems, ...given.warnings]);
  }
  return missing('the CURP', ['curp'], person.nss === null ? null : credit.problems);
}

/** The name as given, else as the housing fund knows it by NSS, else as the population registry knows it by CURP. */
export async function nameOf(context: Context, person: Person): Promise<Given<KnownName>> {
  const own = person.curp === null ? known(null) : checked(context, person.curp, checkCurp, ['curp']);
  if (person.name !== null) return givenName(context, person.name, own);
  const credit = await creditOf(context, person);
  // A price reckons with the worst: that the NSS does not tell and the CURP is tried.
  const worst = context.dataSource.isDryRun ? await identityOf(context, person) : null;
  if (credit.record?.nombre && credit.record.apPaterno && worst?.record == null) {
    const { nombre, apPaterno, apMaterno, scurp } = credit.record;
    // A CURP that breaks its rule tells nobody apart: the fund's own does, and the caller is warned.
    const [curp, warnings] = isRefusal(own) ? [scurp, own.problems] : [own.value ?? scurp, own.warnings];
    return known(nameAs(nombre, apPaterno, apMaterno, curp), [...credit.problems, ...warnings]);
  }
  const identity = await identityOf(context, person);
  if (identity.record?.nombres && identity.record.apellidoPaterno) {
    const { nombres, apellidoPaterno, apellidoMaterno } = identity.record;
    return known(nameAs(nombres, apellidoPaterno, apellidoMaterno, person.curp), identity.problems);
  }
  const nothingGiven = person.nss === null && person.curp === null;
  return missing('the name', ['name'], nothingGiven ? null : [...credit.problems, ...identity.problems]);
}

function givenName(context: Context, name: PersonNameInput, curp: Given<string | null>): Given<KnownName> {
  const part = (value: string, field: string): Given<string> =>
    checked(context, tidy(value), checkName, ['name', field]);
  const maternal = tidy(name.maternalSurname ?? '');
  return together<KnownName>({
    names: part(name.names, 'names'),
    paternalSurname: part(name.paternalSurname, 'paternalSurname'),
    maternalSurname: maternal === '' ? known(null) : part(maternal, 'maternalSurname'),
    curp,
  });
}

function nameAs(names: string, paternal: string, maternal: string | null, curp: string | null): KnownName {
  return {
    names: tidy(names),
    paternalSurname: tidy(paternal),
    maternalSurname: maternal === null ? null : tidy(maternal),
    curp,
  };
}

/** The search compares text: accents taken apart or a blank too many would be a paid answer that finds nobody. */
const tidy = (part: string): string => part.normalize('NFC').trim().replace(/ {2,}/g, ' ');

/** What a registry tells on the way to another; beside a record, `problems` are what to mind in it. */
interface Found<Wire> {
  readonly record: Wire | null;
  readonly problems: readonly Problem[];
}

function creditOf(context: Context, { nss }: Person): Promise<Found<CreditRecord>> {
  const given = nss === null ? null : checked(context, nss, checkNss, ['nss']);
  return foundBy(given, (value) => askOnTheWay(context, findCredit, { nss: value }));
}

function identityOf(context: Context, { curp }: Person): Promise<Found<IdentityRecord>> {
  const given = curp === null ? null : checked(context, curp, checkCurp, ['curp']);
  return foundBy(given, (value) => askOnTheWay(context, findIdentity, { curp: value }));
}

/** What a registry tells by an identifier that the caller gave: nothing without it, and no question with a wrong one. */
function foundBy<Wire>(
  given: Given<string> | null,
  ask: (identifier: string) => Promise<{ readonly payload: Wire | null; readonly problems: readonly Problem[] }>,
): Promise<Found<Wire>> {
  if (given === null) return Promise.resolve({ record: null, problems: [] });
  if (isRefusal(given)) return Promise.resolve({ record: null, problems: given.problems });
  return ask(given.value).then(({ payload, problems }) => ({
    record: payload,
    problems: [...given.warnings, ...problems],
  }));
}
