import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, notAsked, Unauthenticated } from './answer';
import { Breakers } from './breakers';
import type { Caller } from './caller';
import { Deadline } from './deadline';
import { encode } from './encode';
import type { AnyEndpoint, Endpoint, PathSetting } from './endpoint';
import type { Gone } from './gone';
import { type ProblemCode, problem } from './problem';
import { ReadingTurns } from './reading-turns';
import { waitBeforeRetry } from './retry';
import { inSpan } from './spans';
import { type Exchange, type Outgoing, Transport } from './transport';
import { Turns } from './turns';
import { verdict } from './verdict';

export interface ClientOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly now: () => Date;
  /** Paths that the interface does not give. */
  readonly paths: Readonly<Partial<Record<PathSetting, string>>>;
  /** How long a registry that keeps failing is left alone. */
  readonly pauseMs?: number;
  /** Told of each call that was put to the service; nothing in it identifies a person. */
  readonly onCall?: (call: CallReport) => void;
}

/** What may be said aloud of one call. */
export interface CallReport {
  readonly endpoint: string;
  readonly account: string;
  readonly result: Exchange['kind'];
  readonly status: number | null;
  readonly detail: string | null;
  readonly milliseconds: number;
}

/** The client at this moment. */
export interface ClientState {
  readonly running: number;
  readonly waiting: number;
  readonly paused: readonly string[];
}

/** Who asks within this process: the caller, the request that the question belongs to, and whether somebody still waits. */
export interface Asking {
  readonly caller: Caller;
  readonly request: object;
  readonly gone: Gone | null;
}

/** Where an endpoint is found, as it is set up here. */
interface Route {
  readonly path: string;
  /** Method and path, as evidence names them. */
  readonly address: string;
  /** The interface promises the sandbox mode under /api only. */
  readonly hasSandbox: boolean;
}

const defaultPauseMs = 10_000;

/** Puts questions to the service: bounded, within one deadline, and never twice once a byte may have left. */
export class RegistryClient {
  private readonly transport: Transport;
  private readonly turns: Turns;
  private readonly readingTurns = new ReadingTurns();
  private readonly breakers: Breakers;
  private readonly basePath: string;
  private readonly routes = new Map<AnyEndpoint, Route>();

  constructor(private readonly options: ClientOptions) {
    const { origin, pathname } = new URL(options.url);
    this.basePath = pathname.replace(/\/$/, '');
    this.transport = new Transport(origin, {
      // Unbounded here: a pool's bound is a second queue, one that knows neither accounts nor callers. `Turns` bounds.
      connections: null,
      timeoutMs: options.timeoutMs,
    });
    this.turns = new Turns(options.concurrency);
    this.breakers = new Breakers(options.pauseMs ?? defaultPauseMs);
  }

  /** Method and path, as evidence names them. */
  address(endpoint: AnyEndpoint): string {
    return this.route(endpoint).address;
  }

  async ask<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    asking: Asking,
    input = endpoint.wire(question),
  ): Promise<Answer<Payload>> {
    const { caller, request, gone } = asking;
    if (caller.bearer === null) throw new Unauthenticated(noToken(caller));
    const { path, address, hasSandbox } = this.route(endpoint);
    if (caller.sandbox && !hasSandbox) return notRun(address, 'SANDBOX_UNSUPPORTED');
    const deadline = new Deadline(this.options.timeoutMs);
    try {
      const turn = this.turns.take(caller.account, request, deadline, gone);
      const noTurn = turn instanceof Promise ? await turn : turn;
      if (noTurn !== null) return notRun(address, noTurn === 'DEADLINE' ? 'REGISTRY_PAUSED' : 'CALLER_GONE');
      try {
        const { sandbox, heldHere } = caller;
        const breaker = this.breakers.of(endpoint.registry, sandbox);
        const admission = breaker.admit();
        if (admission === null) return notRun(address, 'REGISTRY_PAUSED');
        const checkedAt = this.options.now();
        let exchange: Exchange | null = null;
        try {
          const outgoing = encode(endpoint, path, input, caller);
          exchange = await inSpan(address, () => this.exchange(address, outgoing, asking, deadline));
          // Key and password stay in memory no longer than they are needed.
          if (endpoint.carries === 'multipart' && Buffer.isBuffer(outgoing.body)) outgoing.body.fill(0);
        } finally {
          breaker.note(admission, exchange);
        }
        const turnToRead = exchange.kind === 'delivered' ? this.readingTurns.take(exchange.body.length) : null;
        if (turnToRead !== null) await turnToRead;
        return verdict(endpoint, question, exchange, { address, checkedAt, sandbox, heldHere });
      } finally {
        this.turns.release(caller.account);
      }
    } finally {
      deadline.clear();
    }
  }

  /** What is under way and waiting, and which registries are being left alone. */
  state(): ClientState {
    return { ...this.turns.state(), paused: this.breakers.open() };
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  private async exchange(
    address: string,
    outgoing: Outgoing,
    { caller, gone }: Asking,
    deadline: Deadline,
  ): Promise<Exchange> {
    const started = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      const exchange = await this.transport.send(outgoing, deadline);
      const wait = waitBeforeRetry(exchange, attempt);
      const again = wait !== null && deadline.allows(wait) && !gone?.happened;
      if (again) await sleep(wait);
      if (again && !gone?.happened) continue;
      this.options.onCall?.(reportOf(address, caller.account, exchange, performance.now() - started));
      return exchange;
    }
  }

  private route(endpoint: AnyEndpoint): Route {
    const known = this.routes.get(endpoint);
    if (known !== undefined) return known;
    const set = endpoint.pathSetting === undefined ? undefined : this.options.paths[endpoint.pathSetting];
    const path = set ?? endpoint.path;
    const address = `${endpoint.method} ${path}`;
    const route = { path: this.basePath + path, address, hasSandbox: path.startsWith('/api/') };
    this.routes.set(endpoint, route);
    return route;
  }
}

function notRun(address: string, code: ProblemCode): Answer<never> {
  return notAsked('NOT_RUN', address, [problem(code)]);
}

function reportOf(endpoint: string, account: string, exchange: Exchange, ms: number): CallReport {
  return {
    endpoint,
    account,
    result: exchange.kind,
    status: exchange.kind === 'delivered' ? exchange.status : null,
    detail: exchange.kind === 'failed' ? exchange.detail : null,
    milliseconds: Math.round(ms),
  };
}

function noToken({ heldHere }: Caller): string {
  if (heldHere) return 'The request carries no token that may ask here.';
  return 'No token came with the request: send `authorization: Bearer <token>`.';
}
