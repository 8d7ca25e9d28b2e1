import { z } from 'zod';
import { suggestName } from '../../identifiers/edit-distance';
import { isObject } from '../../identifiers/json-value';
import { types } from './to-types';

const must = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? `is missing. It must be ${what}.` : `must be ${what}.`,
});
/** Names that every object has cannot be those of a field, an argument or a column. */
const matching = (pattern: RegExp, what: string) =>
  z
    .string(must(what))
    .regex(pattern, must(what))
    .refine((name) => !((name.split('.')[1] ?? name) in Object.prototype), must(what));
const text = (what: string) => matching(/\S/, what);
const oneOf = (...values: readonly [string, ...string[]]) => z.enum(values, must(`one of ${values.join(', ')}`));
const call = (what: string) => z.custom((value) => typeof value === 'function', must(what)).optional();
const flag = z.boolean(must('true or false')).optional();
const dictionary = (what: string) => z.record(z.string(), z.unknown(), must(what));

const description = text('a description for the developers who query it');
const spanish = text('the Spanish name in headers of result files');
const column = text('the name of the column, as the service writes it');
const units = 'a whole number of units from 0 to 1,000,000';
const parts = ['nss', 'curp', 'rfc', 'registration', 'names', 'paternalSurname', 'maternalSurname', 'birthDate', 'sex'];
const write = call('a function that returns the value as the service takes it');

const shapes = {
  definition: z.strictObject({
    name: matching(/^[a-z][A-Za-z\d]*$/, 'a name such as findPostalCode'),
    field: matching(/^(Query|Person|Employer)\.[a-z]\w*$/, 'Query, Person or Employer and a name: Query.postalCode'),
    description,
    spanish,
    address: matching(
      /^(GET|POST) (?!\/sandbox\/|.*\.\.)\/[\w./~-]*$/,
      'a method and a path, such as POST /api/sepomex/buscar-codigo',
    ),
    encoding: oneOf('query', 'json'),
    envelope: oneOf('record', 'list', 'document'),
    units: z.int(must(units)).min(0, must(units)).max(1_000_000, must(units)),
    permission: matching(/^\S+$/, 'the permission of the service, or null').nullable(),
    batch: flag,
    registry: z.strictObject(
      {
        name: matching(/^[a-z][A-Za-z\d]*$/, 'a name such as postal'),
        english: text('its name in messages, such as the postal service'),
        spanish: text('its Spanish name in messages, such as el servicio postal'),
      },
      must('an object with name, english and spanish'),
    ),
    input: dictionary('an object with the parameters of the service'),
    record: z.unknown(),
    names: z
      .partialRecord(
        z.enum(parts),
        z.string(),
        must(`null, or an object of ${parts.join(', ')} and the fields that have them`),
      )
      .nullable(),
    finds: oneOf('nss').optional(),
    sandbox: call('a function that returns the payload of an answer, or null'),
  }),
  given: z.strictObject({ from: oneOf('nss', 'curp', 'registration'), write }),
  argument: z.strictObject({
    argument: matching(/^(?!foundBy$)[a-z]\w*$/, 'the name of an argument, or `from` an identifier'),
    type: oneOf('String', 'Int', 'NSS', 'CURP', 'RFC', 'EmployerRegistration'),
    description,
    isOptional: flag,
    check: call('a function that returns what is wrong, or null'),
    subject: oneOf('licence', 'certificate').optional(),
    write,
  }),
  record: z.strictObject(
    {
      type: matching(/^(?!Registry)[A-Z]\w*$/, 'the name of a type, such as Settlement'),
      description,
      fields: dictionary('an object with the fields of the record'),
    },
    must('an object with type, description and fields'),
  ),
  column: z.strictObject({ column, type: oneOf(...(Object.keys(types) as [string])), description, spanish }),
  group: z.strictObject({ column, description, spanish, record: z.unknown(), isList: flag }),
};

/** Returns what is wrong with the members of a definition: each of them, with its place and what to do. */
export function checkShape(definition: unknown): readonly string[] {
  if (!isObject(definition)) return ['must be an object that describes an endpoint. docs/extensions.md has one.'];
  try {
    return checkMembers(definition);
  } catch (error) {
    return [`cannot be read: ${String(error)}.`];
  }
}

function checkMembers(definition: Readonly<Record<string, unknown>>): readonly string[] {
  const { input, record } = definition;
  const inputs = isObject(input) ? Object.entries(input) : [];
  return [
    ...check(shapes.definition, definition, ''),
    ...inputs.flatMap(([name, each]) =>
      check(isObject(each) && 'from' in each ? shapes.given : shapes.argument, each, `input.${name}.`),
    ),
    ...checkRecord(record, 'record.'),
  ];
}

/** Maximum depth of a record. One that contains itself has no end. */
const maxDepth = 5;

function checkRecord(record: unknown, place: string, depth = 1): readonly string[] {
  if (depth > maxDepth) return [`${place}type is nested too deep. Use ${maxDepth} levels at most.`];
  const mistakes = check(shapes.record, record, place);
  if (!isObject(record) || !isObject(record.fields)) return mistakes;
  return [
    ...mistakes,
    ...Object.entries(record.fields).flatMap(([name, field]) => {
      const inner = `${place}fields.${name}.`;
      if (!/^[a-z]\w*$/.test(name) || name in Object.prototype)
        return `${inner.slice(0, -1)} must be a name such as paidOn.`;
      if (!isObject(field) || !('record' in field)) return check(shapes.column, field, inner);
      return [...check(shapes.group, field, inner), ...checkRecord(field.record, `${inner}record.`, depth + 1)];
    }),
  ];
}

function check(shape: z.ZodObject, value: unknown, place: string): readonly string[] {
  const { error } = shape.safeParse(value);
  return (error?.issues ?? []).flatMap((issue) => {
    const path = [...place.split('.').slice(0, -1), ...issue.path].join('.');
    if (issue.code !== 'unrecognized_keys') return `${path} ${issue.message}`.trim();
    const names = Object.keys(shape.shape);
    return issue.keys.map((key) => `${[path, key].filter(Boolean).join('.')} is not known. ${suggestName(key, names)}`);
  });
}
