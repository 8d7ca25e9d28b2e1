import { likenessOf, type NameParts } from '../../../identifiers/names';
import { checkCurp, checkName, checkNss } from '../../../identifiers/subjects';
import { type Language, say, type Text } from '../../../identifiers/text';
import type { Answer } from '../../../registry/answer/answer';
import { isMismatch } from '../../../registry/answer/interpret';
import { type Problem, problem } from '../../../registry/answer/problem';
import type { RegistryName } from '../../../registry/endpoint/endpoint';
import type { IdentityField, PersonEndpoint, PersonTexts } from '../../../registry/endpoint/person';
import type { LookupContext } from '../../core/context';
import { isInvalid, noteProblems, type Review, validate } from '../../core/lookup/lookup';
import type { RegistryLookup } from '../../core/lookup/types';
import { domainCodes } from '../codes';
import type { CollectedFacts, IdentityRegistry } from './collector';
import { findContradictions } from './consistency';
import { compareFacts, type IdentityFacts, namePartsOf, type ReplacedCurps, toFacts } from './facts';
import type { Person } from './types';

const nothing: readonly Problem[] = [];

interface Reviewed<Question, Payload> {
  readonly question: Question;
  readonly answer: Answer<Payload>;
  readonly read: () => readonly PersonTexts[];
}

/** Selects the records of an answer that are about the person, if its question finds those of others too. */
type Select<Payload> = (payload: Payload) => Payload;

/**
 * Makes the lookup of a field of `Person`: `ask` makes it with a review that gives its answer to the collector. What the answers show about
 * the person is known when all lookups of the operation have settled. Only the field `problems` waits for that.
 */
export function lookUpPerson<Question, Payload, Lookup extends RegistryLookup>(
  context: LookupContext,
  person: Person,
  endpoint: PersonEndpoint<Question, Payload>,
  ask: (review: Review<Question, Payload>) => Promise<Lookup>,
  select?: Select<Payload>,
): Promise<Lookup> {
  const { collector } = person;
  let found: Reviewed<Question, Payload> | null = null;
  const lookup = ask((answer, question) => {
    found = collect(context, person, endpoint, answer, question, select);
    return nothing;
  });
  collector.track(registryOf(endpoint.registry), lookup);
  if (context.dataSource.isDryRun) return lookup;
  const review = collector.whenSettled().then((findings) => {
    if (found === null) return nothing;
    const problems = reviewSettled(context, person, endpoint.registry, found, findings);
    noteProblems(context, endpoint, found.question, found.answer, problems);
    return problems;
  });
  return lookup.then((made) => ({ ...made, review }));
}

/** Reviews the answer of a call that another call needs, which cannot wait for more answers. */
export function reviewNow<Question, Payload>(
  context: LookupContext,
  person: Person,
  endpoint: PersonEndpoint<Question, Payload>,
): Review<Question, Payload> {
  return (answer, question) => {
    const found = collect(context, person, endpoint, answer, question);
    return found === null || context.dataSource.isDryRun
      ? nothing
      : compareWithProvided(context, person, endpoint.registry, found);
  };
}

function collect<Question, Payload>(
  context: LookupContext,
  { collector }: Person,
  endpoint: PersonEndpoint<Question, Payload>,
  answer: Answer<Payload>,
  question: Question,
  select: Select<Payload> = (payload) => payload,
): Reviewed<Question, Payload> | null {
  const { person: source, registry } = endpoint;
  collector.addQuestion(context, { endpoint, question, answer });
  const { payload } = answer;
  if (payload === null || source === 'NAMES_NOBODY') return null;
  const mismatch = isMismatch(answer);
  // An answer to another question is used whole.
  const read = () => source.toTexts(mismatch ? payload : select(payload));
  collector.addAnswer({ registry: registryOf(registry), echoes: source.echoes, isMismatch: mismatch, payload, read });
  return { question, answer, read };
}

