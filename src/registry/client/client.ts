import { randomBytes } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Answer, UnauthenticatedError } from '../answer/answer';
import type { Exchange } from '../answer/exchange';
import { interpret } from '../answer/interpret';
import type { ProblemCode } from '../answer/problem';
import type { Caller } from '../caller';
import type { AnyEndpoint, Endpoint, FilePart, PathSetting, WireInput } from '../endpoint/endpoint';
import type { SandboxDelays } from '../sandbox-delays';
import { type HttpRequest, Transport } from '../transport/transport';
import { type Availability, RecentCalls } from './availability';
import { type Abortable, FairLimiter } from './fair-limiter';
import { classifyHealth, type PausedRegistry, type Permit, RegistryCircuits } from './registry-circuit';
import { RequestSender, type SenderOptions } from './request-sender';
import { inSpan } from './tracing';
import { circuitOpenAnswer, skippedAnswer } from './unsent-answers';

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

/** Encodes a form in pieces, which borrow its files: FormData or one buffer of the whole form would be a copy of the key. */
function encodeMultipart(input: WireInput): {
  readonly contentType: string;
  readonly body: readonly (string | Buffer)[];
} {
  const boundary = `padron-${randomBytes(18).toString('base64url')}`;
  const body: (string | Buffer)[] = [];
  let text = '';
  for (const [name, value] of Object.entries(input)) {
    text += `--${boundary}\r\n${partHeader(name, value)}\r\n\r\n`;
    if (isFile(value)) {
      body.push(text, value.bytes);
      text = '';
    } else text += value;
    text += '\r\n';
  }
  body.push(`${text}--${boundary}--\r\n`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

function partHeader(name: string, value: WireInput[string]): string {
  const disposition = `content-disposition: form-data; name="${name}"`;
  if (!isFile(value)) return disposition;
  return `${disposition}; filename="${value.filename}"\r\ncontent-type: application/octet-stream`;
}

function isFile(value: WireInput[string]): value is FilePart {
  return typeof value === 'object';
}

export interface ClientOptions extends SenderOptions {
  readonly url: string;
  /** Milliseconds within which a call is sent, and again within which it is answered. */
  readonly timeoutMs: number;
  readonly concurrency: number;
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
  readonly sandboxDelays?: SandboxDelays;
}

export interface Call extends Abortable {
  /** Called when the question is about to be sent. It is not called if the call was aborted before. */
  onSend?(): void;
  readonly onExchange?: ((exchange: Exchange) => void) | null;
}

interface Route {
  readonly path: string;
  readonly address: string;
  /** Whether the endpoint has the sandbox mode, which the interface only promises under /api. */
  readonly hasSandbox: boolean;
}

const defaultResetTimeoutMs = 10_000;

/** Sends questions to the service, with limited concurrency. Never repeats a call of which a byte may have been sent. */
export class RegistryClient {
  /** Maximum concurrent calls of an account: the share of this process. */
  concurrency: number;
  private readonly limiter: FairLimiter;
  private readonly parseQueue = new ParseQueue();
  private readonly circuits: RegistryCircuits;
  private readonly recentCalls: RecentCalls;
  private readonly sender: RequestSender;
  private readonly basePath: string;
  onHealth: ((registry: string, reason: ProblemCode | null) => void) | null = null;
  private readonly routes = new Map<AnyEndpoint, Route>();

  constructor(private readonly options: ClientOptions) {
    const { origin, pathname } = new URL(options.url);
    this.basePath = pathname.replace(/\/$/, '');
    this.sender = new RequestSender(new Transport(origin, options.timeoutMs), options);
    this.concurrency = options.concurrency;
    this.limiter = new FairLimiter(options.concurrency, options.timeoutMs);
    this.recentCalls = new RecentCalls(options.now);
    this.circuits = new RegistryCircuits(options.resetTimeoutMs ?? defaultResetTimeoutMs, (registry, reason) =>
      this.onHealth?.(registry, reason),
    );
  }

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
    if (caller.sandbox && !hasSandbox) return skippedAnswer(address, 'SANDBOX_UNSUPPORTED');
    // If the client has disconnected, the further lookups of its operation are not paid for.
    if (signal.aborted || call.signal.aborted) return skippedAnswer(address, 'CALLER_GONE');
    // The time that a call waits is not part of the time in which it must be answered. It may have been charged as soon as it is sent.
    const sendBy = performance.now() + this.options.timeoutMs;
    const turn = this.limiter.acquire(caller.account, request, call);
    const failure = turn === null ? null : await turn;
    if (failure !== null) return skippedAnswer(address, failure);
    try {
      const pause = this.sender.waitForPause(address, caller.account, sendBy, call);
      const refusal = pause === null ? null : await pause;
      if (refusal !== null) return refusal;
      if (call.signal.aborted) return skippedAnswer(address, 'CALLER_GONE');
      call.onSend?.();
      return await this.performCall(endpoint, question, scope, input, sendBy, call);
    } finally {
      this.limiter.release(caller.account);
    }
  }

  interpret<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    { result, checkedAt }: Exchange,
    { sandbox, usesServerToken }: Caller,
  ): Answer<Payload> {
    const { address } = this.route(endpoint);
    return interpret(endpoint, question, result, { address, checkedAt, sandbox, usesServerToken });
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

  private async performCall<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    { caller, sandboxDelays }: RequestScope,
    input: WireInput,
    sendBy: number,
    call: Call,
  ): Promise<Answer<Payload>> {
    const { path, address } = this.route(endpoint);
    const circuit = this.circuits.of(endpoint.registry, caller.sandbox);
    const admission = circuit.tryAcquire(caller.account);
    if ('scope' in admission) return circuitOpenAnswer(address, admission);
    let permit: Permit | null = admission;
    try {
      const checkedAt = this.options.now();
      const httpRequest = encodeRequest(endpoint, path, input, caller, sandboxDelays?.get(endpoint));
      const started = performance.now();
      const result = await inSpan(address, () => this.sender.send(address, httpRequest, caller, sendBy, call));
      const ms = performance.now() - started;
      circuit.record(caller.account, permit, result);
      permit = null;
      call.onExchange?.({ result, checkedAt });
      const turnToParse = result.kind === 'delivered' ? this.parseQueue.wait(result.body.length) : null;
      if (turnToParse !== null) await turnToParse;
      const answer = this.interpret(endpoint, question, { result, checkedAt }, caller);
      if (classifyHealth(result) !== null) this.recentCalls.record(endpoint, caller, answer, ms);
      return answer;
    } finally {
      if (permit !== null) circuit.record(caller.account, permit, null);
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

export function requireBearer({ bearer, usesServerToken }: Caller): void {
  if (bearer !== null) return;
  throw new UnauthenticatedError(
    usesServerToken
      ? 'The request has no valid JWT. Send `authorization: Bearer <JWT>`.'
      : 'The request has no token. Send `authorization: Bearer <token>`.',
  );
}

const defaultMaxBytes = 2_000_000;

function encodeRequest(
  endpoint: AnyEndpoint,
  path: string,
  input: WireInput,
  caller: Caller,
  sandboxDelayMs?: number,
): HttpRequest {
  const { method, maxBytes = defaultMaxBytes } = endpoint;
  const headers: HttpRequest['headers'] = {
    authorization: `Bearer ${caller.bearer}`,
    accept: endpoint.envelope === 'file' ? 'application/pdf, application/json' : 'application/json',
    'accept-encoding': 'identity',
  };
  if (caller.sandbox) headers['x-sandbox'] = 'true';
  if (sandboxDelayMs !== undefined) headers['x-sandbox-delay'] = String(sandboxDelayMs);
  if (endpoint.encoding === 'query') {
    const query = new URLSearchParams(
      Object.entries(input).map(([name, value]): [string, string] => [name, `${value}`]),
    );
    return { method, path: `${path}?${query}`, headers, body: null, maxBytes };
  }
  if (endpoint.encoding === 'json') {
    headers['content-type'] = 'application/json';
    return { method, path, headers, body: JSON.stringify(input), maxBytes };
  }
  const { contentType, body } = encodeMultipart(input);
  headers['content-type'] = contentType;
  headers['content-length'] = String(body.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  return { method, path, headers, body, maxBytes };
}
