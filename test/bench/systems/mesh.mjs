import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { loadGraphQLSchemaFromOpenAPI } from '@omnigraph/openapi';
import { createYoga } from 'graphql-yoga';

/** A generated gateway: GraphQL Mesh on the OpenAPI document, with the POST endpoints that only read as queries. */
const reading = ['findCredit', 'findAccount', 'findIdentity', 'searchLicences', 'findConstancia', 'listReceipts'];
const schema = await loadGraphQLSchemaFromOpenAPI('registry', {
  source: fileURLToPath(new URL('../../../schema/registry.openapi.yaml', import.meta.url)),
  cwd: process.cwd(),
  endpoint: process.env.REGISTRY_URL,
  operationHeaders: { authorization: 'Bearer bench' },
  selectQueryOrMutationField: [...reading, 'downloadReceipt'].map((fieldName) => ({ type: 'query', fieldName })),
});
const server = createServer(createYoga({ schema, logging: false, graphiql: false }));
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/graphql\n`));
