import type { GraphQLLeafType } from 'graphql';

/** A scalar or enum value as it stands in the answer. */
export function written(type: GraphQLLeafType, value: unknown): unknown {
  const serialized: unknown = type.serialize(value);
  if (serialized === null || serialized === undefined) throw new Error(`${type.name} wrote a value as nothing.`);
  return serialized;
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
