import { RESTDataSource } from '@apollo/datasource-rest';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { registryOver, schema } from './resolvers.mjs';

/** A server as in the documentation of Apollo Server: standalone, a RESTDataSource for each request, default plugins. */
class RegistryApi extends RESTDataSource {
  baseURL = process.env.REGISTRY_URL;

  willSendRequest(_path, request) {
    request.headers.authorization = 'Bearer bench';
  }

  async ask(path, search, body) {
    const parts = { ...(search === null ? {} : { params: search }), ...(body === null ? {} : { body }) };
    return { path, status: 200, body: await this.post(path, parts) };
  }
}

const server = new ApolloServer({ schema });
const { url } = await startStandaloneServer(server, {
  listen: { port: 0, host: '127.0.0.1' },
  context: async () => {
    const api = new RegistryApi({ cache: server.cache });
    return { registry: registryOver((path, search, body) => api.ask(path, search, body)) };
  },
});
process.stdout.write(`${url}graphql\n`);
