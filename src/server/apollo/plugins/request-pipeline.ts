import type { ApolloServerPlugin, GraphQLRequestListener, GraphQLResponse } from '@apollo/server';
import {
  type DocumentNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Config } from '../../../config/settings';
import { detachSource } from '../../../graph/core/operations/document-guards';
import type { OperationLimiter } from '../../../graph/core/operations/operation-limits';
import { findSelectedField, introspectionFields, schemaFields } from '../../../graph/core/operations/selections';
import type { Graph } from '../../../graph/schema/build-schema';
import { holdsNul, isNestedTooDeep, maxNesting } from '../../../identifiers/json-value';
import type { Caller } from '../../../registry/caller';
import { type ErrorFormatter, omitErrors } from '../../errors/error-formatter';
import type { ErrorReference } from '../../http/error-reference';
import type { RequestResults } from '../../persistence';
import type { RequestContext } from '../../request-context';
import { toLoggableName } from '../../telemetry/logger';
import type { Metrics } from '../../telemetry/metrics';
import { Idempotency } from './idempotency';
import { addUnits, toPluginResponse, UnitBudget } from './unit-budget';

export interface PipelineParts {
  readonly config: Config;
  readonly graph: Graph;
  readonly limiter: OperationLimiter;
  readonly metrics: Pick<Metrics, 'recordError'>;
  readonly errors: ErrorFormatter;
  readonly errorReference: ErrorReference;
  /** Returns why a caller may not read the schema, or null. */
  readonly findRefusal: (caller: Caller) => Promise<string | null>;
  readonly requests: RequestResults;
}

/** Creates the plugin with padron's steps of a request, in their order. Several plugins would need more promises for each request. */
export function createRequestPipeline(parts: PipelineParts): ApolloServerPlugin<RequestContext> {
  const { config, graph, limiter, metrics, errors, errorReference, findRefusal } = parts;
  const signatures = new SignatureLimiter();
  const checkGet = createGetCheck(graph);
  const checkIntrospection = createIntrospectionCheck(config, findRefusal);
  const budget = new UnitBudget((code) => metrics.recordError(code), errorReference.urlOf, config.purpose);
  const idempotency = new Idempotency(parts.requests);
  /** An operation whose price is unknown does not run. */
  const priceless = (originalError: Error, { contextValue }: { readonly contextValue: RequestContext }) => {
    const error = errors.formatExecutionError(new GraphQLError('', { originalError }), contextValue.requestId);
    const status = error.extensions?.code === 'LEDGER_UNAVAILABLE' ? 503 : 500;
    return toPluginResponse({ data: null, errors: [error] }, status);
  };
  const listener: GraphQLRequestListener<RequestContext> = {
    parsingDidStart: async (parsed) => async () => {
      if (parsed.document !== undefined) detachSource(parsed.document);
    },
    didResolveOperation: async (resolved) => {
      const { document, operation, operationName, request, contextValue } = resolved;
      contextValue.logContext.operation = toLoggableName(operationName);
      if (operation === undefined) return;
      rejectVariables(operation, request.variables ?? {});
      contextValue.logContext.operationType = operation.operation;
      limiter.check(document, operation, request.variables ?? {});
      signatures.check(document, operation);
      if (request.http?.method === 'GET') checkGet(document);
      await checkIntrospection?.(document, contextValue.caller);
      await idempotency.open(resolved, operation);
    },
    responseForOperation: async (resolved) => {
      const { operation, request, contextValue } = resolved;
      // Apollo also calls this method if the document has no operation with the requested name. graphql-js then reports the error.
      if (operation === undefined) return budget.intercept(resolved);
      // A dry run reports the same errors: a price of zero would look like a free operation.
      const { variables = {}, http } = request;
      // A row of a batch does not arrive by HTTP.
      const found = errors.findVariableErrors(operation, variables, contextValue.requestId, http !== undefined);
      if (found.length > 0) return toPluginResponse({ errors: found }, 400);
      return (
        idempotency.replay(contextValue) ?? budget.intercept(resolved).catch((fault) => priceless(fault, resolved))
      );
    },
    didEncounterErrors: async ({ errors: found, operation, contextValue }) => {
      // Until the operation is known, graphql-js limits the number of errors itself.
      if (operation !== undefined) omitErrors(found);
      errors.formatAll(found, contextValue.requestId);
    },
    willSendResponse: async ({ contextValue, response }) => {
      if (response.body.kind === 'single')
        for (const { extensions } of response.body.singleResult.errors ?? []) contextValue.countError(extensions?.code);
      await idempotency.close(contextValue, response);
      // padron negotiated the type before it sent paid calls. Apollo Server would do it now, unless the header is set.
      response.http.headers.set('content-type', contextValue.contentType);
      const budgets = await contextValue.payerCalls.budgetsLeft();
      const savings = contextValue.units.reportRepeated();
      contextValue.recordSavings(savings);
      contextValue.payerCalls.recordRefused(contextValue.units.refused);
      addUnits(response, contextValue.units, budgets);
      const { droppedLabels, operationUntil, payerCalls } = contextValue;
      // An answer that the caller has is kept, also if this process dies now.
      if (operationUntil !== null) await payerCalls.written(AbortSignal.timeout(maxWriteMs)).catch(() => undefined);
      if (operationUntil !== null && (await payerCalls.lasts()))
        response.http.headers.set('x-operation-until', operationUntil.toISOString());
      if (droppedLabels.length > 0) response.http.headers.set('x-label-dropped', droppedLabels.join(', '));
      if (contextValue.legacyStatusCodes) allowLegacyStatusCode(response);
    },
  };
  return { requestDidStart: async () => listener };
}

