import { type DocumentNode, GraphQLError, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { Graph } from '../../../graph/schema/build-schema';

/** A free field that searches by identifiers of a person. In a URL they would be visible to browsers, proxies and logs. */
const personalField = 'Query.registryProofs';

/**
 * Creates a check that rejects GET requests for paid or personal fields. Browsers, proxies and prefetchers repeat GET requests and log
 * their URLs.
 */
export function createGetCheck({
  schema,
  catalogue,
}: Pick<Graph, 'schema' | 'catalogue'>): (document: DocumentNode) => void {
  const paid = new Set(catalogue.flatMap(({ fields }) => fields));
  return (document) => {
    const types = new TypeInfo(schema);
    visit(
      document,
      visitWithTypeInfo(types, {
        Field: ({ name }) => {
          const coordinate = `${types.getParentType()?.name}.${name.value}`;
          if (!paid.has(coordinate) && coordinate !== personalField) return;
          const reason = coordinate === personalField ? 'Proofs of a person' : 'Fields that cost units';
          throw new GraphQLError(`${reason} cannot be requested by GET. Send a POST request.`, {
            extensions: { code: 'BAD_REQUEST', http: { status: 405, headers: new Map([['allow', 'POST']]) } },
          });
        },
      }),
    );
  };
}
