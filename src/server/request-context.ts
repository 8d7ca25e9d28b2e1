import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/settings';
import type { CallerExtension, Context } from '../graph/core/context';
import type { PdfTextReader } from '../graph/core/files/pdf-text-reader';
import { ContentBudget, DryRunBudget, type OperationLimiter } from '../graph/core/operations/operation-limits';
import type { Graph } from '../graph/schema/build-schema';
import type { Language } from '../identifiers/text';
import type { Calls } from '../money/calls/calls';
import type { PayerCalls } from '../money/calls/life/call';
import { LiveDataSource } from '../money/calls/live-data-source';
import { ResponseDeadline } from '../money/calls/response-deadline';
import { OperationBudgets } from '../money/calls/units/operation-budgets';
import { UnitMeter } from '../money/calls/units/unit-meter';
import { type CallerLedger, createCallerLedger } from '../money/ledger/caller-ledger';
import { type Caller, ownerOf, type RequestLabels } from '../registry/caller';
import type { RegistryClient, RequestScope } from '../registry/client/client';
import type { AnyEndpoint } from '../registry/endpoint/endpoint';
import type { SignedLinkClient } from '../registry/signed-links';
import type { OperationGate } from './apollo/operation-gate';
import type { RequestAccount } from './auth/authentication';
import type { KnownAccounts } from './auth/known-accounts';
import { countError } from './http/http-error';
import { type HeaderLabels, parseLabels, parseRequestHeaders } from './http/request-headers';
import type { RequestLogContext } from './http/request-lifecycle';
import type { LastingRequests } from './lasting-requests';
import type { RunningLedger } from './persistence';
import type { CallerRequest, StartedExtension } from './started-extension';
import { type Logger, toLoggableName } from './telemetry/logger';
import type { Metrics } from './telemetry/metrics';
import { readTraceId } from './telemetry/operation-span';

const host = /^(?:\[[\da-f:.]{2,45}\]|[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?)(?::\d{1,5})?$/i;

/**
 * Returns the base URL of links to padron: `PUBLIC_URL`, or else the host of the request. The caller chooses that
 * host, so it is only used in the caller's own answer, and only as a name and a port.
 */
export function linkBase(publicUrl: string | null, { host: name = '' }: IncomingHttpHeaders): string | null {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '');
  return host.test(name) ? `http://${name}` : null;
}

export interface RequestContext extends Context {
  readonly requestId: string;
  readonly units: UnitMeter;
  readonly payerCalls: PayerCalls;
  readonly recordSavings: PayerCalls['recordSavings'];
  /** Names of the headers whose labels are not in the ledger, because they may identify a person. */
  readonly droppedLabels: readonly string[];
  readonly logContext: RequestLogContext;
  readonly countError: (code: unknown) => void;
  readonly legacyStatusCodes: boolean;
  readonly dryRun: boolean | 'now';
  /** Whether the request has the secret of the router, or the ID of the operation that it is a part of. */
  readonly fromRouter: boolean;
  readonly labels: RequestLabels;
  /** Owner of what the request stores, within its account. */
  readonly owner: string;
  /** IDs of the operations that the response may show. */
  readonly shownOperations: ReadonlySet<string>;
  /** Whether an agent runs the operation as a tool. Then no call is sent if any input of the operation is invalid. */
  readonly isTool: boolean;
  readonly refused: { changes: number };
  /** Whether the operation has to name a purpose if it is paid, and names none. */
  readonly lacksPurpose: boolean;
  readonly contentType: string;
  /** Time until which the operation of the request lasts. Null if it does not last. */
  readonly operationUntil: Date | null;
}

export const anonymous: RequestAccount = {
  bearer: null,
  account: '',
  tenant: '',
  usesServerToken: false,
  permissions: null,
  rejection: null,
  client: null,
  holder: null,
  actor: null,
};

/** Who sends an operation, what for, and what it may spend: a request of a client, or a row of a batch. */
export interface Sender {
  readonly dataSource: LiveDataSource;
  readonly scope: RequestScope;
  readonly units: UnitMeter;
  readonly labels: RequestLabels;
  readonly language: Language;
  readonly requestId: string;
  readonly logContext: RequestLogContext;
  readonly countError: (code: unknown) => void;
}

