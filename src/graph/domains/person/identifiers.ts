import { type NameParts, namesToSearch, secondSurname } from '../../../identifiers/names';
import { cleanName } from '../../../identifiers/normalise';
import { checkCurp, checkName, checkNss } from '../../../identifiers/subjects';
import { isRemark, type Problem } from '../../../registry/answer/problem';
import type { DerivedQuestion } from '../../../registry/endpoint/endpoint';
import type { IdentifierFinder, PersonEndpoint, PersonTexts } from '../../../registry/endpoint/person';
import type { LookupContext } from '../../core/context';
import {
  combine,
  fetchPrerequisite,
  isInvalid,
  missingIdentifier,
  type Valid,
  type Validated,
  valid,
  validate,
} from '../../core/lookup/lookup';
import type { NameQuestion } from '../education/endpoints';
import { findCredit, type NssQuestion } from '../housing/endpoints';
import { type CurpQuestion, findIdentity } from '../population/endpoints';
import { reviewNow } from './review';
import type { Person, PersonNameInput } from './types';

/** The name to search, the whole name to compare records with, and a CURP, which tells the person from others with the same name. */
export interface ResolvedName extends NameQuestion {
  readonly wholeName: NameParts;
  readonly curp: string | null;
}

/** The chains by which padron finds what a field needs, in the order in which it asks. Endpoints of files join them. */
const ownFinders: readonly IdentifierFinder[] = [
  { from: 'nss', finds: 'curp', endpoint: findCredit },
  { from: 'nss', finds: 'name', endpoint: findCredit },
  { from: 'curp', finds: 'name', endpoint: findIdentity },
];

const rules = { nss: checkNss, curp: checkCurp };

/** Returns the NSS as given, at once, or looks it up if an endpoint of a file finds it. */
export function resolveNss(
  context: LookupContext,
  person: Person,
): Validated<NssQuestion> | Promise<Validated<NssQuestion>> {
  const check = (nss: string) => combine({ nss: validate(context, nss, checkNss, ['nss']) });
  return person.nss === null ? find(context, person, 'nss', ({ nss }) => (nss ? check(nss) : null)) : check(person.nss);
}

/** Returns the CURP as given, or looks it up in the housing fund by NSS. */
export async function resolveCurp(context: LookupContext, person: Person): Promise<Validated<CurpQuestion>> {
  const check = (curp: string) => combine({ curp: validate(context, curp, checkCurp, ['curp']) });
  if (person.curp !== null) return check(person.curp);
  return find(context, person, 'curp', ({ curp }) => (curp ? check(curp) : null));
}

/** Returns the name as given, or looks it up in the housing fund by NSS, then in the population registry by CURP. */
export async function resolveName(context: LookupContext, person: Person): Promise<Validated<ResolvedName>> {
  const givenCurp = person.curp === null ? valid(null) : validate(context, person.curp, checkCurp, ['curp']);
  if (person.name !== null) return validateName(context, person.name, givenCurp);
  return find(context, person, 'name', (texts, from) => {
    const found = texts.curp ?? null;
    if (from === 'curp') return toResolvedName(context, texts, found ?? person.curp);
    // If the given CURP is invalid, the one of the registry is used and the caller is warned.
    const name = toResolvedName(context, texts, isInvalid(givenCurp) ? found : (givenCurp.value ?? found));
    const warnings = isInvalid(givenCurp) ? givenCurp.problems : givenCurp.warnings;
    return name && valid(name.value, warnings);
  });
}

const nouns = { nss: 'the NSS', curp: 'the CURP', name: 'the name' } as const;

/**
 * Asks the endpoints that find something, until one has it. They only use what the caller gave, so that no endpoint asks for what another one
 * would have to find. An estimate asks all of them: it assumes that the earlier ones do not have it.
 */
async function find<Question extends object>(
  context: LookupContext,
  person: Person,
  wanted: IdentifierFinder['finds'],
  read: (texts: PersonTexts, from: IdentifierFinder['from']) => Validated<Question> | null,
): Promise<Validated<Question & DerivedQuestion>> {
  let causes: readonly Problem[] | null = null;
  let found: Validated<Question & DerivedQuestion> | null = null;
  for (const { from, finds, endpoint } of [...ownFinders, ...context.finders]) {
    const value = person[from];
    if (finds !== wanted || value === null) continue;
    const { texts, problems } = await ask(context, person, endpoint, from, value);
    const question = texts && read(texts, from);
    if (question !== null && !isInvalid(question)) {
      const derived = { ...question.value, foundBy: { kind: from, value } };
      found = valid(derived, [...withoutRemarks(problems), ...question.warnings]);
      if (!context.dataSource.isDryRun) return found;
    }
    causes = [...(causes ?? []), ...problems];
    // It may arrive with the call that is still running, so another registry is not paid for it.
    if (problems.some(({ code }) => code === 'STILL_RUNNING')) break;
  }
  return found ?? missingIdentifier(nouns[wanted], [wanted], causes);
}

/** Asks an endpoint about an identifier of the caller. Makes no call if it is invalid. If there is a record, `problems` are its warnings. */
async function ask<Payload>(
  context: LookupContext,
  person: Person,
  endpoint: PersonEndpoint<object, Payload>,
  from: IdentifierFinder['from'],
  value: string,
): Promise<{ readonly texts: PersonTexts | null; readonly problems: readonly Problem[] }> {
  const identifier = validate(context, value, rules[from], [from]);
  if (isInvalid(identifier)) return { texts: null, problems: identifier.problems };
  const review = reviewNow(context, person, endpoint);
  const { payload, problems } = await fetchPrerequisite(context, endpoint, { [from]: identifier.value }, review);
  const [texts = null] =
    payload === null || endpoint.person === 'NAMES_NO_PERSON' ? [] : endpoint.person.toTexts(payload);
  return { texts, problems: [...identifier.warnings, ...problems] };
}

/** The lookup of the registry itself reports a remark. */
const withoutRemarks = (problems: readonly Problem[]): readonly Problem[] => problems.filter((each) => !isRemark(each));

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
  { names = null, paternalSurname = null, maternalSurname = null }: PersonTexts,
  curp: string | null,
): Valid<ResolvedName> | null {
  const second = secondSurname(maternalSurname);
  const parts = [names, paternalSurname, ...(second === null ? [] : [second])];
  const isName = (text: string | null): text is string =>
    text !== null && !isInvalid(validate(context, cleanName(text), checkName, []));
  if (!parts.every(isName)) return null;
  const [given = '', first = '', last = null] = parts.map(cleanName);
  return valid(toSearch({ names: given, paternalSurname: first, maternalSurname: last, curp }));
}
