import type { GraphQLScalarType } from 'graphql';
import { Extensions, ID, Int } from 'type-graphql';
import type { Column, ColumnType, EndpointDefinition, RecordTable } from '../../../schema/extension';
import { type FieldTable, fields, nullable, Output } from '../../graph/core/fields';
import { lookupFields } from '../../graph/core/lookup/types';
import * as scalars from '../../graph/core/scalars/scalars';
import { parseDecimal } from '../../identifiers/decimals';
import { padNss } from '../../identifiers/normalise';
import type { Row } from './to-endpoint';

// biome-ignore lint/suspicious/noExplicitAny: scalars have values of every type.
type Scalar = GraphQLScalarType<any, any> | StringConstructor | BooleanConstructor;
type TypeClass = abstract new (...parameters: never[]) => object;

export const types: Readonly<Record<ColumnType, Scalar>> = {
  ...{ String, ID, Int, Boolean, Decimal: scalars.Decimal, Date: scalars.DateScalar, DateTime: scalars.DateTime },
  ...{ NSS: scalars.Nss, CURP: scalars.Curp, RFC: scalars.Rfc, EmployerRegistration: scalars.EmployerRegistration },
};

/** Declares a type of the graph, which has the name of its class. */
function declare(name: string, description: string, base: new () => object): TypeClass {
  const { [name]: declared = base } = { [name]: class extends base {} };
  Output(description)(declared);
  return declared;
}

/** The types of tables, of which several groups may have the same. */
const declaredTypes = new WeakMap<RecordTable, TypeClass>();

function toRecordType(record: RecordTable): TypeClass {
  const existing = declaredTypes.get(record);
  if (existing !== undefined) return existing;
  const { type, description, fields: table } = record;
  const entries = Object.entries(table).map(([name, field]) => {
    const text = `${field.description} (\`${field.column}\`)`;
    if ('type' in field) return [name, nullable(types[field.type], text)];
    const inner = toRecordType(field.record);
    return [name, nullable(field.isList === true ? [inner] : inner, text)];
  });
  const declared = declare(type, description, fields(Object.fromEntries(entries) as FieldTable));
  for (const [name, { spanish }] of Object.entries(table)) Extensions({ spanish })(declared.prototype, name);
  declaredTypes.set(record, declared);
  return declared;
}

/** Declares the types of an endpoint. Returns that of its lookup. */
export function toLookupType({ record, envelope, registry }: EndpointDefinition): TypeClass {
  const type = toRecordType(record);
  const table =
    envelope === 'list'
      ? { records: nullable([type], 'The records. Empty if NOT_FOUND, null if the question has no answer.') }
      : { record: nullable(type, 'The record; null unless FOUND.') };
  const base: new () => object = lookupFields<FieldTable>(table);
  return declare(`${record.type}Lookup`, `The answer of ${registry.english} to one question.`, base);
}

/** Returns a record of the graph. An identifier that cannot be read is null there. */
export function toRecord(table: RecordTable, row: Row): object {
  const values = Object.entries(table.fields).map(([name, field]) => {
    const value = row[field.column] ?? null;
    if (value === null) return [name, null];
    if ('type' in field) return [name, convert(field, value)];
    const inner = (each: unknown): object => toRecord(field.record, each as Row);
    return [name, Array.isArray(value) ? value.map(inner) : inner(value)];
  });
  return Object.fromEntries(values);
}

function convert({ type }: Column, value: unknown): unknown {
  if (type === 'Decimal') return parseDecimal(value as string);
  return type === 'NSS' ? padNss(value as string) : value;
}
