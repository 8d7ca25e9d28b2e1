import { type GraphQLSchema, isObjectType } from 'graphql';
import { Extensions } from 'type-graphql';
import type { AnyEndpoint } from '../../registry/endpoint/endpoint';

export interface PaidFieldExtension {
  readonly endpoint: AnyEndpoint;
  /** Number of calls that a router should assume for a field that returns a list of lookups. */
  readonly calls: number;
}

/** Marks a field that makes paid calls. The endpoint provides its price for routers (`@cost`) and its entry in the catalogue. */
export function PaidField(endpoint: AnyEndpoint, calls = 1): MethodDecorator {
  const paidField: PaidFieldExtension = { endpoint, calls };
  return Extensions({ paidField });
}

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
