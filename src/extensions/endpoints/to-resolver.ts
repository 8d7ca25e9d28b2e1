import { Arg, type ClassType, Ctx, Extensions, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Argument, EndpointDefinition } from '../../../schema/extension';
import type { LookupContext } from '../../graph/core/context';
import {
  combine,
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
import { toPlainText } from '../../identifiers/normalise';
import { checkCurp, checkEmployerRegistration, checkNss, checkRfc } from '../../identifiers/subjects';
import { invalidFormat, type RuleViolation } from '../../identifiers/violation';
import type { AnyEndpoint } from '../../registry/endpoint/endpoint';
import type { PersonEndpoint } from '../../registry/endpoint/person';
import type { Question, Row } from './to-endpoint';
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
    const words = broken === null ? (argument.check?.(text) ?? null) : null;
    return words === null ? broken : invalidFormat(words.english, words.spanish);
  };
  const text = validate(context, toPlainText(String(value)), rule, [argument.argument]);
  return 'value' in text && argument.type === 'Int' ? valid(Number(value)) : text;
}

/** Resolves the arguments, and the identifiers of the person or the employer, to a question. */
async function resolveQuestion(
  context: LookupContext,
  { input }: EndpointDefinition,
  parent: object | null,
  values: Question,
): Promise<Validated<Question>> {
  const parts = Object.values(input).map(async (each): Promise<Validated<object>> => {
    if ('argument' in each)
      return combine({ [each.argument]: checkArgument(context, each, values[each.argument] ?? null) });
    if (each.from === 'registration')
      return combine({ registration: resolveRegistration(context, parent as Employer) });
    return each.from === 'nss' ? resolveNss(context, parent as Person) : resolveCurp(context, parent as Person);
  });
  const combined = combine(Object.fromEntries(Object.entries(await Promise.all(parts))));
  if (!('value' in combined)) return combined;
  return valid(Object.assign({}, ...Object.values(combined.value)), combined.warnings);
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
