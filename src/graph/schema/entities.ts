import type { GraphQLFieldResolver } from 'graphql';

/** What answers for an entity by its key: at once, and without asking anything. */
export type ReadKey = (key: never) => object | null;

/** A representation of something that is no entity here: the router was composed with another schema than ours. */
export class UnknownEntity extends Error {
  override readonly name = 'UnknownEntity';
}

/**
 * Answers `_entities`. The federation library would too, but makes promises and defines a property for each representation,
 * and one of an unknown type takes the others with it.
 */
export function entitiesBy(
  references: Readonly<Record<string, ReadKey>>,
): GraphQLFieldResolver<unknown, unknown, { readonly representations: readonly unknown[] }> {
  const byType = new Map<unknown, (key: object) => object | null>(
    Object.entries(references) as [string, (key: object) => object | null][],
  );
  return (_source, { representations }) =>
    representations.map((representation) => {
      if (typeof representation !== 'object' || representation === null) return new UnknownEntity();
      const { __typename } = representation as { readonly __typename?: unknown };
      const read = byType.get(__typename);
      if (read === undefined) return new UnknownEntity();
      const entity = read(representation);
      return entity && { ...entity, __typename };
    });
}
