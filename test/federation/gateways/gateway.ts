import { request } from 'undici';
import { hiveInstalled, startHive } from '../hive/hive';
import type { PromiseId } from '../promises';
import { startApolloGateway } from './apollo-gateway';
import { apolloRouter, hiveRouter, isNamed, startRouter } from './router-program';

/** A running gateway in front of the subgraphs. */
export interface Gateway {
  readonly url: string;
  /** Everything that it has written. */
  log(): string;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  /** False sends padron no `x-operation-id`. */
  readonly operationIds?: boolean;
  /** Repeats requests to subgraphs that fail or take longer than this. By default none is repeated. */
  readonly attemptMs?: number;
  /** Milliseconds that a request may take, instead of the time of the recipe. */
  readonly timeoutMs?: number;
  /** Limit by `@cost`, with free types and operations. */
  readonly maxUnits?: number;
  /** The only documents that it runs, by their IDs. */
  readonly documents?: Readonly<Record<string, string>>;
  /** A file with the keys of JWTs, by whose scopes it allows fields. */
  readonly keySet?: string;
}

/** A gateway with which padron is tested. */
export interface GatewayKind {
  readonly name: string;
  readonly version: string;
  /** Whether its log names its version. Those of packages are pinned. */
  readonly logsVersion?: boolean;
  readonly installed: boolean;
  readonly start: (supergraph: string, options?: GatewayOptions) => Promise<Gateway>;
  /** Number of requests that a query about persons and employers becomes. */
  readonly requestsForTwoEntities: number;
  /** Field of an error that names its subgraph. */
  readonly serviceKey: 'serviceName' | 'service';
  /** Whether it makes one `x-operation-id` for all requests of an operation. */
  readonly makesIds: boolean;
  /** Whether it can be set up to repeat requests, and to give up. The others have no such setting. */
  readonly repeats: boolean;
  readonly givesUp: boolean;
  /** Promises that it does not keep, each with the reason. */
  readonly without: Partial<Record<PromiseId, string>>;
}

export const gateways: readonly GatewayKind[] = [
  {
    name: '@apollo/gateway',
    version: '2.14.4',
    installed: true,
    start: startApolloGateway,
    serviceKey: 'serviceName',
    requestsForTwoEntities: 2,
    makesIds: true,
    repeats: true,
    givesUp: false,
    without: {
      units: 'no',
      allUnits: 'no',
      costs: 'no',
      scopes: 'no: it refuses the supergraph',
      documents: 'no',
      trace: 'with OpenTelemetry',
      files: 'no: use base64',
    },
  },
  {
    name: 'Hive Gateway',
    version: '2.15.1',
    installed: hiveInstalled,
    start: startHive,
    serviceKey: 'serviceName',
    requestsForTwoEntities: 1,
    makesIds: true,
    repeats: true,
    givesUp: true,
    without: {
      units: 'no',
      allUnits: 'no',
      trace: 'with OpenTelemetry',
    },
  },
  {
    name: 'Hive Router',
    version: '0.3.10',
    logsVersion: true,
    installed: isNamed(hiveRouter),
    start: (supergraph, options) => startRouter(hiveRouter, supergraph, options),
    serviceKey: 'service',
    requestsForTwoEntities: 1,
    makesIds: false,
    repeats: false,
    givesUp: true,
    without: {
      ownLimit: 'by `traceparent`',
      ages: 'no: send an ID',
      allUnits: 'no: it has the last',
      password: '**no**',
      files: 'no: use base64',
    },
  },
  {
    name: 'Apollo Router',
    version: '2.17.0',
    logsVersion: true,
    installed: isNamed(apolloRouter),
    start: (supergraph, options) => startRouter(apolloRouter, supergraph, options),
    serviceKey: 'service',
    requestsForTwoEntities: 2,
    makesIds: true,
    repeats: false,
    givesUp: true,
    without: {
      costs: 'needs a licence',
      scopes: 'needs a licence',
      documents: 'needs a licence',
    },
  },
];

export async function askGateway(
  { url }: Gateway,
  body: {
    readonly query?: string;
    readonly variables?: unknown;
    readonly documentId?: string;
    readonly extensions?: unknown;
  },
  headers: Readonly<Record<string, string>>,
) {
  const all = { 'content-type': 'application/json', ...headers };
  const response = await request(url, { method: 'POST', headers: all, body: JSON.stringify(body) });
  const text = await response.body.text();
  // biome-ignore lint/suspicious/noExplicitAny: the border to JSON; every test asserts what it reads.
  const { data, errors, extensions }: { data: any; errors?: readonly any[]; extensions?: unknown } = JSON.parse(text);
  return { status: response.statusCode, headers: response.headers, text, data, errors, extensions };
}

/** Returns the values of a key at any depth. */
export function collect(value: unknown, key: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (name === key ? [inner] : collect(inner, key)));
}