/** The parts of padron that resolvers use. They are the same for requests, tools and rows of batches. */
export interface ContextParts {
  readonly config: Config;
  readonly links: SignedLinkClient;
  readonly pdfText: PdfTextReader;
  readonly graph: Graph;
  readonly limiter: OperationLimiter;
  readonly gate: OperationGate;
  readonly now: () => Date;
}

/** Creates a context without what only requests of clients have: the ledger, extensions, and headers of the response. */
export function createContext(parts: ContextParts, sender: Sender): RequestContext {
  const { config, links, pdfText, graph, limiter, gate, now } = parts;
  const { scope, dataSource, units, labels, language, requestId, logContext } = sender;
  const { caller, signal } = scope;
  const { permissions } = caller;
  // Every property is named: V8 creates such an object at once, but one of this size that begins with a spread property by property.
  return {
    dataSource,
    units,
    labels,
    language,
    requestId,
    logContext,
    countError: sender.countError,
    caller,
    signal,
    payerCalls: dataSource.payerCalls,
    recordSavings: (savings) => dataSource.payerCalls.recordSavings(savings),
    droppedLabels: [],
    ledger: null,
    extensions: {},
    operations: null,
    path: null,
    links: links.reader(scope),
    pdfText,
    ...{ catalogue: graph.catalogue, finders: graph.finders },
    checkDigits: config.checkDigits,
    now,
    showsBalance: false,
    unitPrice: null,
    verifiedUnitPrice: async () => null,
    tagPattern: config.tagPattern,
    legacyStatusCodes: false,
    dryRun: false,
    fromRouter: false,
    operationUntil: null,
    owner: ownerOf({ caller, client: labels.client }),
    shownOperations: new Set(),
    isTool: false,
    refused: { changes: 0 },
    lacksPurpose: config.purpose.rule === 'required' && labels.purpose === null,
    contentType: jsonType,
    contentBudget: new ContentBudget(),
    dryRunBudget: new DryRunBudget(config.limits),
    limiter,
    checkTrusted: (text) => gate.checkSubmitted(text, { permissions, requestId }, logContext.operation),
  };
}

const jsonType = 'application/json; charset=utf-8';

/** The parts of padron that requests of clients use. */
export interface RequestParts {
  readonly config: Config;
  readonly log: Pick<Logger, 'labelDropped'>;
  readonly metrics: Metrics;
  readonly client: RegistryClient;
  readonly calls: Calls;
  readonly lasting: LastingRequests;
  readonly ledger: RunningLedger | null;
  readonly knownAccounts: KnownAccounts;
  /** The endpoints that `x-sandbox-delay` may name. */
  readonly endpoints: readonly AnyEndpoint[];
  /** Keyed by the extension's name. */
  readonly extensions: ReadonlyMap<string, StartedExtension>;
  readonly createContext: (sender: Sender) => RequestContext;
}

export class RequestContexts {
  private readonly budgets = new OperationBudgets();

  constructor(private readonly parts: RequestParts) {}

