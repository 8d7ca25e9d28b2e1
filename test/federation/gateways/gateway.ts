import { request } from 'undici';
import { hiveInstalled, startHive } from '../hive/hive';
import { startApolloGateway } from './apollo-gateway';

/** A running gateway in front of the subgraphs. */
export interface Gateway {
  readonly url: string;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  /** False sends padron no `x-operation-id`. */
  readonly operationIds?: boolean;
  /** Repeats requests to subgraphs that fail or take longer than this. By default none is repeated. */
  readonly attemptMs?: number;
}

/** A gateway with which padron is tested. */
export interface GatewayKind {
  readonly name: string;
  readonly installed: boolean;
  readonly start: (supergraph: string, options?: GatewayOptions) => Promise<Gateway>;
  /** Number of requests that a query about persons and employers becomes. */
  readonly requestsForTwoEntities: number;
}

export const gateways: readonly GatewayKind[] = [
  { name: '@apollo/gateway', installed: true, start: startApolloGateway, requestsForTwoEntities: 2 },
  {
    name: '@graphql-hive/gateway',
    installed: hiveInstalled,
    start: (supergraph, { operationIds = true, attemptMs } = {}) =>
      startHive(supergraph, {
        ...(operationIds ? {} : { OPERATION_IDS: 'off' }),
        ...(attemptMs === undefined ? {} : { ATTEMPT_MS: String(attemptMs) }),
      }),
    requestsForTwoEntities: 1,
  },
];

export async function askGateway(
  { url }: Gateway,
  body: { readonly query: string; readonly variables?: unknown },
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
