import { doesNameFitCurp, likenessOf, wholeName } from '../../../identifiers/names';
import { checkCurp, checkName, checkNss } from '../../../identifiers/subjects';
import { type Language, say, type Text } from '../../../identifiers/text';
import type { Answer } from '../../../registry/answer/answer';
import { isMismatch } from '../../../registry/answer/interpret';
import { isRemark, type Problem, problem } from '../../../registry/answer/problem';
import type { IdentityField, IdentityRegistry, PersonEndpoint, PersonTexts } from '../../../registry/endpoint/person';
import type { LookupContext } from '../../core/context';
import { isInvalid, type Review, recordProblem, validate } from '../../core/lookup/lookup';
import type { RegistryLookup } from '../../core/lookup/types';
import { domainCodes } from '../codes';
import type { CollectedAnswer, ReviewedAnswers } from './collector';
import { findContradictions } from './consistency';
import { compareFacts, type IdentityFacts, namePartsOf, toFacts } from './facts';
import { type Person, registryNames } from './types';

const nothing: readonly Problem[] = [];

/** Number of records of an answer to another question that are compared. Each of them contradicts. */
const maxMismatched = 20;

/** Selects the records of an answer that are about the person, if its question finds those of others too. */
type Select<Payload> = (payload: Payload) => Payload;

/**
 * Makes the lookup of a field of `Person`: `ask` makes it with a review that gives its answer to the collector. The problems that the answers show
 * together are found when all lookups of the operation have settled. Only the field `problems` waits for that.
 */
export function lookUpPerson<Question, Payload, Lookup extends RegistryLookup>(
  context: LookupContext,
  person: Person,
  endpoint: PersonEndpoint<Question, Payload>,
  ask: (review: Review<Question, Payload>) => Promise<Lookup>,
  select?: Select<Payload>,
): Promise<Lookup> {
  const { collector } = person;
  let collected: CollectedAnswer | null = null;
  const lookup = ask((answer, question) => {
    collected = collect(context, person, endpoint, answer, question, { isShown: true, select });
    return nothing;
  });
  collector.track(endpoint.person === 'NAMES_NO_PERSON' ? null : endpoint.person.registry, lookup);
  const remarks = inputRemarks(context, person);
  if (remarks.length > 0) context.dataSource.noteProblems?.(remarks);
  if (context.dataSource.isDryRun) return lookup;
  const reviewed = reviewWhenSettled(context, person);
  return lookup.then((found) => {
    const made = remarks.length === 0 ? found : { ...found, problems: [...remarks, ...found.problems] };
    if (collected === null) return made;
    const answer = collected;
    return { ...made, review: () => reviewed.then((problems) => problems.get(answer) ?? nothing) };
  });
}

/** Returns the remark on a name that cannot be that of the CURP, which is known before anything is paid. */
function inputRemarks(context: LookupContext, person: Person): readonly Problem[] {
  const { curp, name } = person;
  if (curp === null || name === null) return nothing;
  const { CURP, NAMES, PATERNAL_SURNAME } = providedFacts(context, person);
  if (CURP === null || NAMES === null || PATERNAL_SURNAME === null || doesNameFitCurp(name, curp)) return nothing;
  return [problem(domainCodes.NAME_NOT_OF_CURP, { path: ['name'] })];
}

/** Reviews the answer of a call that another call needs, which cannot wait for more answers. */
export function reviewNow<Question, Payload>(
  context: LookupContext,
  person: Person,
  endpoint: PersonEndpoint<Question, Payload>,
): Review<Question, Payload> {
  return (answer, question) => {
    const collected = collect(context, person, endpoint, answer, question, { isShown: false });
    if (collected === null || context.dataSource.isDryRun) return nothing;
    return compareWithProvided(person, collected, providedFacts(context, person));
  };
}

function collect<Question, Payload>(
  context: LookupContext,
  { collector }: Person,
  endpoint: PersonEndpoint<Question, Payload>,
  answer: Answer<Payload>,
  question: Question,
  {
    isShown,
    select = (payload) => payload,
  }: { readonly isShown: boolean; readonly select?: Select<Payload> | undefined },
): CollectedAnswer | null {
  const { person } = endpoint;
  collector.addQuestion(context, { endpoint, question, answer });
  const { payload } = answer;
  if (payload === null || person === 'NAMES_NO_PERSON') return null;
  const { registry, echoes, toTexts } = person;
  const mismatch = isMismatch(answer);
  const read = () => (mismatch ? toTexts(payload).slice(0, maxMismatched) : toTexts(select(payload)));
  const collected = { endpoint, question, answer, registry, echoes, isMismatch: mismatch, isShown, read };
  collector.addAnswer(collected);
  return collected;
}

/** Reviews all answers about a person, and adds each problem to the ledger's entry of its answer. */
function reviewWhenSettled(context: LookupContext, person: Person): Promise<ReviewedAnswers> {
  return person.collector.whenReviewed((findings) => {
    const provided = providedFacts(context, person);
    const contradictions = findings.statements.length < 2 ? [] : findContradictions(provided, findings);
    const reviewed = findings.answers.map((collected) => {
      const own = compareWithProvided(person, collected, provided);
      const isAdded = contradictions.length > 0 && !collected.isMismatch && own.every(isRemark);
      return [collected, isAdded ? [contradiction(contradictions), ...own] : own] as const;
    });
    for (const [{ endpoint, question, answer, isShown }, problems] of reviewed) {
      recordProblem(context, endpoint, question, answer, problems);
      if (isShown && problems.length > 0) context.dataSource.noteProblems?.(problems);
    }
    return new Map(reviewed);
  });
}

