import { type GraphQLOutputType, type GraphQLSchema, getNamedType, isObjectType, isRequiredArgument } from 'graphql';
import type { Graph } from '../../../src/graph/schema/build-schema';

/** Everything below a field that its own call tells: all of it but the fields that put a question of their own. */
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