function reviewSettled<Question, Payload>(
  context: LookupContext,
  person: Person,
  registry: RegistryName,
  found: Reviewed<Question, Payload>,
  findings: CollectedFacts,
): readonly Problem[] {
  const own = compareWithProvided(context, person, registry, found);
  if (
    findings.statements.length < 2 ||
    isMismatch(found.answer) ||
    own.some(({ code }) => code === 'IDENTITY_CONFLICT')
  )
    return own;
  const contradictions = findContradictions(providedFacts(context, person), findings);
  return contradictions.length === 0 ? own : [contradiction(contradictions), ...own];
}

/** Compares an answer with what the caller gave. A mismatch is reported elsewhere. */
function compareWithProvided(
  context: LookupContext,
  person: Person,
  registry: RegistryName,
  { answer, read }: Reviewed<unknown, unknown>,
): readonly Problem[] {
  // With an NSS alone, only the NSS could be contradicted, and that is a mismatch too.
  if ((person.curp === null && person.name === null) || isMismatch(answer)) return nothing;
  const provided = providedFacts(context, person);
  const { replaced } = person.collector;
  const texts = read();
  const compared = texts.map((each) => compareFacts(toFacts(each, replaced), provided));
  const fields = comparedFields.filter((field) => compared.some((each) => each[field] === 'DIFFERENT'));
  const conflicts =
    fields.length === 0
      ? nothing
      : [
          identityConflict(
            registryOf(registry),
            fields,
            compared.some(({ CURP }) => CURP === 'SAME'),
          ),
        ];
  const remarks = fields.length === 0 ? texts.flatMap((each) => nameRemark(each, provided, replaced)) : nothing;
  return [...conflicts, ...remarks.slice(0, 1), ...texts.flatMap((each) => curpRemark(each, person.curp))];
}

/** Returns the remark on a name that the registry writes differently. Its values are in fields, because messages may be logged. */
function nameRemark(texts: PersonTexts, provided: IdentityFacts, replaced: ReplacedCurps): readonly Problem[] {
  const [recorded, given] = [namePartsOf(toFacts(texts, replaced)), namePartsOf(provided)];
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

const wholeName = ({ names, paternalSurname, maternalSurname }: NameParts): string =>
  [names, paternalSurname, maternalSurname].filter((part) => part !== null).join(' ');

const registryOf = (registry: RegistryName): IdentityRegistry =>
  registry === 'housing' ? 'HOUSING_FUND' : registry === 'population' ? 'POPULATION_REGISTRY' : 'EDUCATION_MINISTRY';

/** Returns the identity that the caller provided. Invalid identifiers are ignored. */
export function providedFacts(context: LookupContext, { nss, curp, name, collector }: Person): IdentityFacts {
  const ifValid = (value: string | null, rule: Parameters<typeof validate>[2]): string | null =>
    value === null || isInvalid(validate(context, value, rule, [])) ? null : value;
  const texts = {
    nss: ifValid(nss, checkNss),
    curp: ifValid(curp, checkCurp),
    names: ifValid(name?.names ?? null, checkName),
    paternalSurname: ifValid(name?.paternalSurname ?? null, checkName),
    maternalSurname: ifValid(name?.maternalSurname ?? null, checkName),
  };
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

const registryNames: Readonly<Record<IdentityRegistry, Text>> = {
  HOUSING_FUND: { english: 'the housing fund', spanish: 'el Infonavit' },
  POPULATION_REGISTRY: { english: 'the population registry', spanish: 'el Renapo' },
  EDUCATION_MINISTRY: { english: 'the education ministry', spanish: 'la SEP' },
};

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
  const [sameCurp, mismaCurp] = isName
    ? [
        ' The CURP is the same and the names are not: it may be the CURP of a relative.',
        ' La CURP es la misma y el nombre no: puede ser la CURP de un familiar.',
      ]
    : ['', ''];
  const { english, spanish } = registryNames[registry];
  return problem(domainCodes.IDENTITY_CONFLICT, {
    message: `The answer of ${english} contradicts what you provided: ${differences('en', 'against')}.${sameCurp} The identifiers may belong to different people. Do not use the record for this person.`,
    spanish: `Lo que responde ${spanish} contradice los datos dados: ${differences('es', 'frente a')}.${mismaCurp} Los identificadores pueden ser de personas distintas. No use el registro para esta persona.`,
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
