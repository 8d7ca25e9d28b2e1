import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, UnauthenticatedError } from '../answer/answer';
import type { Exchange } from '../answer/exchange';
import { interpret } from '../answer/interpret';
import type { Caller } from '../caller';
import type { AnyEndpoint, Endpoint, PathSetting, WireInput } from '../endpoint/endpoint';
import { Deadline } from '../transport/deadline';
import { type HttpRequest, type HttpResult, Transport } from '../transport/transport';
import { type CallReport, toCallReport } from './call-report';
import { encodeRequest } from './encode-request';
import { type Abortable, FairLimiter } from './fair-limiter';
import { notRun, paused } from './not-run';
import { ParseQueue } from './parse-queue';
import { type PausedRegistry, type Permit, RegistryCircuits } from './registry-circuit';
import { retryDelay } from './retry-policy';
import { inSpan } from './tracing';

export interface ClientOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly now: () => Date;
  /** Paths that the interface does not give. */
  readonly paths: Readonly<Partial<Record<PathSetting, string>>>;
  /** How long a registry that keeps failing is left alone. */
  readonly resetTimeoutMs?: number;
  /** Told of each call that was put to the service; nothing in it identifies a person. */
  readonly onCall?: (call: CallReport) => void;
}

/** The client at this moment. */
export interface ClientState {
  readonly running: number;
  readonly waiting: number;
  readonly paused: readonly PausedRegistry[];
}

/** Who asks within this process: the caller, the request that the question belongs to, and a signal that its client has left. */
export interface RequestScope {
  readonly caller: Caller;
  readonly request: object;
  readonly signal: AbortSignal;
}

/** One call: it may be given up, and what came of it may be kept as it came. */
export interface Call extends Abortable {
  readonly onExchange?: (exchange: Exchange) => void;
}

/** Where an endpoint is found, as it is set up here. */
interface Route {
  readonly path: string;
  /** Method and path, as evidence names them. */
  readonly address: string;
  /** The interface promises the sandbox mode under /api only. */
  readonly hasSandbox: boolean;
}

const defaultResetTimeoutMs = 10_000;

/** Puts questions to the service: bounded, within one deadline, and never twice once a byte may have left. */
export class RegistryClient {
  private readonly transport: Transport;
  private readonly limiter: FairLimiter;
  private readonly parseQueue = new ParseQueue();
  private readonly circuits: RegistryCircuits;
  private readonly basePath: string;
  private readonly routes = new Map<AnyEndpoint, Route>();

  constructor(private readonly options: ClientOptions) {
    const { origin, pathname } = new URL(options.url);
    this.basePath = pathname.replace(/\/$/, '');
    this.transport = new Transport(origin, options.timeoutMs);
    this.limiter = new FairLimiter(options.concurrency);
    this.circuits = new RegistryCircuits(options.resetTimeoutMs ?? defaultResetTimeoutMs);
  }

  /** Method and path, as evidence names them. */
  address(endpoint: AnyEndpoint): string {
    return this.route(endpoint).address;
  }

  async fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    scope: RequestScope,
    input = endpoint.toWire(question),
    call: Call = scope,
  ): Promise<Answer<Payload>> {
    const { caller, request, signal } = scope;
    requireBearer(caller);
    const { address, hasSandbox } = this.route(endpoint);
    if (caller.sandbox && !hasSandbox) return notRun(address, 'SANDBOX_UNSUPPORTED');
    // The rest of a chain is not bought for a client that has left meanwhile.
    if (signal.aborted) return notRun(address, 'CALLER_GONE');
    const deadline = new Deadline(this.options.timeoutMs);
    const failure = await this.limiter.acquire(caller.account, request, deadline, call);
    if (failure !== null) {
      deadline.clear();
      return notRun(address, failure === 'DEADLINE' ? 'TOO_MANY_CALLS' : 'CALLER_GONE');
    }
    try {
      return await this.performCall(endpoint, question, caller, input, deadline, call);
    } finally {
      this.limiter.release(caller.account);
      deadline.clear();
    }
  }

  /** What is under way and waiting, and which registries are being left alone. */
  state(): ClientState {
    return { ...this.limiter.state(), paused: this.circuits.paused() };
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  /** Puts a question whose turn has come, unless its registry is left alone. */
  private async performCall<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    caller: Caller,
    input: WireInput,
    deadline: Deadline,
    call: Call,
  ): Promise<Answer<Payload>> {
    const { path, address } = this.route(endpoint);
    const circuit = this.circuits.of(endpoint.registry, caller.sandbox);
    // Before anything is written: key and password are not put into a body that nobody sends.
    const admission = circuit.tryAcquire(caller.account);
    if ('scope' in admission) return paused(address, admission);
    let permit: Permit | null = admission;
    try {
      const checkedAt = this.options.now();
      const httpRequest = encodeRequest(endpoint, path, input, caller);
      const result = await inSpan(address, () => this.send(address, httpRequest, caller.account, deadline, call));
      circuit.record(caller.account, permit, result);
      permit = null;
      call.onExchange?.({ result, checkedAt });
      // Nor do they stay in one that was sent.
      if (endpoint.encoding === 'multipart' && Buffer.isBuffer(httpRequest.body)) httpRequest.body.fill(0);
      const turnToParse = result.kind === 'delivered' ? this.parseQueue.wait(result.body.length) : null;
      if (turnToParse !== null) await turnToParse;
      const { sandbox, usesServerToken } = caller;
      return interpret(endpoint, question, result, { address, checkedAt, sandbox, usesServerToken });
    } finally {
      if (permit !== null) circuit.record(caller.account, permit, null);
    }
  }

  /** Sends a request, again where that costs nothing. */
  private async send(
    address: string,
    httpRequest: HttpRequest,
    account: string,
    deadline: Deadline,
    call: Abortable,
  ): Promise<HttpResult> {
    const started = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.transport.send(httpRequest, deadline);
      const wait = retryDelay(result, attempt);
      if (wait !== null && deadline.hasTimeFor(wait) && !call.signal.aborted) {
        await sleep(wait);
        if (!call.signal.aborted) continue;
      }
      this.options.onCall?.(toCallReport(address, account, result, performance.now() - started));
      return result;
    }
  }

  private route(endpoint: AnyEndpoint): Route {
    const existing = this.routes.get(endpoint);
    if (existing !== undefined) return existing;
    const set = endpoint.pathSetting === undefined ? undefined : this.options.paths[endpoint.pathSetting];
    const path = set ?? endpoint.path;
    const address = `${endpoint.method} ${path}`;
    const route = { path: this.basePath + path, address, hasSandbox: path.startsWith('/api/') };
    this.routes.set(endpoint, route);
    return route;
  }
}

/** Throws where no account asks. */
export function requireBearer({ bearer, usesServerToken }: Caller): void {
  if (bearer !== null) return;
  throw new UnauthenticatedError(
    usesServerToken
      ? 'The request carries no token that may ask here.'
      : 'No token came with the request: send `authorization: Bearer <token>`.',
  );
}