/** Compares an answer with what the caller gave. A mismatch is reported elsewhere. */
function compareWithProvided(
  person: Person,
  { registry, isMismatch, read }: CollectedAnswer,
  provided: IdentityFacts,
): readonly Problem[] {
  // With an NSS alone, only the NSS could be contradicted, and that is a mismatch too.
  if ((person.curp === null && person.name === null) || isMismatch) return nothing;
  const texts = read();
  const records = texts.map((each) => toFacts(each, person.collector.replaced));
  const compared = records.map((facts) => compareFacts(facts, provided));
  const fields = comparedFields.filter((field) => compared.some((each) => each[field] === 'DIFFERENT'));
  const replacedCurps = texts.flatMap((each) => curpRemark(each, person.curp));
  if (fields.length === 0)
    return [...records.flatMap((facts) => nameRemark(facts, provided)).slice(0, 1), ...replacedCurps];
  const isSameCurp = compared.some(({ CURP }) => CURP === 'SAME');
  return [identityConflict(registry, fields, isSameCurp), ...replacedCurps];
}

/** Returns the remark on a name that the registry writes differently. Its values are in fields, because messages may be logged. */
function nameRemark(facts: IdentityFacts, provided: IdentityFacts): readonly Problem[] {
  const [recorded, given] = [namePartsOf(facts), namePartsOf(provided)];
  if (likenessOf(recorded, given) !== 'VARIANT') return nothing;
  return [
    problem(domainCodes.NAME_WRITTEN_DIFFERENTLY, {
      path: ['name'],
      given: wholeName(given),
      recorded: wholeName(recorded),
    }),
  ];
}

function curpRemark({ curp, replacedCurp }: PersonTexts, given: string | null): readonly Problem[] {
  if (!curp || !replacedCurp || given === null || replacedCurp === curp || given === curp) return nothing;
  return [problem(domainCodes.CURP_REPLACED, { path: ['curp'], given, recorded: curp })];
}

/** Returns the identity that the caller provided. Invalid identifiers are ignored. */
export function providedFacts(context: LookupContext, { nss, curp, name, collector }: Person): IdentityFacts {
  const ifValid = (value: string | null, rule: Parameters<typeof validate>[2]): string | null =>
    value === null || isInvalid(validate(context, value, rule, [])) ? null : value;
  const texts = collector.providedTexts(() => ({
    nss: ifValid(nss, checkNss),
    curp: ifValid(curp, checkCurp),
    names: ifValid(name?.names ?? null, checkName),
    paternalSurname: ifValid(name?.paternalSurname ?? null, checkName),
    maternalSurname: ifValid(name?.maternalSurname ?? null, checkName),
  }));
  return toFacts(texts, collector.replaced);
}

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

/** Returns the problem of a contradiction. Its message names fields and the registry, but no values, because messages may be logged. */
function identityConflict(
  registry: IdentityRegistry,
  conflicting: readonly IdentityField[],
  isSameCurp: boolean,
): Problem {
  // A different CURP usually implies a different date and sex, so only the CURP is reported.
  const parts: readonly IdentityField[] = conflicting.includes('CURP') ? ['RFC', 'BIRTH_DATE', 'SEX'] : [];
  const fields = conflicting.filter((field) => !parts.includes(field)).map((field) => fieldNames[field]);
  const byArgument = [...new Set(fields.map(({ argument }) => argument))];
  const differences = (language: Language, against: string): string =>
    byArgument
      .map((argument) => {
        const words = fields.filter((field) => field.argument === argument).map((field) => say(field, language));
        return `${words.join(', ')} (${against} \`${argument}\`)`;
      })
      .join('; ');
  const isName = isSameCurp && byArgument.includes('name');
  const [sameCurp, spanishSameCurp] = isName
    ? [
        ' The CURP is the same and the names are not: it may be the CURP of a relative.',
        ' La CURP es la misma y el nombre no: puede ser la CURP de un familiar.',
      ]
    : ['', ''];
  const { english, spanish } = registryNames[registry] ?? { english: 'a registry', spanish: 'un registro' };
  return problem(domainCodes.IDENTITY_CONFLICT, {
    message: `The answer of ${english} contradicts what you provided: ${differences('en', 'against')}.${sameCurp} The identifiers may belong to different people. Do not use the record for this person.`,
    spanish: `Lo que responde ${spanish} contradice los datos dados: ${differences('es', 'frente a')}.${spanishSameCurp} Los identificadores pueden ser de personas distintas. No use el registro para esta persona.`,
    ...(byArgument.length === 1 ? { path: byArgument } : {}),
  });
}

/** Returns the problem of a lookup that agrees with the caller while other answers do not, so that any identifier may be wrong. */
function contradiction(fields: readonly IdentityField[]): Problem {
  const list = (language: Language): string => fields.map((field) => say(fieldNames[field], language)).join(', ');
  return problem(domainCodes.IDENTITY_CONFLICT, {
    message: `Other answers of this operation contradict this one or what you provided: ${list('en')}. Which identifier is wrong is unknown. Do not use the record for this person.`,
    spanish: `Otras respuestas de esta operación contradicen esta o los datos dados: ${list('es')}. No se sabe qué dato está mal. No use el registro para esta persona.`,
  });
}
