import {
  type DocumentNode,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { Context } from '../../../graph/core/context';
import { DryRunBudget } from '../../../graph/core/operations/operation-limits';
import { findSelectedField, schemaFields } from '../../../graph/core/operations/selections';
import {
  findSubmitted,
  OperationRejectedError,
  parseSubmitted,
} from '../../../graph/core/operations/submitted-operation';
import { createDryRunContext, Estimator } from '../../../graph/core/pricing/estimate';
import type { Language, Text } from '../../../identifiers/text';
import { Purge } from '../../../money/ledger/entries/purge';
import { type Problem, problem } from '../../../registry/answer/problem';
import type { Caller } from '../../../registry/caller';
import type { Core } from '../../../server/extension';
import { readMaxAge } from '../../../server/http/request-headers';
import type { Persistence } from '../../../server/persistence';
import type { CallerRequest, StartedExtension } from '../../../server/started-extension';
import { AccountBatches } from '../account-batches';
import { BatchFiles } from '../batch-files';
import type { BatchDependencies } from '../batches';
import type { BatchesOfCaller } from '../graph/access';
import type { AnswerColumn, BatchOperation, BatchVariable, OperationReader, RowAnswer, RowRequest } from '../operation';
import { BatchWorker } from '../run/batch-worker';
import { settingsOfBatches } from '../settings';
import { purgeBatches } from '../storage/erase';
import { BatchQuotas } from '../storage/quotas';
import { registerBatchMetrics } from './batch-metrics';
import { addBatchRoutes } from './batch-routes';
import { outlineOperation } from './outline-operation';
import { RowRequests } from './row-requests';

/** Starts the batches in the open store. A store in memory is opened when a caller creates the first batch. */
export function startBatches(
  core: Core,
  { keys: ring, accounts, subjects, links, ...persistence }: Persistence,
): StartedExtension {
  const { config, client, graph, knownAccounts, log, metrics, calls } = core;
  const settings = settingsOfBatches(config);
  // This view of the store reports failed statements.
  const store = calls.store?.store ?? persistence.store;
  const endpoints = new Map(graph.catalogue.map(({ endpoint }) => [client.address(endpoint), endpoint]));
  const operations = new GraphOperations(core, new RowRequests(core));
  const onError = (error: unknown): void => log.partFailed('a batch', error);
  const shared = { store, ring, subjects, operations };
  const worker = new BatchWorker({
    ...shared,
    processName: calls.store?.processName ?? '',
    client,
    calls,
    trail: core.trail,
    serverToken: config.registryToken,
    // Further calls would only wait for their turn in this process.
    concurrency: () => Math.min(settings.concurrency ?? config.registryConcurrency, client.concurrency),
    anyEndpoint: settings.endpoints === 'any',
    endpointOf: (address) => endpoints.get(address) ?? fail(address),
    maxUnits: config.maxUnits,
    runsBatches: settings.role !== 'graph',
    observer: registerBatchMetrics(metrics.registry),
    onError,
  });
  const dependencies: BatchDependencies = {
    ...shared,
    accounts,
    worker,
    links,
    knownAccounts,
    quotas: new BatchQuotas(store, settings),
    scopeOf: (route) => graph.catalogue.find(({ endpoint }) => endpoint.name === route)?.endpoint.scope ?? null,
    timeZone: config.data.timeZone,
    maxRows: settings.maxRows,
    tagPattern: config.tagPattern,
    purposes: config.purpose,
    retentionDays: config.keepDays,
    readMaxAge: (text) => readMaxAge(text, config),
  };
  if (config.data.store?.kind !== 'memory') void worker.wake();
  const purge = new Purge(store, [purgeBatches], core.now, log);
  purge.start();
  return {
    contextFor: (request) => toBatchesOfCaller(dependencies, request, config.limits.bytes),
    routes: async (http) => {
      await addBatchRoutes(http, new BatchFiles(dependencies), links, core.trail);
      return null;
    },
    ...(settings.role === 'worker' ? { otherTask } : {}),
    stop: async () => {
      await purge.stop();
      await worker.stop();
    },
  };
}

const otherTask = {
  greeting: 'padron: runs batches, and serves no graph.',
  message: 'This process only runs batches. Ask a process that serves the graph.',
};

function toBatchesOfCaller(
  dependencies: BatchDependencies,
  { caller, labels, language, budget, linkBase, shownOperations }: CallerRequest,
  maxBytes: number,
): BatchesOfCaller {
  const rowBytes = { allowed: maxBytes, left: maxBytes };
  const request = { caller, language, ...labels, rowUnits: budget, rowBytes, origin: linkBase, shownOperations };
  const open = (): AccountBatches => new AccountBatches(dependencies, request);
  return {
    open,
    eraseSubject: (subjects) => open().eraseSubject(subjects),
    missingKeys: () => open().missingKeys(),
  };
}

function fail(address: string): never {
  throw new Error(`No endpoint has the address ${address}.`);
}

type Variables = Readonly<Record<string, unknown>>;

type OperationParts = Pick<Core, 'config' | 'graph' | 'limiter' | 'gate' | 'client' | 'now'>;

class GraphOperations implements OperationReader {
  constructor(
    private readonly core: OperationParts,
    private readonly rows: RowRequests,
  ) {}

  isTrusted(text: string, permissions: Caller['permissions']): boolean {
    return this.core.gate.allows(text, { permissions, requestId: 'batch' }, () => null);
  }

  runRow(request: RowRequest): Promise<RowAnswer> {
    return this.rows.run(request);
  }

  prepare(text: string, operationName: string | null): BatchOperation | Problem {
    const { schema } = this.core.graph;
    try {
      const document = parseSubmitted(text, this.core.config.limits.tokens);
      const operation = findSubmitted(schema, document, operationName, !this.core.config.introspection);
      if (operation.operation !== 'query') throw new OperationRejectedError(notAQuery[operation.operation]);
      const excess = this.findExcess(document, operation, {});
      if (excess !== null) throw new OperationRejectedError(wouldNotRun(excess));
      const field = findSelectedField(document, schemaFields);
      if (field !== null) throw new OperationRejectedError(readsSchema(field));
      return {
        name: operation.name?.value ?? null,
        variables: readVariables(schema, operation),
        createEstimator: (sandbox, findPaid) => {
          const context = this.createDryRunContext(sandbox);
          const source = findPaid && { ...this.sourceOf(sandbox), findPaid };
          return new Estimator({ schema, document, operationName }, context, false, source);
        },
        explainRejection: (variables) => this.findExcess(document, operation, variables),
      };
    } catch (error) {
      if (!(error instanceof OperationRejectedError)) throw error;
      const { english: message, spanish } = error.text;
      return problem('INVALID_FORMAT', { message, spanish, path: ['input', 'operation'] });
    }
  }

  outline(text: string, operationName: string | null, language: Language): readonly AnswerColumn[] {
    return outlineOperation(this.core.graph.schema, text, operationName, language);
  }

  private findExcess(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): Text | null {
    const { limiter } = this.core;
    const excess = limiter.findExcess(limiter.measure(document, operation, variables));
    return excess === null ? null : { english: excess.message, spanish: excess.spanish };
  }

  private sourceOf(sandbox: boolean) {
    const { client } = this.core;
    return { sandbox, prices: client.prices, address: client.address.bind(client) };
  }

  private createDryRunContext(sandbox: boolean): Context {
    const { graph, config, limiter, now } = this.core;
    const { catalogue, finders } = graph;
    const { checkDigits } = config;
    const dryRunBudget = new DryRunBudget(config.limits);
    return createDryRunContext(this.sourceOf(sandbox), {
      ...{ catalogue, finders, limiter, dryRunBudget, checkDigits, now },
    });
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
