import { GraphQLBoolean, GraphQLID, type GraphQLLeafType, GraphQLString } from 'graphql';
import type { LeafShape } from './plan';

/** The kind of value that a type writes as it is; a scalar of the graph says so in its extensions. */
export function passThroughKind(type: GraphQLLeafType): 'string' | 'boolean' | null {
  if (type === GraphQLString || type === GraphQLID || type.extensions.writesTextAsItIs === true) return 'string';
  return type === GraphQLBoolean ? 'boolean' : null;
}

/** A scalar or enum value as it stands in the answer. */
export function serializeLeaf({ type, passThrough }: LeafShape, value: unknown): unknown {
  if (typeof value === passThrough) return value;
  const serialized: unknown = type.serialize(value);
  if (serialized === null || serialized === undefined) throw new Error(`${type.name} wrote a value as nothing.`);
  return serialized;
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as Partial<PromiseLike<unknown>>).then === 'function'
  );
}

export function isIterable(value: unknown): value is Iterable<unknown> {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && Symbol.iterator in value);
}

/** Nobody listens to the promises among these, now or for good, and one that fails would end the process. */
export function ignoreFailures(values: unknown): void {
  if (typeof values !== 'object' || values === null) return;
  for (const value of Object.values(values)) if (isPromise(value)) value.then(undefined, () => {});
}
