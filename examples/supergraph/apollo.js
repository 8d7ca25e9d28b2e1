/** Apollo's gateway for Node. It supports neither multipart (send files as base64) nor `@cost`. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { headersForPadron, withoutInput } from './for-padron.js';
import { ports } from './ports.js';

const gateway = new ApolloGateway({
  supergraphSdl: readFileSync('supergraph.graphql', 'utf8'),
  buildService: ({ name, url }) =>
    new RemoteGraphQLDataSource({
      url,
      willSendRequest({ request, context }) {
        if (name !== 'padron') return;
        for (const [header, value] of Object.entries(context.forPadron)) request.http.headers.set(header, value);
      },
      didReceiveResponse({ response, context }) {
        context.until ??= response.http.headers.get('x-operation-until');
        return response;
      },
    }),
});

/** Replaces messages that quote the input or the address of a subgraph. Errors of a subgraph, which have its name, are unchanged. */
function formatError(error) {
  const { message, extensions, ...place } = error;
  if (extensions?.serviceName) return error;
  const masked = withoutInput(message);
  if (masked !== null) return { ...place, message: masked, extensions: { code: 'BAD_USER_INPUT' } };
  if (extensions?.code !== 'INTERNAL_SERVER_ERROR') return error;
  return { ...place, message: 'A part of the graph does not answer.', extensions: { code: 'SUBGRAPH_UNAVAILABLE' } };
}

/** Passes on until when the client's operation lasts. A client that makes an operation last stops if this header is missing. */
const passUntilOn = {
  requestDidStart: async () => ({
    willSendResponse: async ({ response, contextValue }) => {
      if (contextValue.until) response.http.headers.set('x-operation-until', contextValue.until);
    },
  }),
};

const server = new ApolloServer({
  gateway,
  formatError,
  includeStacktraceInErrorResponses: false,
  plugins: [passUntilOn],
});
const { url } = await startStandaloneServer(server, {
  listen: { host: '127.0.0.1', port: ports.gateway },
  // One context per operation.
  context: async ({ req }) => ({ forPadron: headersForPadron((name) => req.headers[name], randomUUID()) }),
});
process.stdout.write(`Apollo gateway: ${url}\n`);
