import { sendError } from '../../server/http/http-error';
import type { StartedExtension } from '../../server/started-extension';

export const disabledRoute: StartedExtension = {
  async routes(http) {
    http.all('/mcp', {
      onRequest: async (_request, reply) =>
        sendError(reply, 404, 'There are no tools for agents here unless MCP=on is set. The graph is at /graphql.'),
      handler: () => null,
    });
    return null;
  },
};