  /** Throws if a header about money or sandbox is malformed, and if the operation of the request is to last and cannot. */
  async of(request: FastifyRequest, contentType: string, isTool: boolean): Promise<RequestContext> {
    const { config, calls, client, endpoints, metrics, lasting: lastingRequests, knownAccounts, ledger } = this.parts;
    const options = parseRequestHeaders(request.headers, config, endpoints);
    const { operation, answerWithinMs, maxAgeMs, sandbox, sandboxDelays, language } = options;
    const began = performance.now();
    const signal = request.abortSignal ?? new AbortController().signal;
    const { bearer, account, tenant, usesServerToken, permissions } = request.account ?? anonymous;
    const caller: Caller = { bearer, account, tenant, sandbox, usesServerToken, permissions };
    const scope = { caller, request, signal, sandboxDelays, prices: client.prices };
    const { labels, dropped } = this.labelsOf(request);
    const { lasting, lastingNames, until, failure } = await lastingRequests.find(caller, labels, operation);
    // Without JWTs anyone can claim to be a client, so the account has the operation.
    const ownOperation = operation && `${(permissions && labels.holder) ?? ''}\n${operation.id}`;
    // The limit of an operation that lasts is in the store.
    const budget = lasting === null ? options.budget : config.maxUnits;
    const limited = lasting === null ? (ownOperation ?? this.traceOf(request, labels)) : null;
    const shared = budget === null || limited === null ? null : this.budgets.budgetOf(caller, limited, budget);
    const units = new UnitMeter(budget, metrics, shared, lasting);
    const logContext: RequestLogContext = {
      operation: null,
      operationType: null,
      client: toLoggableName(labels.client),
      units,
    };
    for (const name of dropped) this.parts.log.labelDropped(name, logContext.client);
    request.logContext = logContext;
    const window = calls.windowOf(caller, labels);
    request.deadline = answerWithinMs === null ? null : new ResponseDeadline(answerWithinMs, units, client, window);
    const operationName = (): string | null => logContext.operation;
    const { purpose } = labels;
    const reuse = maxAgeMs === null ? null : { maxAgeMs, purpose, operation: ownOperation, began };
    const origin = { ...labels, operation: operationName, requestId: request.id, batchId: null, reuse };
    const dataSource = new LiveDataSource(calls, scope, units, origin, request.deadline, lastingNames);
    if (failure !== null) dataSource.lookups.fail(failure);
    const shownOperations = new Set<string>();
    const base = linkBase(config.publicUrl, request.headers);
    const callerRequest = { caller, labels, language, budget: options.budget, linkBase: base, shownOperations };
    const context = this.parts.createContext({
      dataSource,
      scope,
      units,
      labels,
      language,
      requestId: request.id,
      logContext,
      countError: (code) => countError(request, String(code)),
    });
    return Object.assign(context, {
      droppedLabels: dropped,
      ledger: ledger && this.createLedger(ledger, request, caller, labels, base),
      extensions: this.extensionsOf(callerRequest),
      operations: lastingRequests.of(caller, labels),
      shownOperations,
      showsBalance: config.balancePath !== null,
      unitPrice: bearer === null ? null : config.unitPrice,
      // Callers with invented tokens do not see the price.
      verifiedUnitPrice: async () =>
        config.unitPrice !== null && (await knownAccounts.findRefusal(caller)) === null ? config.unitPrice : null,
      legacyStatusCodes: options.legacyStatusCodes,
      dryRun: options.dryRun,
      fromRouter: config.subgraphSecret !== null || operation !== null,
      operationUntil: until,
      isTool,
      contentType,
    } satisfies Partial<RequestContext>);
  }

  /** Names the trace that one limit holds for: of a router that makes no operation ID. No operation ID has a space. */
  private traceOf({ headers, account }: FastifyRequest, { client }: RequestLabels): string | null {
    const isLimited = this.parts.config.subgraphSecret !== null && headers['x-max-units'] !== undefined;
    const trace = isLimited ? readTraceId(headers) : null;
    return trace && `${account?.holder ?? client ?? ''}\ntrace ${trace}`;
  }

  private extensionsOf(request: CallerRequest): Context['extensions'] {
    const found: Record<string, CallerExtension> = {};
    for (const [name, { contextFor }] of this.parts.extensions) if (contextFor) found[name] = contextFor(request);
    return found;
  }

  private labelsOf({ account, headers }: FastifyRequest): HeaderLabels & { readonly labels: RequestLabels } {
    const { config, calls } = this.parts;
    const { labels, dropped } = parseLabels(headers, config);
    const value = account?.actor ?? null;
    const actor = value === null ? null : (calls.store?.options.subjects.hash({ kind: 'actor', value }) ?? null);
    const client = clientOf(config, account, labels.client);
    const holder = config.jwt === null ? labels.client : (account?.holder ?? null);
    return { labels: { ...labels, client, actor, holder }, dropped };
  }

  private createLedger(
    { reader, budgets, events, trail, accounts: names }: RunningLedger,
    { id }: FastifyRequest,
    caller: Caller,
    { client, actor }: RequestLabels,
    base: string | null,
  ): CallerLedger {
    const { config, knownAccounts } = this.parts;
    const accounts = names.namesOf(caller);
    return createCallerLedger({
      reader,
      budgets,
      events: config.data.webhook === null ? null : events,
      trail: trail.of({ accounts, logAccount: caller.account, client, actor, requestId: id }),
      accounts,
      verifyAccount: () => knownAccounts.verify(caller),
      // Only a JWT proves who the client is. A header does not, so it does not limit what the caller sees.
      client: config.jwt === null ? null : client,
      linkBase: base,
    });
  }
}

/** Returns the client of a request. If a JWT is required, only the JWT names the client. */
export const clientOf = (
  { jwt }: Pick<Config, 'jwt'>,
  account: RequestAccount | null,
  named: string | null,
): string | null => (jwt === null ? named : (account?.client ?? null));
