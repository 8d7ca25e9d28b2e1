import { isMismatch } from '../../registry/answer/interpret';
import { type Problem, problem } from '../../registry/answer/problem';
import type { Context } from '../context';
import { isInvalid, validate } from '../lookup/input';
import type { Review } from '../lookup/lookup';
import { checkCurp, checkName, checkNss } from '../validation/person';
import {
  type IdentityFacts,
  type IdentityField,
  type IdentityRegistry,
  isBornOn,
  isConsistent,
  toFacts,
} from './facts';
import type { IdentitySource } from './inquiry';
import type { Person } from './types';

const nothing: readonly Problem[] = [];

/** Takes note of each answer about a person, and says whether it contradicts what the caller provided. */
export function reviewer<Payload>(context: Context, person: Person, source: IdentitySource<Payload>): Review<Payload> {
  return (answer) => {
    const { payload } = answer;
    if (payload === null) return nothing;
    const mismatch = isMismatch(answer);
    person.inquiry.addAnswer(source, payload, mismatch);
    // By the NSS alone nothing can be contradicted but the NSS itself: that is a mismatch, as is any answer to another question.
    if ((person.curp === null && person.name === null) || mismatch || context.dataSource.isDryRun) return nothing;
    const provided = providedFacts(context, person);
    const texts = source.toTexts(payload, false);
    if (texts.every((text) => isConsistent(text, provided))) return nothing;
    const fields = new Set(texts.flatMap((text) => conflictingFields(toFacts(text), provided)));
    return fields.size === 0 ? nothing : [identityConflict(source.registry, fields)];
  };
}

/** What the caller provided. An identifier that breaks its rule says nothing of anybody. */
export function providedFacts(context: Context, { nss, curp, name, inquiry }: Person): IdentityFacts {
  const ifValid = (value: string | null, rule: Parameters<typeof validate>[2]): string | null =>
    value === null || isInvalid(validate(context, value, rule, [])) ? null : value;
  return inquiry.providedFacts(() =>
    toFacts({
      nss: ifValid(nss, checkNss),
      curp: ifValid(curp, checkCurp),
      names: ifValid(name?.names ?? null, checkName),
      paternalSurname: ifValid(name?.paternalSurname ?? null, checkName),
      maternalSurname: ifValid(name?.maternalSurname ?? null, checkName),
    }),
  );
}

function conflictingFields(facts: IdentityFacts, provided: IdentityFacts): readonly IdentityField[] {
  return comparedFields.filter((field) => {
    if (field === 'RFC') return contradictsBirthDate(facts.RFC, provided.BIRTH_DATE);
    return facts[field] !== null && provided[field] !== null && facts[field] !== provided[field];
  });
}

const contradictsBirthDate = (rfc: string | null, birthDate: string | null): boolean =>
  rfc !== null && birthDate !== null && !isBornOn(rfc, birthDate);

/** In the words of a message, English and Spanish, and by which argument the caller said it. */
const fieldNames: Readonly<Record<IdentityField, readonly [english: string, spanish: string, argument: Argument]>> = {
  NSS: ['NSS', 'NSS', 'nss'],
  CURP: ['CURP', 'CURP', 'curp'],
  RFC: ['RFC (its date of birth)', 'RFC (su fecha de nacimiento)', 'curp'],
  NAMES: ['names', 'nombres', 'name'],
  PATERNAL_SURNAME: ['first surname', 'primer apellido', 'name'],
  MATERNAL_SURNAME: ['second surname', 'segundo apellido', 'name'],
  BIRTH_DATE: ['date of birth', 'fecha de nacimiento', 'curp'],
  SEX: ['sex', 'sexo', 'curp'],
};
const comparedFields = Object.keys(fieldNames) as readonly IdentityField[];

type Argument = 'nss' | 'curp' | 'name';

const registryNames: Readonly<Record<IdentityRegistry, readonly [english: string, spanish: string]>> = {
  HOUSING_FUND: ['the housing fund', 'el Infonavit'],
  POPULATION_REGISTRY: ['the population registry', 'el Renapo'],
  EDUCATION_MINISTRY: ['the education ministry', 'la SEP'],
};

/** Names fields and the registry, never values: messages travel into logs and error trackers. */
function identityConflict(registry: IdentityRegistry, conflicting: ReadonlySet<IdentityField>): Problem {
  // Another CURP has another date and sex as a rule: the code itself is said, not its parts.
  const parts: readonly IdentityField[] = conflicting.has('CURP') ? ['RFC', 'BIRTH_DATE', 'SEX'] : [];
  const fields = [...conflicting].filter((field) => !parts.includes(field)).map((field) => fieldNames[field]);
  const byArgument = [...new Set(fields.map(([, , argument]) => argument))];
  const differences = (language: 0 | 1, against: string): string =>
    byArgument
      .map((argument) => {
        const words = fields.filter((field) => field[2] === argument).map((field) => field[language]);
        return `${words.join(', ')} (${against} \`${argument}\`)`;
      })
      .join('; ');
  const [english, spanish] = registryNames[registry];
  return problem('IDENTITY_CONFLICT', {
    message: `The answer of ${english} contradicts what was asked with: ${differences(0, 'against')}. The identifiers may belong to different people. Do not take the record for this person.`,
    spanish: `Lo que responde ${spanish} contradice lo consultado: ${differences(1, 'frente a')}. Los identificadores pueden ser de personas distintas. No tome el registro por esta persona.`,
    ...(byArgument.length === 1 ? { path: byArgument } : {}),
  });
}
