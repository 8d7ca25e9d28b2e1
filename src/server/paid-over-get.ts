import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { CatalogueEntry } from '../graph/catalogue';
import type { RequestContext } from './context';

/** GET requests are repeated by browsers, proxies and prefetchers, and write identifiers into their logs: they buy nothing. */
export function refusePaidOverGet(catalogue: readonly CatalogueEntry[]): ApolloServerPlugin<RequestContext> {
  const paid = new Set(catalogue.flatMap(({ fields }) => fields));
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ request, document, schema }) => {
        if (request.http?.method !== 'GET') return;
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
      },
    }),
  };
}
