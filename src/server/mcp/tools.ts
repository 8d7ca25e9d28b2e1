import { join } from 'node:path';
import type { Tool } from '@modelcontextprotocol/server';
import { OperationTypeNode, print } from 'graphql';
import { ConfigError } from '../../config/config';
import { type CheckedDocument, checkDocument } from '../../graph/core/operations/check-document';
import { DocumentFileError } from '../../graph/core/operations/published-document';
import { readDocuments } from '../../graph/core/operations/read-documents';
import { buildGraph } from '../../graph/schema/build-schema';
import { OfflinePricing } from '../../graph/schema/offline-pricing';
import { type Language, say, type Text } from '../../text/text';
import type { Services } from '../services';
import { selectProblems } from './problem-selection';
import { inputSchemaOf, type ObjectSchema, outputSchemaOf } from './tool-schema';
import { describePrice, ownDescriptions } from './tool-text';

export interface QueryTool {
  readonly name: string;
  readonly description: string;
  readonly price: Text;
  /** Text of the operation, which also selects the problems of each lookup. */
  readonly query: string;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
}

export type QueryTools = ReadonlyMap<string, QueryTool>;
type ToolServices = Pick<Services, 'config' | 'graph' | 'limiter'>;

const examples = join(__dirname, '../../../schema/examples');

/** Returns the queries of the trusted documents. Without trusted documents, which only the sandbox allows, returns the examples. */
export async function createTools(services: ToolServices): Promise<QueryTools> {
  const { config, graph, limiter } = services;
  // Prices change the resolvers of their graph, so they have one that serves no requests.
  const pricing = new OfflinePricing(buildGraph(), limiter, config.limits);
  const tools = new Map<string, QueryTool>();
  for (const document of readQueries(services)) {
    const { operation } = document;
    const name = operation.name?.value ?? '';
    // The documents of a newer version of a frontend are listed later.
    tools.set(name, {
      name,
      description: operation.description?.value.trim() ?? '',
      price: describePrice(await pricing.price(document.document, operation, {})),
      query: print(selectProblems(document.document, graph.schema)),
      input: inputSchemaOf(graph.schema, operation),
      output: outputSchemaOf(graph.schema, document),
    });
  }
  const taken = Object.keys(ownDescriptions).filter((name) => tools.has(name));
  if (taken.length === 0) return tools;
  throw new ConfigError(taken.map((name) => `MCP: padron has its own tool ${name}. Rename the query ${name}.`));
}

function readQueries({ config, graph: { schema }, limiter }: ToolServices): readonly CheckedDocument[] {
  const { tokens } = config.limits;
  const paths = config.trustedDocuments?.paths ?? [examples];
  try {
    const published = paths.flatMap((path) => readDocuments([path], tokens));
    return published
      .map((document) => checkDocument(document, { schema, limiter, maxTokens: tokens }))
      .filter((document) => isTool(document));
  } catch (error) {
    throw error instanceof DocumentFileError ? new ConfigError([`MCP: ${error.message}`]) : error;
  }
}

/** A model can give no file and no entity, and must not learn a credential. */
const unfitVariable = /token|password|secret|: \[?(?:Upload|_Any)\b/i;

function isTool({ operation }: CheckedDocument): boolean {
  const { operation: type, name, variableDefinitions = [] } = operation;
  return (
    type === OperationTypeNode.QUERY && name !== undefined && !unfitVariable.test(variableDefinitions.map(print).join())
  );
}

export function listTools(tools: QueryTools, language: Language): Tool[] {
  const queries = [...tools.values()].map(
    ({ name, description, price, input: inputSchema, output: outputSchema }): Tool => ({
      name,
      description: `${description}\n\n${say(price, language)}`.trim(),
      inputSchema,
      outputSchema,
      annotations: { readOnlyHint: true, openWorldHint: true },
    }),
  );
  const own = (
    name: keyof typeof ownDescriptions,
    properties: ObjectSchema['properties'],
    required: string[],
  ): Tool => ({
    name,
    description: say(ownDescriptions[name], language),
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations: { readOnlyHint: true, openWorldHint: false },
  });
  const tool = { type: 'string', enum: [...tools.keys()] };
  const priceOf = own('price', { tool, arguments: { type: 'object' } }, ['tool']);
  return [...queries, priceOf, own('spend', {}, [])];
}
