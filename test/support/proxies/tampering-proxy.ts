import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. `arrivals`: how often this very request has come by then; 2 is a question put twice. */
export interface ArrivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly arrivals: number;
}

/** An answer of the service on its way back; `json` is undefined where its body is not JSON. */
export interface RelayedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly bytes: Buffer;
  readonly json: unknown;
}

/** The replaced answer. Its headers are added to those that were received. */
export type ChangedAnswer = Partial<RelayedAnswer>;

export type Misbehaviour = (response: ServerResponse) => void;

type Intervention = ChangedAnswer | Misbehaviour | null;

/** Looks at an answer that the service has given (and charged for); null lets it pass. May take its time. */
export type Tamper = (answer: RelayedAnswer, request: ArrivedRequest) => Intervention | Promise<Intervention>;

/** Answers in the place of the service, which then never sees the request; null lets it through. */
export type StandIn = (request: ArrivedRequest) => Intervention;

export interface TamperingProxy {
  readonly url: string;
  readonly requests: readonly ArrivedRequest[];
  connections(): number;
  /** The most requests of one bearer that were under way at once. */
  maxConcurrent(bearer: string): number;
  abandoned(): number;
  tamper(tamper: Tamper | null): void;
  standIn(standIn: StandIn | null): void;
  reset(): void;
  close(): Promise<void>;
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

/** A real HTTP proxy in front of `target`, on `port` or a free one, that may change answers or misbehave. */
export async function startProxy(target: string | (() => string), port = 0): Promise<TamperingProxy> {
  const agent = new Agent({ keepAlive: true });
  const requests: ArrivedRequest[] = [];
  const underWay = new Map<string, { now: number; max: number }>();
  const seen = new Map<string, number>();
  let connections = 0;
  let abandoned = 0;
  let tamper: Tamper | null = null;
  let standIn: StandIn | null = null;

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.once('close', arrive(underWay, incoming.headers.authorization ?? ''));
    response.once('close', () => {
      if (!response.writableFinished) abandoned += 1;
    });
    const body = await bytesOf(incoming);
    const arrived = describe(incoming, body, seen);
    requests.push(arrived);
    const own = standIn?.(arrived) ?? null;
    if (own !== null) return play(own, nothing, response);
    const answer = await relay(typeof target === 'string' ? target : target(), agent, incoming, body);
    play((await tamper?.(answer, arrived)) ?? null, answer, response);
  };
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    maxConcurrent: (bearer) => underWay.get(`Bearer ${bearer}`)?.max ?? 0,
    abandoned: () => abandoned,
    tamper: (next) => {
      tamper = next;
    },
    standIn: (next) => {
      standIn = next;
    },
    reset: () => {
      requests.length = 0;
      seen.clear();
      tamper = null;
      standIn = null;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}

const nothing: RelayedAnswer = { status: 200, headers: {}, bytes: Buffer.alloc(0), json: undefined };

function arrive(underWay: Map<string, { now: number; max: number }>, account: string): () => void {
  const count = underWay.get(account) ?? { now: 0, max: 0 };
  underWay.set(account, count);
  count.now += 1;
  count.max = Math.max(count.max, count.now);
  return () => {
    count.now -= 1;
  };
}

function describe(incoming: IncomingMessage, body: Buffer, seen: Map<string, number>): ArrivedRequest {
  const { method = '', url = '', headers } = incoming;
  const question = `${method} ${url} ${headers.authorization} ${body.toString('latin1')}`;
  const arrivals = (seen.get(question) ?? 0) + 1;
  seen.set(question, arrivals);
  return { method, path: url.split('?')[0] ?? '', headers, arrivals };
}

/** Passes on the host as it came, so that links in answers lead through the proxy too. */
function relay(target: string, agent: Agent, incoming: IncomingMessage, body: Buffer): Promise<RelayedAnswer> {
  const { method = 'GET', url = '/', headers } = incoming;
  return new Promise((resolve, reject) => {
    const outgoing = request(`${target}${url}`, { method, headers, agent }, async (answer) => {
      const bytes = await bytesOf(answer);
      const kept = Object.entries(answer.headers).filter(([name]) => !hopByHop.has(name));
      const passed = Object.fromEntries(kept) as RelayedAnswer['headers'];
      resolve({ status: answer.statusCode ?? 0, headers: passed, bytes, json: jsonOf(bytes) });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function play(intervention: Intervention, answer: RelayedAnswer, response: ServerResponse): void {
  if (typeof intervention === 'function') {
    intervention(response);
    return;
  }
  const changed = intervention ?? {};
  const bytes = changed.bytes ?? ('json' in changed ? Buffer.from(JSON.stringify(changed.json)) : answer.bytes);
  const status = changed.status ?? answer.status;
  const headers = { 'content-type': 'application/json', ...answer.headers, ...changed.headers };
  // A 204 has no body, and no length of one.
  response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
