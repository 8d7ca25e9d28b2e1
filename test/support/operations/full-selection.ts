import { type GraphQLOutputType, type GraphQLSchema, getNamedType, isObjectType, isRequiredArgument } from 'graphql';
import type { Graph } from '../../../src/graph/schema/build-schema';

/** Returns a selection of everything that the field's call provides, without the fields that make their own calls. */
export function fullSelection({ schema, catalogue }: Graph, coordinate: string): string {
  const paid = new Set(catalogue.flatMap(({ fields }) => fields));
  return selectionOf(typeAt(schema, coordinate), paid);
}

function typeAt(schema: GraphQLSchema, coordinate: string): GraphQLOutputType {
  const [parent = '', name = ''] = coordinate.split('.');
  const type = schema.getType(parent);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  if (field === undefined) throw new Error(`The schema has no ${coordinate}.`);
  return field.type;
}

function selectionOf(output: GraphQLOutputType, paid: ReadonlySet<string>): string {
  const type = getNamedType(output);
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields())
    .filter(({ name, args }) => !paid.has(`${type.name}.${name}`) && !args.some(isRequiredArgument))
    .map((field) => `${field.name} ${selectionOf(field.type, paid)}`);
  return `{ ${fields.join(' ')} }`;
}
