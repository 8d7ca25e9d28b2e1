import { parseIsoDate } from '../../../identifiers/dates';
import { checkCurp, checkName, checkNss } from '../../../identifiers/subjects';
import { type Language, say, type Text } from '../../../identifiers/text';
import { isMismatch } from '../../../registry/answer/interpret';
import { type Problem, problem } from '../../../registry/answer/problem';
import type { LookupContext } from '../../core/context';
import { isInvalid, type Review, validate } from '../../core/lookup/lookup';
import { domainCodes } from '../codes';
import type { LicenceRecord, StatusRecord } from '../education/endpoints';
import type { AccountRecord, CreditRecord } from '../housing/endpoints';
import type { IdentityRecord } from '../population/endpoints';
import {
  type IdentityFacts,
  type IdentityField,
  type IdentityRegistry,
  type IdentitySource,
  isBornOn,
  toFacts,
} from './facts';
import type { Person } from './types';

const nothing: readonly Problem[] = [];

/** Returns a review that adds each answer to the collector and reports contradictions with what the caller provided. */
export function reviewer<Payload>(
  context: LookupContext,
  person: Person,
  source: IdentitySource<Payload>,
): Review<Payload> {
  return (answer, asked) => {
    person.collector.addQuestion(context, asked);
    const { payload } = answer;
    if (payload === null) return nothing;
    const mismatch = isMismatch(answer);
    person.collector.addAnswer(source, payload, mismatch);
    // A mismatch is reported elsewhere. With an NSS alone, only the NSS could be contradicted, and that is a mismatch too.
    if ((person.curp === null && person.name === null) || mismatch || context.dataSource.isDryRun) return nothing;
    const provided = providedFacts(context, person);
    const texts = source.toTexts(payload, false);
    const fields = new Set(texts.flatMap((text) => conflictingFields(toFacts(text), provided)));
    return fields.size === 0 ? nothing : [identityConflict(source.registry, fields)];
  };
}

/** Returns the identity that the caller provided. Invalid identifiers are ignored. */
export function providedFacts(context: LookupContext, { nss, curp, name, collector }: Person): IdentityFacts {
  const ifValid = (value: string | null, rule: Parameters<typeof validate>[2]): string | null =>
    value === null || isInvalid(validate(context, value, rule, [])) ? null : value;
  return collector.providedFacts(() =>
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

const fieldNames: Readonly<Record<IdentityField, Text & { readonly argument: 'nss' | 'curp' | 'name' }>> = {
  NSS: { english: 'NSS', spanish: 'NSS', argument: 'nss' },
  CURP: { english: 'CURP', spanish: 'CURP', argument: 'curp' },
  RFC: { english: 'RFC (its date of birth)', spanish: 'RFC (su fecha de nacimiento)', argument: 'curp' },
  NAMES: { english: 'names', spanish: 'nombres', argument: 'name' },
  PATERNAL_SURNAME: { english: 'first surname', spanish: 'primer apellido', argument: 'name' },
  MATERNAL_SURNAME: { english: 'second surname', spanish: 'segundo apellido', argument: 'name' },
  BIRTH_DATE: { english: 'date of birth', spanish: 'fecha de nacimiento', argument: 'curp' },
  SEX: { english: 'sex', spanish: 'sexo', argument: 'curp' },
};
const comparedFields = Object.keys(fieldNames) as readonly IdentityField[];

const registryNames: Readonly<Record<IdentityRegistry, Text>> = {
  HOUSING_FUND: { english: 'the housing fund', spanish: 'el Infonavit' },
  POPULATION_REGISTRY: { english: 'the population registry', spanish: 'el Renapo' },
  EDUCATION_MINISTRY: { english: 'the education ministry', spanish: 'la SEP' },
};

/** Returns the problem of a contradiction. Its message names fields and the registry, but no values, because messages may be logged. */
function identityConflict(registry: IdentityRegistry, conflicting: ReadonlySet<IdentityField>): Problem {
  // A different CURP usually implies a different date and sex, so only the CURP is reported.
  const parts: readonly IdentityField[] = conflicting.has('CURP') ? ['RFC', 'BIRTH_DATE', 'SEX'] : [];
  const fields = [...conflicting].filter((field) => !parts.includes(field)).map((field) => fieldNames[field]);
  const byArgument = [...new Set(fields.map(({ argument }) => argument))];
  const differences = (language: Language, against: string): string =>
    byArgument
      .map((argument) => {
        const words = fields.filter((field) => field.argument === argument).map((field) => say(field, language));
        return `${words.join(', ')} (${against} \`${argument}\`)`;
      })
      .join('; ');
  const { english, spanish } = registryNames[registry];
  return problem(domainCodes.IDENTITY_CONFLICT, {
    message: `The answer of ${english} contradicts what you provided: ${differences('en', 'against')}. The identifiers may belong to different people. Do not use the record for this person.`,
    spanish: `Lo que responde ${spanish} contradice los datos dados: ${differences('es', 'frente a')}. Los identificadores pueden ser de personas distintas. No use el registro para esta persona.`,
    ...(byArgument.length === 1 ? { path: byArgument } : {}),
  });
}

export const creditSource: IdentitySource<CreditRecord> = {
  registry: 'HOUSING_FUND',
  echoes: ['NSS'],
  toTexts: ({ nss, scurp, rfc, nombre, apPaterno, apMaterno }) => [
    { nss, curp: scurp, rfc, names: nombre, paternalSurname: apPaterno, maternalSurname: apMaterno },
  ],
};

export const accountSource: IdentitySource<AccountRecord> = {
  registry: 'HOUSING_FUND',
  echoes: ['NSS'],
  toTexts: ({ NSS }) => [{ nss: NSS }],
};

export const identitySource: IdentitySource<IdentityRecord> = {
  registry: 'POPULATION_REGISTRY',
  echoes: ['CURP'],
  toTexts: ({ curp, nombres, apellidoPaterno, apellidoMaterno, fechaNacimiento, sexo }) => [
    {
      curp,
      names: nombres,
      paternalSurname: apellidoPaterno,
      maternalSurname: apellidoMaterno,
      birthDate: parseIsoDate(fechaNacimiento),
      sex: sexo,
    },
  ],
};

export const statusSource: IdentitySource<StatusRecord> = {
  registry: 'EDUCATION_MINISTRY',
  // Date of birth and sex come from the CURP.
  echoes: ['CURP', 'BIRTH_DATE', 'SEX'],
  toTexts: ({ curp }) => [{ curp }],
};

const nameFields: readonly IdentityField[] = ['NAMES', 'PATERNAL_SURNAME', 'MATERNAL_SURNAME'];

/**
 * Returns the source for a search by name. `select` returns the person's records, because the search also finds others with the same
 * name. An answer that is a mismatch is used whole.
 */
export function licencesSource(
  select: (records: readonly LicenceRecord[]) => readonly LicenceRecord[],
): IdentitySource<readonly LicenceRecord[]> {
  return {
    registry: 'EDUCATION_MINISTRY',
    echoes: nameFields,
    toTexts: (records, isMismatch) =>
      (isMismatch ? records : select(records)).map(({ curp, nombre, paterno, materno, sexo }) => ({
        curp,
        names: nombre,
        paternalSurname: paterno,
        maternalSurname: materno,
        sex: sexo,
      })),
  };
}
