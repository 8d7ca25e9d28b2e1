import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Context } from '../core/context';

type Field = GraphQLField<unknown, Context>;

/**
 * Skips fields without calls in a dry run: each mutation that is not paid, and each query that leads to no paid field. They return null,
 * so a dry run neither changes nor reads data that padron stores. Mutations with `maxUnits` start a batch, whose limit is recorded.
 */
export function skipFreeFieldsInDryRun(schema: GraphQLSchema, priced: ReadonlySet<string>): void {
  const mutations = fieldsOf(schema.getMutationType()).filter((field) => !isPaid(field));
  const queries = fieldsOf(schema.getQueryType()).filter(
    (field) => !isPaid(field) && !priced.has(getNamedType(field.type).name),
  );
  for (const field of [...mutations, ...queries].filter(({ type }) => !isNonNullType(type))) skipInDryRun(field);
}

/** Returns the names of the types that have a paid field, or lead to one. */
export function findPricedTypes(schema: GraphQLSchema): ReadonlySet<string> {
  const types = Object.values(schema.getTypeMap());
  const priced = new Set<string>();
  for (let previousSize = -1; previousSize < priced.size; ) {
    previousSize = priced.size;
    for (const type of types) if (leadsToPaidField(schema, type, priced)) priced.add(type.name);
  }
  return priced;
}

function leadsToPaidField(schema: GraphQLSchema, type: GraphQLNamedType, priced: ReadonlySet<string>): boolean {
  if (isAbstractType(type)) return schema.getPossibleTypes(type).some((possible) => priced.has(possible.name));
  return fieldsOf(type).some((field) => isPaid(field) || priced.has(getNamedType(field.type).name));
}

function skipInDryRun(field: Field): void {
  const { name, resolve } = field;
  if (resolve === undefined) return;
  field.resolve = (root, args, context, info) => {
    const { dataSource } = context;
    if (!dataSource.isDryRun) return resolve(root, args, context, info);
    if (startsBatch(field)) dataSource.recordBatch?.(name, args.id, args.maxUnits ?? null);
    return null;
  };
}

function fieldsOf(type: GraphQLNamedType | null | undefined): readonly Field[] {
  return isObjectType(type) ? Object.values(type.getFields()) : [];
}

export const startsBatch = ({ args }: Field): boolean => args.some(({ name }) => name === 'maxUnits');

function isPaid({ extensions }: Field): boolean {
  return extensions.paidField !== undefined;
}
