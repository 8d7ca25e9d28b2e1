import { type GraphQLFieldResolver, GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import { UnknownEntityError } from '../core/client-error';
import type { Context } from '../core/context';

/** Resolves an entity by its key without a call to a registry. Returns a promise only if it reads stored data. */
export type ReferenceResolver = (key: never, context: never) => Reference | Promise<Reference>;
type Reference = object | null;

/** Key of an entity. In a document it may hold a variable that is left out and has the name of something that every object has. */
export const Representation = new GraphQLScalarType<unknown, unknown>({
  name: '_Any',
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, Object.assign(Object.create(null), variables)),
});

/** Number of representations of unknown types that fail one by one. More of them fail the field: graphql-js takes long to make each error. */
const maxUnknown = 2_000;

type ResolveReference = (key: object, context: unknown) => Reference | Promise<Reference>;

const withTypename = (entity: Reference, __typename: unknown): Reference => entity && { ...entity, __typename };

/** A representation of an unknown type becomes an error that does not affect the others. More than `maxUnknown` of them fail the field. */
export function entitiesResolver(
  references: Readonly<Record<string, ReferenceResolver>>,
  priced: ReadonlySet<string>,
): GraphQLFieldResolver<unknown, Context, { readonly representations: readonly unknown[] }> {
  const byType = new Map<unknown, ResolveReference>(Object.entries(references) as [string, ResolveReference][]);
  return (_source, { representations }, context) => {
    // One error for all, because graphql-js reads the stack of each error, which is slow.
    let unknown: UnknownEntityError | null = null;
    let unknownCount = 0;
    return representations.map((representation) => {
      const { __typename } = (representation ?? {}) as { readonly __typename?: unknown };
      const resolveReference = byType.get(__typename);
      if (typeof representation !== 'object' || representation === null || resolveReference === undefined) {
        unknown ??= new UnknownEntityError();
        unknownCount += 1;
        if (unknownCount > maxUnknown) throw unknown;
        return unknown;
      }
      // A dry run skips free fields.
      if (context.dataSource.isDryRun && !priced.has(String(__typename))) return null;
      const entity = resolveReference(representation, context);
      return entity instanceof Promise
        ? entity.then((found) => withTypename(found, __typename))
        : withTypename(entity, __typename);
    });
  };
}
