import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { times } from '../../times';
import { type Answer, circuitOpenAnswer, skippedAnswer, UnauthenticatedError } from '../answer/answer';
import { type Exchange, interpret, namedUnits } from '../answer/interpret';
import type { Problem, ProblemCode } from '../answer/problem';
import type { Caller } from '../caller';
import type { AnyEndpoint, Endpoint, PathSetting, WireInput } from '../endpoint/endpoint';
import { ownPrices, type PriceList } from '../endpoint/price-list';
import type { Proxies } from '../transport/proxies';
import { type HttpResult, Transport } from '../transport/transport';
import { type Availability, RecentCalls } from './availability';
import { type Abortable, FairLimiter } from './fair-limiter';
import { classifyHealth, type PausedRegistry, type Permit, RegistryCircuits } from './registry-circuit';
import { encodeRequest, RequestSender, type SandboxDelays, type Sendable, type SenderOptions } from './request-sender';
import { inSpan } from './tracing';

/** Minimum size in bytes of a large answer. Parsing one takes a millisecond or more. */
const largeBytes = 64_000;

/** Parses one large answer per turn of the event loop, so that many of them do not block other requests. */
export class ParseQueue {
  private last: Promise<void> = Promise.resolve();

  wait(bytes: number): Promise<void> | null {
    if (bytes < largeBytes) return null;
    this.last = this.last.then(() => yieldToEventLoop());
    return this.last;
  }
}

export interface ClientOptions extends SenderOptions {
  readonly url: string;
  /** Milliseconds within which a call is sent, and again within which it is answered. */
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly proxies: Proxies;
  readonly now: () => Date;
  readonly paths: Readonly<Partial<Record<PathSetting, string>>>;
  readonly resetTimeoutMs?: number;
}

export interface ClientState {
  readonly running: number;
  readonly waiting: number;
  readonly paused: readonly PausedRegistry[];
}

export interface RequestScope {
  readonly caller: Caller;
  readonly request: object;
  readonly signal: AbortSignal;
  /** The price list with which the requests began. They end with it. */
  readonly prices: PriceList;
  readonly sandboxDelays?: SandboxDelays;
  /** Returns why these requests may not use an endpoint. */
  readonly refuses?: (endpoint: AnyEndpoint) => Problem | null;
  /** Limits the running calls of all requests with these turns, besides the limit of their account. */
  readonly turns?: { acquire(): Promise<void>; release(): void };
}

export interface Call extends Sendable {
  onSend?(): void;
  readonly onExchange?: ((exchange: Exchange) => void) | null;
}

/** Permission to send one call at once. */
export interface Turn {
  readonly endpoint: AnyEndpoint;
  readonly scope: RequestScope;
  /** Time by `performance.now()` until which the call may be retried if that is free. */
  readonly sendBy: number;
  readonly permit: Permit;
}

interface Route {
  readonly path: string;
  readonly address: string;
  /** Whether the endpoint has the sandbox mode, which the interface only promises under /api. */
  readonly hasSandbox: boolean;
}

/** Sends questions to the service, with limited concurrency. Never repeats a call of which a byte may have been sent. */
export class RegistryClient {
  /** Maximum concurrent calls of an account: the share of this process. */
  concurrency: number;
  /** The price list of what begins now. */
  prices: PriceList = ownPrices;
  private readonly limiter: FairLimiter;
  private readonly parseQueue = new ParseQueue();
  private readonly circuits: RegistryCircuits;
  private readonly recentCalls: RecentCalls;
  private readonly sender: RequestSender;
  private readonly basePath: string;
  onHealth: ((registry: string, reason: ProblemCode | null) => void) | null = null;
  /** Receives what answers say they cost, if that is not the price. */
  onPriceDiffers: ((address: string, named: number, units: number) => void) | null = null;
  private readonly routes = new Map<AnyEndpoint, Route>();

  constructor(private readonly options: ClientOptions) {
    const { origin, pathname } = new URL(options.url);
    this.basePath = pathname.replace(/\/$/, '');
    this.sender = new RequestSender(new Transport(origin, options.timeoutMs, options.proxies), options);
    this.concurrency = options.concurrency;
    this.limiter = new FairLimiter(options.concurrency, options.timeoutMs);
    this.recentCalls = new RecentCalls(options.now);
    this.circuits = new RegistryCircuits(options.resetTimeoutMs ?? times.circuitReset, (registry, reason) =>
      this.onHealth?.(registry, reason),
    );
  }

  address(endpoint: AnyEndpoint): string {
    return this.route(endpoint).address;
  }

  /** Whether a call of the account could be sent at once. */
  hasTurn({ registry }: AnyEndpoint, { account, sandbox }: Caller): boolean {
    if (!this.limiter.hasRoom(account) || this.sender.isPaused(account)) return false;
    return this.circuits.of(registry, sandbox).pausedMs(account) === null;
  }

