import { z } from 'zod';
import type {
  Argument,
  ColumnType,
  EndpointDefinition,
  Given,
  IdentityPart,
  RecordTable,
} from '../../../schema/extension';
import { parseCompactDate, parseDayFirstDate, parseInstant, parseIsoDate } from '../../identifiers/dates';
import {
  type AnyEndpoint,
  amount,
  code,
  columns,
  endpoint,
  flag,
  identifier,
  ifReadable,
  integer,
  isPlaceholder,
  isRegistration,
  placeholder,
  readAs,
  registration,
  type Subject,
  type SubjectKind,
  stripLeadingZeros,
  text,
} from '../../registry/endpoint/endpoint';
import {
  type IdentityField,
  type PersonSource,
  type PersonTexts,
  personEndpoint,
} from '../../registry/endpoint/person';

/** Values of a question by the names of the graph: arguments, and identifiers of a person or an employer. */
export type Question = Readonly<Record<string, string | number | null>>;
export type Row = Readonly<Record<string, unknown>>;

/** Columns by type. A value that one cannot read becomes null with a remark. An identifier is undefined then. */
const columnsByType: Readonly<Record<ColumnType, z.ZodType>> = {
  String: text,
  ID: text,
  Int: integer,
  Boolean: flag,
  Decimal: amount,
  Date: readAs((value) => parseIsoDate(value) ?? parseCompactDate(value) ?? parseDayFirstDate(value) ?? undefined),
  DateTime: readAs((value) => parseInstant(value) ?? undefined),
  NSS: identifier,
  CURP: code,
  RFC: code,
  EmployerRegistration: registration,
};

/** Kinds of subjects by the type of an argument. */
const subjectKinds: Readonly<Partial<Record<Argument['type'], SubjectKind>>> = {
  NSS: 'nss',
  CURP: 'curp',
  RFC: 'rfc',
  EmployerRegistration: 'registration',
};

export const nameOf = (input: Given | Argument): string => ('from' in input ? input.from : input.argument);
const kindOf = (input: Given | Argument): SubjectKind | null =>
  'from' in input ? input.from : (subjectKinds[input.type] ?? input.subject ?? null);

function toSchema({ fields }: RecordTable): z.ZodType<Row> {
  const shape = Object.values(fields).map((field): readonly [string, z.ZodType] => {
    if ('type' in field) return [field.column, columnsByType[field.type]];
    const inner = toSchema(field.record);
    const group: z.ZodType<unknown> = field.isList === true ? z.array(inner) : inner;
    return [field.column, ifReadable(group.nullable())];
  });
  return columns(Object.fromEntries(shape));
}

/** A part of an identity that a record names. `asked` is its name in the question, or null if the question does not have it. */
interface NamedPart {
  readonly part: IdentityPart;
  readonly column: string;
  readonly asked: string | null;
}

function namedParts({ names, record, input }: EndpointDefinition): readonly NamedPart[] {
  return (Object.entries(names ?? {}) as [IdentityPart, string][]).map(([part, field]) => {
    const asked = Object.values(input).find((each) => kindOf(each) === part);
    return { part, column: record.fields[field]?.column ?? field, asked: asked === undefined ? null : nameOf(asked) };
  });
}

/** Whether a record is about the identifiers of a question. One that it lacks may be anybody's, except in a record that finds an identifier. */
const matchesRow = (parts: readonly NamedPart[], row: Row, question: Question, finds: boolean): boolean =>
  parts.every(({ part, column, asked }) => {
    const [answered, value] = [row[column], asked === null ? null : (question[asked] ?? null)];
    // It is undefined if it cannot be read, and then equals no other.
    if (answered === undefined) return false;
    if (value === null || answered === null) return value === null || !finds;
    const [left, right] = [String(answered), String(value)];
    if (part === 'nss') return stripLeadingZeros(left) === stripLeadingZeros(right);
    return part === 'registration' ? isRegistration(left, right) : left === right;
  });

const rowsOf = (payload: unknown): readonly Row[] => (Array.isArray(payload) ? payload : [payload]) as Row[];

