import { createServer } from 'node:http';
import { byOperation } from './bare-operations.mjs';

/** The floor: bare node:http and nothing around the answers. */
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const { operationName, variables } = JSON.parse(Buffer.concat(chunks).toString());
      const body = JSON.stringify({ data: await byOperation[operationName](variables) });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 8192 }, () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}/graphql\n`),
);
