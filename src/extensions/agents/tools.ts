import { join } from 'node:path';
import { fromJsonSchema, type StandardSchemaWithJSON, type Tool } from '@modelcontextprotocol/server';
import {
  type DocumentNode,
  getVariableValues,
  OperationTypeNode,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { ConfigError } from '../../config/config';
import {
  type CheckedDocument,
  checkDocument,
  DocumentFileError,
  readDocuments,
} from '../../graph/core/operations/read-documents';
import { buildGraph, type Graph } from '../../graph/schema/build-schema';
import { OfflinePricing, type WorstCase } from '../../graph/schema/offline-pricing';
import { type Language, say } from '../../identifiers/text';
import type { PriceList } from '../../registry/endpoint/price-list';
import type { Core } from '../../server/extension';
import { selectProblems } from './problem-selection';
import { inputSchemaOf, type ObjectSchema, outputSchemaOf, withMaxAge } from './tool-schema';
import { builtInTools, describePrice } from './tool-text';

export interface QueryTool {
  readonly name: string;
  readonly description: string;
  readonly price: WorstCase;
  /** Scopes of its paid fields. A caller with none of them can get nothing from the tool. */
  readonly fieldScopes: readonly string[];
  /** Scopes of all its calls, which include lookups of missing identifiers. */
  readonly scopes: readonly string[];
  /** Text of the operation, which also selects the problems of each lookup. */
  readonly query: string;
  readonly input: ObjectSchema;
  readonly inputRules: StandardSchemaWithJSON;
  readonly output: ObjectSchema;
  /** Whether it has the argument `maxAge` beside the variables of its query. */
  readonly takesAge: boolean;
  /** Returns the arguments as padron uses them, or null if they do not fit. */
  coerce(variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null;
}

export type QueryTools = ReadonlyMap<string, QueryTool>;
export type ToolParts = Pick<Core, 'config' | 'graph' | 'limiter'> & {
  readonly client: Pick<Core['client'], 'prices'>;
};

const examples = join(__dirname, '../../../schema/examples');

/** Returns a function that returns the tools at the prices in force. They are made again if the price list changes. */
export function priceTools(core: ToolParts): () => Promise<QueryTools> {
  let priced: { readonly prices: PriceList; readonly tools: Promise<QueryTools> } | null = null;
  return () => {
    const { prices } = core.client;
    if (priced?.prices !== prices) priced = { prices, tools: createTools(core) };
    return priced.tools;
  };
}

/** Returns the queries of the trusted documents. Without trusted documents, which only the sandbox allows, returns the examples. */
export async function createTools(core: ToolParts): Promise<QueryTools> {
  const { config, graph, limiter } = core;
  // Offline pricing replaces the resolvers of its graph, so it gets a graph that serves no requests.
  const pricing = new OfflinePricing(buildGraph(graph.parts), limiter, config.limits, core.client.prices);
  const tools = new Map<string, QueryTool>();
  const reuseDays = config.data.store === null ? 0 : config.reuseDays;
  for (const document of readQueries(core)) {
    const { operation } = document;
    const price = await pricing.price(document.document, operation, {});
    const ownInput = inputSchemaOf(graph.schema, operation);
    const input = isFree(price) ? ownInput : withMaxAge(ownInput, reuseDays);
    const takesAge = input !== ownInput;
    const name = operation.name?.value ?? '';
    // If two documents have a query of this name, the later one replaces the earlier: newer versions of a frontend are listed later.
    tools.set(name, {
      name,
      description: operation.description?.value.trim() ?? '',
      price,
      ...findScopes(document.document, graph, price),
      query: print(selectProblems(document.document, graph.schema)),
      input,
      takesAge,
      inputRules: fromJsonSchema(input),
      output: outputSchemaOf(graph.schema, document),
      coerce: (variables) => {
        const { coerced } = getVariableValues(graph.schema, operation.variableDefinitions ?? [], variables);
        return coerced === undefined
          ? null
          : { ...coerced, ...(takesAge && variables.maxAge ? { maxAge: variables.maxAge } : {}) };
      },
    });
  }
  const taken = Object.keys(builtInTools).filter((name) => tools.has(name));
  if (taken.length === 0) return tools;
  throw new ConfigError(taken.map((name) => `MCP: padron has its own tool ${name}. Rename the query ${name}.`));
}

function readQueries({ config, graph: { schema }, limiter }: ToolParts): readonly CheckedDocument[] {
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

/** Matches variables that a model cannot supply (files and entities) or must not learn (credentials). */
const unsupportedVariable = /token|password|secret|: \[?(?:Upload|_Any)\b/i;

function isTool({ operation }: CheckedDocument): boolean {
  const { operation: type, name, variableDefinitions = [] } = operation;
  return (
    type === OperationTypeNode.QUERY &&
    name !== undefined &&
    !unsupportedVariable.test(variableDefinitions.map(print).join())
  );
}

function findScopes(
  document: DocumentNode,
  { schema, catalogue }: Pick<Graph, 'schema' | 'catalogue'>,
  { endpoints }: WorstCase,
): Pick<QueryTool, 'fieldScopes' | 'scopes'> {
  const types = new TypeInfo(schema);
  const selected = new Set<string>();
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: ({ name }) => void selected.add(`${types.getParentType()?.name}.${name.value}`),
    }),
  );
  const paid = catalogue.filter(({ fields }) => fields.some((field) => selected.has(field)));
  const called = catalogue.filter(({ endpoint }) => endpoints.some(({ route }) => route === endpoint.name));
  const scopesOf = (entries: Graph['catalogue']) => [...new Set(entries.map(({ endpoint }) => endpoint.scope))];
  return { fieldScopes: scopesOf(paid), scopes: scopesOf([...paid, ...called]) };
}

const isFree = ({ units, unbounded, unknown }: WorstCase): boolean =>
  units === 0 && unbounded.length === 0 && unknown.length === 0;

export interface ToolListOptions {
  readonly language: Language;
  /** Scopes of the caller's JWT. Null without JWTs. */
  readonly permissions: ReadonlySet<string> | null;
  /** Whether the caller has a client name, by which the ledger can list its calls, or can choose one. */
  readonly hasClient: boolean;
}

export function listTools(tools: QueryTools, { language, permissions, hasClient }: ToolListOptions): Tool[] {
  const usable = [...tools.values()].filter(
    ({ fieldScopes }) =>
      permissions === null || fieldScopes.length === 0 || fieldScopes.some((scope) => permissions.has(scope)),
  );
  const queries = usable.map(
    ({ name, description, price, input: inputSchema, output: outputSchema }): Tool => ({
      name,
      title: name.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' '),
      description: `${description}\n\n${say(describePrice(price), language)}`.trim(),
      inputSchema,
      outputSchema,
      annotations: { readOnlyHint: isFree(price), destructiveHint: false, openWorldHint: true },
    }),
  );
  const builtIn = (
    name: keyof typeof builtInTools,
    properties: ObjectSchema['properties'],
    required: string[],
  ): Tool => ({
    name,
    title: say(builtInTools[name].title, language),
    description: say(builtInTools[name].description, language),
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations: { readOnlyHint: true, openWorldHint: false },
  });
  const tool = { type: 'string', enum: usable.map(({ name }) => name) };
  const price = builtIn('price', { tool, arguments: { type: 'object' } }, ['tool']);
  return [...queries, ...(usable.length > 0 ? [price] : []), ...(hasClient ? [builtIn('spend', {}, [])] : [])];
}
