import { Arg, type ClassType, Ctx, Extensions, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Argument, EndpointDefinition, Given } from '../../../schema/extension';
import type { LookupContext } from '../../graph/core/context';
import {
  combine,
  isInvalid,
  lookUp,
  mapRecords,
  type Review,
  type Validated,
  valid,
  validate,
} from '../../graph/core/lookup/lookup';
import type { RegistryLookup } from '../../graph/core/lookup/types';
import { PaidField } from '../../graph/core/paid-field';
import { resolveRegistration } from '../../graph/domains/employer/identifiers';
import { Employer } from '../../graph/domains/employer/types';
import { resolveCurp, resolveNss } from '../../graph/domains/person/identifiers';
import { lookUpPerson } from '../../graph/domains/person/review';
import { Person } from '../../graph/domains/person/types';
import { isObject } from '../../identifiers/json-value';
import { toPlainText } from '../../identifiers/normalise';
import { checkCurp, checkEmployerRegistration, checkNss, checkRfc } from '../../identifiers/subjects';
import { invalidFormat, type RuleViolation } from '../../identifiers/violation';
import type { AnyEndpoint } from '../../registry/endpoint/endpoint';
import type { PersonEndpoint } from '../../registry/endpoint/person';
import { EndpointFileError, type Question, type Row } from './to-endpoint';
import { toLookupType, toRecord, types } from './to-types';

const rules: Readonly<Partial<Record<Argument['type'], (value: string) => RuleViolation | null>>> = {
  NSS: checkNss,
  CURP: checkCurp,
  RFC: checkRfc,
  EmployerRegistration: checkEmployerRegistration,
};

function checkArgument(context: LookupContext, argument: Argument, value: unknown): Validated<string | number | null> {
  if (value === null) return valid(null);
  const rule = (text: string): RuleViolation | null => {
    const broken = rules[argument.type]?.(text) ?? null;
    return broken ?? wordsOf(argument, text);
  };
  const text = validate(context, toPlainText(String(value)), rule, [argument.argument]);
  return 'value' in text && argument.type === 'Int' ? valid(Number(value)) : text;
}

/** Returns what the check of a file says about a value. Throws if it says neither nothing nor words, before anything is paid. */
function wordsOf({ argument, check }: Argument, value: string): RuleViolation | null {
  const words: unknown = check?.(value) ?? null;
  if (words === null) return null;
  if (isObject(words) && typeof words.english === 'string' && typeof words.spanish === 'string')
    return invalidFormat(words.english, words.spanish);
  throw new EndpointFileError(`check of the argument ${argument} returned neither null nor english and spanish`);
}

/**
 * Resolves the arguments, and the identifiers of the person or the employer, to a question. No identifier is looked up for a question that is
 * invalid anyway.
 */
async function resolveQuestion(
  context: LookupContext,
  { input }: EndpointDefinition,
  parent: object | null,
  values: Question,
): Promise<Validated<Question>> {
  const isGiven = (each: Given | Argument): boolean =>
    'argument' in each || (parent as Question | null)?.[each.from] !== null;
  const inOrder = Object.values(input).sort((left, right) => Number(isGiven(right)) - Number(isGiven(left)));
  const parts: Validated<object>[] = [];
  for (const each of inOrder) {
    if (!isGiven(each) && parts.some(isInvalid)) break;
    parts.push(await resolvePart(context, each, parent, values));
  }
  const combined = combine(Object.fromEntries(Object.entries(parts)));
  return isInvalid(combined) ? combined : valid(Object.assign({}, ...Object.values(combined.value)), combined.warnings);
}

function resolvePart(
  context: LookupContext,
  input: Given | Argument,
  parent: object | null,
  values: Question,
): Validated<object> | Promise<Validated<object>> {
  if ('argument' in input)
    return combine({ [input.argument]: checkArgument(context, input, values[input.argument] ?? null) });
  if (input.from === 'registration') return combine({ registration: resolveRegistration(context, parent as Employer) });
  return input.from === 'nss' ? resolveNss(context, parent as Person) : resolveCurp(context, parent as Person);
}

const parents = { Query: null, Person: () => Person, Employer: () => Employer } as const;

/** Returns a class with the field of an endpoint, which is resolved by the same functions as padron's own. */
export function toResolver(definition: EndpointDefinition, endpoint: AnyEndpoint): ClassType {
  const [parentName, name] = definition.field.split('.') as [keyof typeof parents, string];
  const args = Object.values(definition.input).flatMap((each) => ('argument' in each ? each : []));
  const resolve = (context: LookupContext, parent: object | null, ...values: readonly (string | number | null)[]) =>
    lookUpEndpoint(
      context,
      definition,
      endpoint,
      parent,
      Object.fromEntries(args.map(({ argument }, index) => [argument, values[index] ?? null])),
    );
  class EndpointResolver {}
  const { prototype } = EndpointResolver;
  const descriptor = { value: resolve };
  Object.defineProperty(prototype, name, descriptor);
  const parent = parents[parentName];
  const lookup = toLookupType(definition);
  const declareField = parent === null ? Query : FieldResolver;
  declareField(() => lookup, { nullable: true, description: definition.description })(prototype, name, descriptor);
  PaidField(endpoint)(prototype, name, descriptor);
  Extensions({ spanish: definition.spanish })(prototype, name, descriptor);
  Ctx()(prototype, name, 0);
  Root()(prototype, name, 1);
  // Decorators of parameters run from last to first, and the schema reverses that.
  for (const [index, { argument, type, isOptional = false, description }] of [...args.entries()].reverse())
    Arg(argument, () => types[type], { nullable: isOptional, description })(prototype, name, index + 2);
  if (parent === null) Resolver()(EndpointResolver);
  else Resolver(parent)(EndpointResolver);
  return EndpointResolver;
}

function lookUpEndpoint(
  context: LookupContext,
  definition: EndpointDefinition,
  endpoint: AnyEndpoint,
  parent: object | null,
  values: Question,
): Promise<RegistryLookup> {
  const { record, envelope } = definition;
  const ask = async (review?: Review<Question, unknown>): Promise<RegistryLookup> => {
    const question = await resolveQuestion(context, definition, parent, values);
    return lookUp(
      context,
      endpoint,
      question,
      (payload: unknown, answer) =>
        envelope === 'list'
          ? { records: mapRecords(answer, payload as Row[] | null, (row) => toRecord(record, row)) }
          : { record: payload && toRecord(record, payload as Row) },
      review,
    );
  };
  if (!definition.field.startsWith('Person.')) return ask();
  return lookUpPerson(context, parent as Person, endpoint as PersonEndpoint<Question, unknown>, ask);
}
