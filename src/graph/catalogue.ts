import { type GraphQLSchema, isObjectType } from 'graphql';
import type { AnyEndpoint } from '../registry/endpoint';
import type { Asking } from './paid-field';

/** An endpoint and the schema coordinates of the fields that ask it. */
export interface CatalogueEntry {
  readonly endpoint: AnyEndpoint;
  readonly fields: readonly string[];
}

/** The endpoints that the graph asks, read from the schema itself: a field cannot be forgotten in a list of its own. */
export function catalogueOf(schema: GraphQLSchema): readonly CatalogueEntry[] {
  const fields = new Map<AnyEndpoint, string[]>();
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      const asks = field.extensions.asks as Asking | undefined;
      if (asks === undefined) continue;
      fields.set(asks.endpoint, [...(fields.get(asks.endpoint) ?? []), `${type.name}.${field.name}`]);
    }
  }
  return [...fields].map(([endpoint, coordinates]) => ({ endpoint, fields: coordinates.sort() }));
}
