import { type DocumentNode, GraphQLError, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { Graph } from '../../../graph/schema/build-schema';

/** Field whose only argument is an identifier: anyone who sees the URL would know whose proofs are searched. */
const personal = 'Query.registryProofs';

/** GET requests are repeated by browsers, proxies and prefetchers, and write identifiers into their logs: they buy nothing. */
export function createPaidGetRule({
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
          if (!paid.has(coordinate) && coordinate !== personal) return;
          const reason = coordinate === personal ? 'Proofs of a person' : 'Fields that cost units';
          throw new GraphQLError(`${reason} cannot be requested by GET. Send a POST request.`, {
            extensions: { code: 'BAD_REQUEST', http: { status: 405, headers: new Map([['allow', 'POST']]) } },
          });
        },
      }),
    );
  };
}
