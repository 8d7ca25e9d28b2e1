import { request } from 'undici';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import type { SandboxCall } from '../../../src/extensions/sandbox/service';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/extensions/sandbox/service';
import type { Graph } from '../../../src/graph/schema/build-schema';
import type { StartOptions } from '../../../src/server/start';
import { createLogger } from '../../../src/server/telemetry/logger';
import { buildGraph, readConfig, startPadron } from './whole-padron';

/** One answer over HTTP. `data` is as loose as JSON is: a test says what it expects to find. */
export interface GraphqlAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: the border to JSON; every test asserts what it reads.
  readonly data: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise.
  readonly errors: readonly any[] | undefined;
}

export interface RunningPadron {
  readonly url: string;
  readonly sandbox: Sandbox;
  ask(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<GraphqlAnswer>;
  /** Endpoints called since the last look, in order of arrival, without the free checks of a token before batches. */
  calls(): readonly string[];
  /** All calls with input, status and units; does not count as a look. */
  callsInFull(): readonly SandboxCall[];
  /** Units that the service's ledger has taken from a token's account. */
  spent(token?: string): number;
  readonly log: readonly string[];
  stop(): Promise<void>;
}

export interface Setup extends StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly sandbox?: SandboxOptions;
  readonly registryUrl?: (sandbox: Sandbox) => string;
}

/** Starts the sandbox and a padron that uses it, each on its own port. */
export async function runPadron(setup: Setup = {}): Promise<RunningPadron> {
  const sandbox = await startSandbox({ slowMs: 300, ...(setup.now ? { clock: setup.now } : {}), ...setup.sandbox });
  const lines: string[] = [];
  const environment = {
    PORT: '0',
    LOG_LEVEL: 'trace',
    // Tests count calls, so an answer of one test must not be replayed in the next.
    REPLAY_SECONDS: '0',
    REGISTRY_URL: setup.registryUrl?.(sandbox) ?? sandbox.url,
    ...setup.environment,
  };
  const log = createLogger('trace', { write: (line) => void lines.push(line) });
  const config = readConfig(environment);
  const padron = await startPadron(config, log, { graph: graphOf(config.schemaScopes), ...setup }).catch(
    async (error: unknown) => {
      await sandbox.close();
      throw error;
    },
  );
  return {
    url: padron.url,
    sandbox,
    ask: (query, variables = {}, headers = {}) => post(padron.url, { query, variables }, headers),
    calls: () => {
      const endpoints = sandbox.calls.filter((call) => !isTokenCheck(call)).map(({ endpoint }) => endpoint);
      sandbox.clearCalls();
      return endpoints;
    },
    callsInFull: () => sandbox.calls,
    spent: (token = SANDBOX_TOKEN) => sandbox.spent(token),
    log: lines,
    stop: async () => {
      await padron.stop();
      await sandbox.close();
    },
  };
}

const graphs = new Map<boolean, Graph>();

/** Returns the graph, which is built once in a file of tests. */
function graphOf(scopes: boolean): Graph {
  const graph = graphs.get(scopes) ?? buildGraph({ scopes });
  graphs.set(scopes, graph);
  return graph;
}

/** One GraphQL request over HTTP, with the sandbox's token unless the headers say otherwise ('' sends none). */
export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphqlAnswer> {
  const all = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}`, ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const response = await request(url, { method: 'POST', headers: sent, body: JSON.stringify(body) });
  const { data, errors } = (await response.body.json()) as Pick<GraphqlAnswer, 'data' | 'errors'>;
  return { status: response.statusCode, headers: response.headers, data, errors };
}

/** Whether the call only checks, in sandbox mode and without a person, that the service knows a token. */
export function isTokenCheck({ sandbox, input, units }: SandboxCall): boolean {
  return sandbox && units === 0 && Object.keys(input).length === 0;
}
