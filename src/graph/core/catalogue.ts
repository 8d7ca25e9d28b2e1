import { type GraphQLSchema, isObjectType } from 'graphql';
import type { AnyEndpoint } from '../../registry/endpoint/endpoint';
import type { PaidFieldExtension } from './paid-field';

export interface CatalogueEntry {
  readonly endpoint: AnyEndpoint;
  readonly fields: readonly string[];
}

/** Returns the endpoints that the graph calls. It reads them from the schema, so no separate list has to be maintained. */
export function buildCatalogue(schema: GraphQLSchema): readonly CatalogueEntry[] {
  const fields = new Map<AnyEndpoint, string[]>();
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      const paidField = field.extensions.paidField as PaidFieldExtension | undefined;
      if (paidField === undefined) continue;
      fields.set(paidField.endpoint, [...(fields.get(paidField.endpoint) ?? []), `${type.name}.${field.name}`]);
    }
  }
  return [...fields].map(([endpoint, coordinates]) => ({ endpoint, fields: coordinates.sort() }));
}
