import { type DocumentNode, GraphQLError, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { Graph } from '../../../graph/schema/build-schema';

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
          if (!paid.has(`${types.getParentType()?.name}.${name.value}`)) return;
          throw new GraphQLError('Fields that cost units are not asked over GET: send a POST request.', {
            extensions: { code: 'BAD_REQUEST', http: { status: 405, headers: new Map([['allow', 'POST']]) } },
          });
        },
      }),
    );
  };
}
