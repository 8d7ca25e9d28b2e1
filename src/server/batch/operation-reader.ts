import {
  type DocumentNode,
  execute,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
  validate,
} from 'graphql';
import type { BatchOperation, BatchVariable, OperationReader, OperationRun, RowResult } from '../../batch/batch';
import { ContentBudget } from '../../graph/content-budget';
import type { Context } from '../../graph/context';
import { DryRunBudget } from '../../graph/dry-run-budget';
import { explainRejection } from '../../graph/operations/document-shape';
import { detachSource, locate } from '../../graph/operations/document-source';
import { type Problem, problem } from '../../registry/answer/problem';
import type { SharedServices } from '../services';

type Variables = Readonly<Record<string, unknown>>;
type Answer = Pick<RowResult, 'data' | 'errors'>;

/** Files of one row: a batch holds thousands of them. */
const maxContentBytes = 1_000_000;

/** Reads operations for batches, and runs them as requests are run: with the same resolvers and limits. */
export class GraphOperations implements OperationReader {
  constructor(private readonly services: SharedServices) {}

  prepare(text: string, operationName: string | null): BatchOperation | Problem {
    const document = this.parse(text);
    if ('code' in document) return document;
    const { schema } = this.services.graph;
    const [error] = validate(schema, document, undefined, { maxErrors: 1 });
    if (error !== undefined) return invalid(`\`operation\` does not fit the schema${formatLocation(error)}.`);
    const operation = getOperationAST(document, operationName);
    if (!operation) return invalid('`operationName` must name one of the operations of the document.');
    if (operation.operation !== 'query')
      return invalid('A batch runs a query: nothing that sends secrets or changes things.');
    const excess = this.findExcess(document, operation, {});
    if (excess !== null) return invalid(excess);
    return {
      variables: readVariables(schema, operation),
      refuse: (variables) => this.findExcess(document, operation, variables),
      run: (variables, run) => this.run(document, operation, variables, run),
    };
  }

  private parse(text: string): DocumentNode | Problem {
    const maxTokens = this.services.config.limits.tokens;
    const reason = explainRejection(text, maxTokens);
    if (reason !== null) return invalid(`\`operation\` is not read. ${reason}`);
    try {
      const document = parse(text, { maxTokens });
      detachSource(document);
      return document;
    } catch {
      return invalid('`operation` is not a GraphQL document.');
    }
  }

  private findExcess(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): string | null {
    const { limiter } = this.services;
    return limiter.findExcess(limiter.measure(document, operation, variables))?.message ?? null;
  }

  private async run(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Variables,
    run: OperationRun,
  ): Promise<Answer> {
    const context = this.createContext(run);
    const operationName = operation.name?.value ?? null;
    const { schema } = this.services.graph;
    const result = await execute({ schema, document, operationName, variableValues: variables, contextValue: context });
    return this.toAnswer(result.data ?? null, result.errors ?? [], run);
  }

  /** Returns the answer of a row. The errors of an interrupted row are dropped, because the row runs again. */
  private toAnswer(data: unknown, errors: readonly GraphQLError[], run: OperationRun): Answer {
    if (run.dataSource.isDryRun || run.isInterrupted?.() === true) return { data, errors: [] };
    return { data, errors: errors.map((error) => this.format(error)) };
  }

  private format(error: GraphQLError): Pick<GraphQLFormattedError, 'message' | 'path'> {
    const { message, path } = this.services.errors.formatExecutionError(error, 'batch');
    return path === undefined ? { message } : { message, path };
  }

  private createContext({ dataSource, scope, language }: OperationRun): Context {
    const { links, pdfText, graph, config, limiter, now } = this.services;
    return {
      dataSource,
      caller: scope.caller,
      batches: null,
      ledger: null,
      path: null,
      language,
      links: links.reader(scope),
      pdfText,
      catalogue: graph.catalogue,
      checkDigits: config.checkDigits,
      now,
      signal: scope.signal,
      showsBalance: false,
      contentBudget: new ContentBudget(maxContentBytes),
      dryRunBudget: new DryRunBudget(config.limits),
      limiter,
    };
  }
}

function readVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): readonly BatchVariable[] {
  return variableDefinitions.flatMap(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode);
    // A document with another type of variable is not valid.
    if (!isInputType(type)) return [];
    return [{ name: variable.name.value, type, isRequired: isNonNullType(type) && defaultValue === undefined }];
  });
}

function formatLocation(error: GraphQLError): string {
  const [location] = locate(error) ?? [];
  return location === undefined ? '' : ` (line ${location.line}, column ${location.column})`;
}

function invalid(message: string): Problem {
  return problem('INVALID_FORMAT', { message, path: ['input', 'operation'] });
}
