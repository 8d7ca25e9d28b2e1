import {
  type DocumentNode,
  execute,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { AccountBatches } from '../../batch/account-batches';
import type { RowResult } from '../../batch/batch';
import { BatchFiles } from '../../batch/batch-files';
import type { BatchDependencies, BatchRequest } from '../../batch/batches';
import type { AnswerColumn, BatchOperation, BatchVariable, OperationReader, OperationRun } from '../../batch/operation';
import { BatchWorker } from '../../batch/run/batch-worker';
import { TokenStore } from '../../batch/run/token-store';
import { purgeBatches } from '../../batch/storage/erase';
import { BatchQuotas } from '../../batch/storage/quotas';
import { purgeRequestsSql } from '../../calls/idempotency/migrations';
import { ContentBudget } from '../../graph/core/content-budget';
import type { Context } from '../../graph/core/context';
import { DryRunBudget } from '../../graph/core/dry-run-budget';
import { findSelectedField, schemaFields } from '../../graph/core/operations/schema-fields';
import { findSubmitted, OperationRejectedError, parseSubmitted } from '../../graph/core/operations/submitted-operation';
import { createDryRunContext } from '../../graph/core/pricing/dry-run-context';
import { Estimator } from '../../graph/core/pricing/estimate';
import { purgeEventsSql } from '../../ledger/events/event-store';
import { monthsBefore } from '../../ledger/purge';
import { type Problem, problem } from '../../registry/answer/problem';
import { type Store, StoreUnavailableError } from '../../store/store';
import type { Language, Text } from '../../text/text';
import type { Persistence } from '../persistence';
import type { RunningBatches, SharedServices } from '../services';
import { outlineOperation } from './outline-operation';

const purgeMs = 3_600_000;

/** Starts the batches in the open store. Returns null without a store. A store in memory is opened when a caller creates the first batch. */
export function startBatches(services: SharedServices, persistence: Persistence | null): RunningBatches | null {
  if (persistence === null) return null;
  const { config, client, graph, knownAccounts, log, metrics, calls } = services;
  const { keys: ring, accounts, subjects, links } = persistence;
  const { batch } = config;
  // This view of the store reports failed statements.
  const store = calls.store?.store ?? persistence.store;
  const tokens = new TokenStore(batch.tokens === 'sealed');
  const operations = new GraphOperations(services);
  const onError = (error: unknown): void => log.batchError(error);
  const shared = { store, ring, subjects, operations, tokens };
  const worker = new BatchWorker({
    ...shared,
    processName: calls.store?.processName ?? '',
    client,
    calls,
    serverToken: config.registryToken,
    // Further calls would only wait for their turn in this process.
    concurrency: () => Math.min(batch.concurrency, client.concurrency),
    anyEndpoint: batch.endpoints === 'any',
    maxUnits: config.maxUnits,
    runsBatches: batch.role !== 'graph',
    observer: metrics.batches.register(),
    onError,
  });
  const dependencies: BatchDependencies = {
    ...shared,
    accounts,
    worker,
    links,
    knownAccounts,
    quotas: new BatchQuotas(store, batch),
    scopeOf: (route) => graph.catalogue.find(({ endpoint }) => endpoint.name === route)?.endpoint.scope ?? null,
    timeZone: config.data.timeZone,
    maxRows: batch.maxRows,
    tagPattern: config.tagPattern,
    purposes: config.purpose,
    retentionDays: batch.retentionDays,
  };
  if (config.data.store?.kind !== 'memory') void worker.wake();
  const timer = startPurge(services, store, onError);
  return {
    of: (request: BatchRequest) => new AccountBatches(dependencies, request),
    files: new BatchFiles(dependencies),
    links,
    stop: async () => {
      clearInterval(timer);
      await worker.stop();
    },
  };
}

/** Deletes what has expired and the purge of the ledger leaves: batches, results of requests and events. Runs now and once an hour. */
function startPurge({ config, now }: SharedServices, store: Store, onError: (error: unknown) => void): NodeJS.Timeout {
  const purge = (): void => {
    const before = monthsBefore(now(), config.data.ledgerMonths);
    Promise.all([purgeBatches(store), store.query(purgeRequestsSql), store.query(purgeEventsSql, [before])]).catch(
      (error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) onError(error);
      },
    );
  };
  purge();
  return setInterval(purge, purgeMs);
}

type Variables = Readonly<Record<string, unknown>>;
type Answer = Pick<RowResult, 'data' | 'errors'>;

