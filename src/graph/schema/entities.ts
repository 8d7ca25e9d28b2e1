import { type GraphQLFieldResolver, GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import type { Context } from '../context';

/** What answers for an entity by its key: without asking anything of a registry, and at once unless it reads what is kept. */
export type ReferenceResolver = (key: never, context: never) => Reference | Promise<Reference>;
type Reference = object | null;

/** A representation of something that is no entity here: the router was composed with another schema than ours. */
export class UnknownEntityError extends Error {
  override readonly name = 'UnknownEntity';
}

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

/**
 * Answers `_entities`. The federation library would too, but makes promises and defines a property for each representation,
 * and one of an unknown type takes the others with it. Here a representation of an unknown type fails alone, up to a bound.
 */
export function entitiesResolver(
  references: Readonly<Record<string, ReferenceResolver>>,
  priced: ReadonlySet<string>,
): GraphQLFieldResolver<unknown, Context, { readonly representations: readonly unknown[] }> {
  const byType = new Map<unknown, ResolveReference>(Object.entries(references) as [string, ResolveReference][]);
  return (_source, { representations }, context) => {
    // One for all: graphql-js reads the stack of each, which takes longer than to answer an entity.
    const unknown = new UnknownEntityError();
    let unknownCount = 0;
    return representations.map((representation) => {
      const { __typename } = (representation ?? {}) as { readonly __typename?: unknown };
      const resolveReference = byType.get(__typename);
      if (typeof representation !== 'object' || representation === null || resolveReference === undefined) {
        unknownCount += 1;
        if (unknownCount > maxUnknown) throw unknown;
        return unknown;
      }
      // A dry run leaves out what has no price.
      if (context.dataSource.isDryRun && !priced.has(String(__typename))) return null;
      const entity = resolveReference(representation, context);
      return entity instanceof Promise
        ? entity.then((found) => withTypename(found, __typename))
        : withTypename(entity, __typename);
    });
  };
}
