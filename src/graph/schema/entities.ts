import type { GraphQLFieldResolver } from 'graphql';

/** What answers for an entity by its key: at once, and without asking anything. */
export type ReferenceResolver = (key: never) => object | null;

/** A representation of something that is no entity here: the router was composed with another schema than ours. */
export class UnknownEntityError extends Error {
  override readonly name = 'UnknownEntity';
}

/**
 * Answers `_entities`. The federation library would too, but makes promises and defines a property for each representation,
 * and one of an unknown type takes the others with it.
 */
export function entitiesResolver(
  references: Readonly<Record<string, ReferenceResolver>>,
): GraphQLFieldResolver<unknown, unknown, { readonly representations: readonly unknown[] }> {
  const byType = new Map<unknown, (key: object) => object | null>(
    Object.entries(references) as [string, (key: object) => object | null][],
  );
  return (_source, { representations }) => {
    // One for all: graphql-js reads the stack of each, which takes longer than to answer an entity.
    const unknown = new UnknownEntityError();
    return representations.map((representation) => {
      if (typeof representation !== 'object' || representation === null) return unknown;
      const { __typename } = representation as { readonly __typename?: unknown };
      const resolveReference = byType.get(__typename);
      if (resolveReference === undefined) return unknown;
      const entity = resolveReference(representation);
      return entity && { ...entity, __typename };
    });
  };
}