/** Milliseconds that the response waits for a store that is unavailable. */
const maxWriteMs = 2_000;

type Variables = Readonly<Record<string, unknown>>;

/**
 * Rejects a request with a NUL in a variable, which PostgreSQL cannot store, and with a variable that is nested deeper than the
 * stack allows. Later, the errors would be unclear.
 */
function rejectVariables({ variableDefinitions = [] }: OperationDefinitionNode, variables: Variables): void {
  for (const { variable } of variableDefinitions) {
    const name = variable.name.value;
    const problem = Object.hasOwn(variables, name) ? findValueProblem(variables[name]) : null;
    if (problem !== null)
      throw new GraphQLError(`Variable "$${name}": ${problem}`, {
        extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
      });
  }
}

function findValueProblem(value: unknown): string | null {
  if (isNestedTooDeep(value)) return `it has more than ${maxNesting} levels of lists and objects. Flatten it.`;
  return holdsNul(value) ? 'a text in it has a NUL character (U+0000). Remove it.' : null;
}

/** Arguments by which free fields search for a person, or with a secret. In a URL they would be visible to browsers, proxies and logs. */
const privateArguments: Readonly<Record<string, readonly string[]>> = {
  'Query.registryProofs': ['subject', 'reference'],
  'Query.registryProofDocument': ['subject'],
  'Query.registryLedger': ['filter'],
  'Query.registrySpend': ['filter'],
  'Query.registryAudit': ['actor'],
  'Query.registryOperation': ['id'],
};

/**
 * Creates a check that rejects GET requests for paid or private fields. Browsers, proxies and prefetchers repeat GET requests and log
 * their URLs.
 */
function createGetCheck({ schema, catalogue }: Pick<Graph, 'schema' | 'catalogue'>): (document: DocumentNode) => void {
  const paid = new Set(catalogue.flatMap(({ fields }) => fields));
  return (document) => {
    const types = new TypeInfo(schema);
    visit(
      document,
      visitWithTypeInfo(types, {
        Field: ({ name, arguments: given = [] }) => {
          const coordinate = `${types.getParentType()?.name}.${name.value}`;
          const named = privateArguments[coordinate] ?? [];
          const isPrivate = given.some((argument) => named.includes(argument.name.value));
          if (!paid.has(coordinate) && !isPrivate) return;
          const reason = isPrivate ? 'Searches that may name a person or an operation' : 'Fields that cost units';
          throw new GraphQLError(`${reason} cannot be requested by GET. Send a POST request.`, {
            extensions: { code: 'BAD_REQUEST', http: { status: 405, headers: new Map([['allow', 'POST']]) } },
          });
        },
      }),
    );
  };
}

type IntrospectionCheck = (document: DocumentNode, caller: Caller) => Promise<void>;

/**
 * Creates a check that rejects introspection, and the SDL for routers, if the caller has no valid token. Returns null if everyone may
 * introspect. If the explorer is off too, Apollo Server rejects introspection before this check.
 */
function createIntrospectionCheck(
  config: Config,
  findRefusal: PipelineParts['findRefusal'],
): IntrospectionCheck | null {
  if (config.introspection) return null;
  // With a secret, all requests come from the router.
  const gated = config.subgraphSecret === null ? schemaFields : introspectionFields;
  return async (document, caller) => {
    if (findSelectedField(document, gated) === null) return;
    const refusal = await findRefusal(caller);
    if (refusal !== null)
      throw new GraphQLError(refusal, { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
  };
}

/** Codes of errors in a document or its variables. The HTTP request itself was well-formed. */
const documentErrors: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'OPERATION_TOO_LARGE',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_RESULT_LOST',
  'PURPOSE_MISSING',
]);

/** Sets status 200 for errors of a document, for clients that ignore the body of any other status (see `isLegacyClient`). */
function allowLegacyStatusCode({ http, body }: GraphQLResponse): void {
  if (http.status === 400 && hasDocumentErrorsOnly(body)) http.status = 200;
}

function hasDocumentErrorsOnly(body: GraphQLResponse['body']): boolean {
  if (body.kind !== 'single') return false;
  return body.singleResult.errors?.every(({ extensions }) => documentErrors.has(extensions?.code)) === true;
}

/** Maximum number of verifications. Each one decrypts a private key, which is slow by design. */
const maxVerifications = 2;

export class SignatureLimiter {
  private readonly counts = new WeakMap<OperationDefinitionNode, number>();

  check(document: DocumentNode, operation: OperationDefinitionNode): void {
    if (operation.operation !== 'mutation') return;
    const count = this.counts.get(operation) ?? countVerifications(document, operation);
    this.counts.set(operation, count);
    if (count <= maxVerifications) return;
    const message = `The operation verifies ${count} signatures. At most ${maxVerifications} are allowed in one operation.`;
    const excess = { limit: 'signatures', value: count, allowed: maxVerifications };
    throw new GraphQLError(message, { extensions: { code: 'OPERATION_TOO_LARGE', ...excess, http: { status: 400 } } });
  }
}

function countVerifications({ definitions }: DocumentNode, operation: OperationDefinitionNode): number {
  const responseNames = new Set<string>();
  const visitedFragments = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (selection.kind === Kind.FIELD) {
        if (selection.name.value === 'verifySignature') responseNames.add((selection.alias ?? selection.name).value);
      } else if (!visitedFragments.has(selection.name.value)) {
        visitedFragments.add(selection.name.value);
        const fragment = definitions.find(
          (definition) =>
            definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
        );
        if (fragment?.kind === Kind.FRAGMENT_DEFINITION) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return responseNames.size;
}