/** Returns the endpoint that a definition describes, made as padron's own are. `registry` is that of identities, if its record names a person. */
export function toEndpoint(definition: EndpointDefinition, registry: string | null): AnyEndpoint {
  const { name, permission, encoding, envelope, units, batch = false, input, finds, sandbox, record } = definition;
  const [method, path] = definition.address.split(' ') as ['GET' | 'POST', string];
  const inputs = Object.entries(input);
  const parts = namedParts(definition);
  const row = toSchema(record);
  const partsOf = (question: Question) =>
    inputs.flatMap(([parameter, each]) => {
      const value = question[nameOf(each)] ?? null;
      return value === null ? [] : { parameter, each, value };
    });
  const common = {
    ...{ name, method, path, encoding, envelope, units, permission, batch, registry: definition.registry.name },
    scope: `padron_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
    schema: (envelope === 'list' ? z.array(row) : row) as z.ZodType,
    toWire: (question: Question) =>
      Object.fromEntries(
        partsOf(question).map(({ parameter, each, value }) => [parameter, write(each, parameter, value)]),
      ),
    subjects: (question: Question): readonly Subject[] =>
      partsOf(question).flatMap(({ each, value }) => {
        const kind = kindOf(each);
        return kind === null ? [] : { kind, value: String(value) };
      }),
    argumentPaths: Object.fromEntries(inputs.map(([parameter, each]) => [parameter, [nameOf(each)]])),
    matches:
      parts.length === 0
        ? ('NAMES_NOBODY' as const)
        : (payload: unknown, question: Question) =>
            rowsOf(payload).every((each) => matchesRow(parts, each, question, finds !== undefined)),
    sandbox: { inputs: inputs.map(toSandboxInput), answer: sandbox ?? null },
    ...(finds && { placeholderAnswer: (question: Question) => placeholderFor(finds, parts, record, question) }),
  };
  if (!definition.field.startsWith('Person.')) return endpoint(common);
  if (registry === null) return personEndpoint({ ...common, person: 'NAMES_NO_PERSON' });
  const person: PersonSource<unknown> = {
    registry,
    echoes: parts.flatMap(({ part, asked }) => (asked === null ? [] : (identityFields[part] ?? []))),
    toTexts: (payload): readonly PersonTexts[] =>
      rowsOf(payload).map((each) => Object.fromEntries(parts.map(({ part, column }) => [part, each[column]]))),
  };
  return personEndpoint({ ...common, person });
}

/** A function of a file returned what cannot be used. The log has the name of an error, and never a message, which may quote a caller. */
export class EndpointFileError extends Error {
  constructor(override readonly name: string) {
    super();
  }
}

/** Fields of an identity that a question may have. */
const identityFields: Readonly<Partial<Record<IdentityPart, IdentityField>>> = { nss: 'NSS', curp: 'CURP', rfc: 'RFC' };

/** Returns a value as the service takes it. Throws for one that cannot be sent, before anything is paid. A placeholder of a dry run stays. */
function write(input: Given | Argument, parameter: string, value: string | number): string | number {
  if (input.write === undefined || isPlaceholder(String(value))) return value;
  const written: unknown = input.write(String(value));
  if (typeof written === 'string' || Number.isFinite(written)) return written as string | number;
  throw new EndpointFileError(`write of the parameter ${parameter} returned neither text nor a number`);
}

function toSandboxInput([name, input]: readonly [string, Given | Argument]) {
  return { name, kind: kindOf(input), isOptional: 'isOptional' in input && input.isOptional === true };
}

/** Returns the answer that a dry run assumes: the identifier that only the registry knows. */
function placeholderFor(finds: 'nss', parts: readonly NamedPart[], { fields }: RecordTable, question: Question): Row {
  const blank = Object.fromEntries(Object.values(fields).map(({ column }) => [column, null]));
  const column = parts.find(({ part }) => part === finds)?.column ?? '';
  return { ...blank, [column]: placeholder(`${finds} of ${Object.values(question).join()}`) };
}
