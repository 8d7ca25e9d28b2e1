import {
  type DocumentNode,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { Context } from '../../../graph/core/context';
import { DryRunBudget } from '../../../graph/core/dry-run-budget';
import { findSelectedField, schemaFields } from '../../../graph/core/operations/schema-fields';
import {
  findSubmitted,
  OperationRejectedError,
  parseSubmitted,
} from '../../../graph/core/operations/submitted-operation';
import { createDryRunContext } from '../../../graph/core/pricing/dry-run-context';
import { Estimator } from '../../../graph/core/pricing/estimate';
import { monthsBefore } from '../../../money/entries/purge';
import { purgeEventsSql } from '../../../money/events/event-store';
import { purgeRequestsSql } from '../../../money/idempotency/migrations';
import { purgeOperations } from '../../../money/operations/lasting-operations';
import { type Problem, problem } from '../../../registry/answer/problem';
import type { Caller } from '../../../registry/caller';
import type { GraphqlHandler } from '../../../server/apollo/graphql-handler';
import type { Persistence } from '../../../server/persistence';
import type { RunningBatches, SharedServices } from '../../../server/services';
import { type Store, StoreUnavailableError } from '../../../store/store';
import type { Language, Text } from '../../../text/text';
import { AccountBatches } from '../account-batches';
import { BatchFiles } from '../batch-files';
import type { BatchDependencies, BatchRequest } from '../batches';
import type { AnswerColumn, BatchOperation, BatchVariable, OperationReader, RowAnswer, RowRequest } from '../operation';
import { BatchWorker } from '../run/batch-worker';
import { purgeBatches } from '../storage/erase';
import { BatchQuotas } from '../storage/quotas';
import { outlineOperation } from './outline-operation';
import { RowRequests } from './row-requests';

const purgeMs = 3_600_000;

/** Starts the batches in the open store. Returns null without a store. A store in memory is opened when a caller creates the first batch. */
export function startBatches(
  services: SharedServices,
  persistence: Persistence | null,
  graphql: GraphqlHandler,
): RunningBatches | null {
  if (persistence === null) return null;
  const { config, client, graph, knownAccounts, log, metrics, calls } = services;
  const { keys: ring, accounts, subjects, links } = persistence;
  const { batch } = config;
  // This view of the store reports failed statements.
  const store = calls.store?.store ?? persistence.store;
  const endpoints = new Map(graph.catalogue.map(({ endpoint }) => [client.address(endpoint), endpoint]));
  const operations = new GraphOperations(services, new RowRequests(services, graphql));
  const onError = (error: unknown): void => log.batchError(error);
  const shared = { store, ring, subjects, operations };
  const worker = new BatchWorker({
    ...shared,
    processName: calls.store?.processName ?? '',
    client,
    calls,
    serverToken: config.registryToken,
    // Further calls would only wait for their turn in this process.
    concurrency: () => Math.min(batch.concurrency, client.concurrency),
    anyEndpoint: batch.endpoints === 'any',
    endpointOf: (address) => endpoints.get(address) ?? fail(address),
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
    retentionDays: config.keepDays,
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

function fail(address: string): never {
  throw new Error(`No endpoint has the address ${address}.`);
}

/** Deletes what has expired and the purge of the ledger leaves: batches, results of requests and events. Runs now and once an hour. */
function startPurge({ config, now }: SharedServices, store: Store, onError: (error: unknown) => void): NodeJS.Timeout {
  const purge = (): void => {
    const before = monthsBefore(now(), config.data.ledgerMonths);
    Promise.all([
      purgeBatches(store),
      purgeOperations(store),
      store.query(purgeRequestsSql),
      store.query(purgeEventsSql, [before]),
    ]).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) onError(error);
    });
  };
  purge();
  return setInterval(purge, purgeMs);
}

type Variables = Readonly<Record<string, unknown>>;

class GraphOperations implements OperationReader {
  constructor(
    private readonly services: SharedServices,
    private readonly rows: RowRequests,
  ) {}

  isTrusted(text: string, permissions: Caller['permissions']): boolean {
    return this.services.gate.allows(text, { permissions, requestId: 'batch' }, () => null);
  }

  runRow(request: RowRequest): Promise<RowAnswer> {
    return this.rows.run(request);
  }

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

  private createDryRunContext(sandbox: boolean): Context {
    const { client, graph, config, limiter, now } = this.services;
    const { catalogue } = graph;
    const { checkDigits } = config;
    const dryRunBudget = new DryRunBudget(config.limits);
    const source = { sandbox, address: client.address.bind(client) };
    return createDryRunContext(source, { catalogue, limiter, dryRunBudget, checkDigits, now });
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
