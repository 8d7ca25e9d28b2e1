import type { IntrospectionQuery } from 'graphql';
import type { GraphqlResponse } from './graphql-response';

/** Returns the introspected schema in the order in which people look for its fields and types: federation's own come last. */
export function orderSchema(response: GraphqlResponse): GraphqlResponse {
  const data = response.data as IntrospectionQuery | null | undefined;
  if (!data) return response;
  const { __schema: schema } = data;
  const roots = [schema.queryType.name, schema.mutationType?.name];
  const types = schema.types
    .map((type) => {
      if (type.kind !== 'OBJECT' || !roots.includes(type.name)) return type;
      return { ...type, fields: type.fields.toSorted((left, right) => rank(left.name) - rank(right.name)) };
    })
    .toSorted(
      (left, right) => rank(left.name, left.kind) - rank(right.name, right.kind) || left.name.localeCompare(right.name),
    );
  return { ...response, data: { ...data, __schema: { ...schema, types } } };
}

function rank(name: string, kind = ''): number {
  if (/^(_|link__|federation__)/.test(name)) return 5;
  if (/^person$/i.test(name)) return 0;
  if (/^employer$/i.test(name)) return 1;
  if (kind === 'SCALAR') return 4;
  // Money, batches and the ledger.
  return /registry|^unit/i.test(name) ? 3 : 2;
}