  /**
   * Waits for the turn of a call: a place among the running calls of its account, outside a pause, while the registry's circuit admits it. Returns
   * the turn, or why there is none. A turn is sent or released.
   */
  async takeTurn(endpoint: AnyEndpoint, scope: RequestScope, call: Abortable = scope): Promise<Turn | Answer<never>> {
    const { caller, request, signal } = scope;
    requireBearer(caller);
    const { address, hasSandbox } = this.route(endpoint);
    const { account, sandbox } = caller;
    if (sandbox && !hasSandbox) return skippedAnswer(address, 'SANDBOX_UNSUPPORTED');
    // If the client has disconnected, the further lookups of its operation are not paid for.
    if (signal.aborted || call.signal.aborted) return skippedAnswer(address, 'CALLER_GONE');
    const sendBy = performance.now() + this.options.timeoutMs;
    const turn = this.limiter.acquire(account, request, call);
    const failure = turn === null ? null : await turn;
    if (failure !== null) return skippedAnswer(address, failure);
    let isTaken = false;
    try {
      const pause = this.sender.waitForPause(address, account, sendBy, call);
      const refusal = pause === null ? null : await pause;
      if (refusal !== null) return refusal;
      if (call.signal.aborted) return skippedAnswer(address, 'CALLER_GONE');
      const permit = this.circuits.of(endpoint.registry, sandbox).tryAcquire(account);
      if ('scope' in permit) return circuitOpenAnswer(address, permit);
      isTaken = true;
      return { endpoint, scope, sendBy, permit };
    } finally {
      if (!isTaken) this.limiter.release(account);
    }
  }

  /** Gives back the turn of a call that was not sent. */
  release({ endpoint, scope: { caller }, permit }: Turn): void {
    this.circuits.of(endpoint.registry, caller.sandbox).record(caller.account, permit, null);
    this.limiter.release(caller.account);
  }

  /** Sends a call in its turn. Resolves to null if it was not sent, because another process may have taken it over. */
  async send<Question, Payload>(
    { endpoint, scope, sendBy, permit }: Turn,
    question: Question,
    input: WireInput,
    call: Call,
  ): Promise<Answer<Payload> | null> {
    const { caller, sandboxDelays, prices } = scope;
    const { path, address } = this.route(endpoint);
    const terms = prices === ownPrices ? undefined : prices.of(endpoint);
    let result: HttpResult | null = null;
    let isUnusable = false;
    try {
      call.onSend?.();
      const checkedAt = this.options.now();
      const retriesRateLimit = caller.sandbox || terms?.charged.includes('RATE_LIMITED') !== true;
      const httpRequest = encodeRequest(endpoint, path, input, caller, sandboxDelays?.get(endpoint));
      const started = performance.now();
      result = await inSpan(address, () =>
        this.sender.send(address, httpRequest, caller, sendBy, call, retriesRateLimit),
      );
      if (result === null) return null;
      const ms = performance.now() - started;
      const exchange = { result, checkedAt, terms };
      call.onExchange?.(exchange);
      const turnToParse = result.kind === 'delivered' ? this.parseQueue.wait(result.body.length) : null;
      if (turnToParse !== null) await turnToParse;
      const answer: Answer<Payload> = this.interpret(endpoint, question, exchange, caller);
      isUnusable = answer.problems.some(({ code }) => code === 'UNUSABLE_ANSWER');
      if (answer.problems.some(({ code }) => code === 'PRICE_DIFFERS'))
        this.onPriceDiffers?.(address, namedUnits(result, terms) ?? 0, answer.evidence.units);
      if (classifyHealth(result, isUnusable) !== null) this.recentCalls.record(endpoint, caller, answer, ms);
      return answer;
    } finally {
      this.circuits.of(endpoint.registry, caller.sandbox).record(caller.account, permit, result, isUnusable);
      this.limiter.release(caller.account);
    }
  }

  /** Takes a turn and sends a call that costs nothing. */
  async fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    scope: RequestScope,
    input = endpoint.toWire(question),
    call: Call = scope,
  ): Promise<Answer<Payload>> {
    const turn = await this.takeTurn(endpoint, scope, call);
    if ('outcome' in turn) return turn;
    const answer = await this.send<Question, Payload>(turn, question, input, call);
    return answer ?? skippedAnswer(this.address(endpoint), 'CALLER_GONE');
  }

  interpret<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    { result, checkedAt, terms }: Exchange,
    { sandbox, usesServerToken }: Caller,
  ): Answer<Payload> {
    const { address } = this.route(endpoint);
    return interpret(endpoint, question, result, { address, checkedAt, terms, sandbox, usesServerToken });
  }

  recentMs(endpoint: AnyEndpoint, caller: Caller): number | null {
    return this.recentCalls.medianMs(endpoint, caller);
  }

  availability(endpoint: AnyEndpoint, caller: Caller): Availability {
    const { account, sandbox } = caller;
    const pausedMs = this.circuits.of(endpoint.registry, sandbox).pausedMs(account);
    return this.recentCalls.availability(endpoint, caller, pausedMs);
  }

  state(): ClientState {
    return { ...this.limiter.state(), paused: this.circuits.paused() };
  }

  set onPause(listener: (caller: Caller, ms: number) => void) {
    this.sender.onPause = listener;
  }

  pauseAccount(account: string, ms: number): void {
    this.sender.pauseAccount(account, ms);
  }

  setConcurrency(limit: number): void {
    this.concurrency = limit;
    this.limiter.setLimit(limit);
  }

  close(): Promise<void> {
    return this.sender.close();
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

export function requireBearer({ bearer, usesServerToken }: Caller): void {
  if (bearer !== null) return;
  throw new UnauthenticatedError(
    usesServerToken
      ? 'The request has no valid JWT. Send `authorization: Bearer <JWT>`.'
      : 'The request has no token. Send `authorization: Bearer <token>`.',
  );
}