/** Maximum bytes of the files in the answer of one row, because a batch stores thousands of rows. */
const maxContentBytes = 1_000_000;

class GraphOperations implements OperationReader {
  constructor(private readonly services: SharedServices) {}

  prepare(text: string, operationName: string | null): BatchOperation | Problem {
    const { schema } = this.services.graph;
    try {
      const document = parseSubmitted(text, this.services.config.limits.tokens);
      const operation = findSubmitted(schema, document, operationName);
      if (operation.operation !== 'query') throw new OperationRejectedError(notAQuery[operation.operation]);
      const excess = this.findExcess(document, operation, {});
      if (excess !== null) throw new OperationRejectedError(wouldNotRun(excess));
      const field = findSelectedField(document, schemaFields);
      if (field !== null) throw new OperationRejectedError(readsSchema(field));
      return {
        name: operation.name?.value ?? null,
        variables: readVariables(schema, operation),
        createEstimator: (sandbox) =>
          new Estimator({ schema, document, operationName }, this.createDryRunContext(sandbox)),
        explainRejection: (variables) => this.findExcess(document, operation, variables),
        run: (variables, run) => this.run(document, operation, variables, run),
      };
    } catch (error) {
      if (!(error instanceof OperationRejectedError)) throw error;
      const { english: message, spanish } = error.text;
      return problem('INVALID_FORMAT', { message, spanish, path: ['input', 'operation'] });
    }
  }

  outline(text: string, operationName: string | null, language: Language): readonly AnswerColumn[] {
    return outlineOperation(this.services.graph.schema, text, operationName, language);
  }

  private findExcess(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): Text | null {
    const { limiter } = this.services;
    const excess = limiter.findExcess(limiter.measure(document, operation, variables));
    return excess === null ? null : { english: excess.message, spanish: excess.spanish };
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

  /** Returns the answer of a row. The errors of an interrupted row are discarded, because the row runs again. */
  private toAnswer(data: unknown, errors: readonly GraphQLError[], run: OperationRun): Answer {
    if (run.isInterrupted?.() === true) return { data, errors: [] };
    return { data, errors: errors.map((error) => this.format(error)) };
  }

  private format(error: GraphQLError): Pick<GraphQLFormattedError, 'message' | 'path'> {
    const { message, path } = this.services.errors.formatExecutionError(error, 'batch');
    return path === undefined ? { message } : { message, path };
  }

  private createDryRunContext(sandbox: boolean): Context {
    const { client, graph, config, limiter, now } = this.services;
    const { catalogue } = graph;
    const { checkDigits } = config;
    const dryRunBudget = new DryRunBudget(config.limits);
    const source = { sandbox, address: client.address.bind(client) };
    return createDryRunContext(source, { catalogue, limiter, dryRunBudget, checkDigits, now });
  }

  private createContext({ dataSource, scope, language }: OperationRun): Context {
    const { links, pdfText, graph, config, limiter, gate, now } = this.services;
    const { permissions } = scope.caller;
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
      unitPrice: null,
      verifiedUnitPrice: async () => null,
      tagPattern: null,
      contentBudget: new ContentBudget(maxContentBytes),
      dryRunBudget: new DryRunBudget(config.limits),
      limiter,
      checkTrusted: (text) => gate.checkSubmitted(text, { permissions, requestId: 'batch' }, null),
    };
  }
}

const notAQuery = {
  mutation: {
    english: '`operation` is a mutation. A batch can only run a query.',
    spanish: '`operation` es una mutación. Un lote solo puede ejecutar consultas.',
  },
  subscription: {
    english: '`operation` is a subscription. A batch can only run a query.',
    spanish: '`operation` es una suscripción. Un lote solo puede ejecutar consultas.',
  },
} as const;
const wouldNotRun = ({ english, spanish }: Text): Text => ({
  english: `\`operation\` would not run. ${english}`,
  spanish: `\`operation\` no se ejecutaría. ${spanish}`,
});
/** Each row would store the schema, also if padron hides the schema from callers. */
const readsSchema = (field: string): Text => ({
  english: `\`operation\` selects \`${field}\`. A batch only asks registries: read the schema with a request.`,
  spanish: `\`operation\` pide \`${field}\`. Un lote solo consulta registros: lea el esquema con una solicitud.`,
});

function readVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): readonly BatchVariable[] {
  return variableDefinitions.flatMap(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode);
    // Never happens, because the document is valid. It only narrows the type.
    if (!isInputType(type)) return [];
    return [{ name: variable.name.value, type, isRequired: isNonNullType(type) && defaultValue === undefined }];
  });
}
