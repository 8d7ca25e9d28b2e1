import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { parse, stringify } from 'yaml';
import { temporaryFile } from '../../support/keys/signatures';
import { freePort } from '../../support/processes/free-port';
import { watchProcess } from '../../support/processes/process';
import { routerSecret } from '../supergraph';
import type { Gateway, GatewayOptions } from './gateway';

const recipes = join(__dirname, '../../../deploy/routers');
export const readRecipe = (file: string): string => readFileSync(join(recipes, file), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: the settings of a router, which checks them itself.
type Settings = any;

/** A router whose program an environment variable names. */
interface RouterProgram {
  readonly variable: string;
  readonly recipe: string;
  /** Changes the settings of the recipe: addresses, times, and what a test asks for. */
  readonly adapt: (settings: Settings, port: number, options: GatewayOptions) => void;
  readonly argumentsFor: (settings: string, supergraph: string) => readonly string[];
  readonly environmentFor: (settings: string, supergraph: string, port: number) => Readonly<Record<string, string>>;
}

export const hiveRouter: RouterProgram = {
  variable: 'HIVE_ROUTER',
  recipe: 'hive-router.yaml',
  adapt: (settings, port, { timeoutMs, maxUnits, documents, keySet }) => {
    settings.http = { host: '127.0.0.1', port };
    settings.log = { level: 'info' };
    if (timeoutMs !== undefined) {
      settings.traffic_shaping.router.request_timeout = `${timeoutMs}ms`;
      settings.traffic_shaping.subgraphs.padron.request_timeout = `${timeoutMs}ms`;
    }
    if (maxUnits !== undefined)
      settings.demand_control = {
        enabled: true,
        operation_cost: { max: maxUnits, mode: 'enforce' },
        subgraphs_budget: { mode: 'enforce', subgraphs: {} },
      };
    if (documents !== undefined) {
      const path = temporaryFile('documents.json', JSON.stringify(documents));
      settings.persisted_documents = {
        enabled: true,
        require_id: true,
        storage: { type: 'file', path },
      };
    }
    if (keySet !== undefined) settings.jwt = { enabled: true, jwks_providers: [{ source: 'file', path: keySet }] };
  },
  argumentsFor: () => [],
  environmentFor: (settings, supergraph, port) => ({
    ROUTER_CONFIG_FILE_PATH: settings,
    SUPERGRAPH_FILE_PATH: supergraph,
    HOST: '127.0.0.1',
    PORT: String(port),
    // A debug build without it takes the settings of its developers.
    CARGO: 'none',
  }),
};

export const apolloRouter: RouterProgram = {
  variable: 'APOLLO_ROUTER',
  recipe: 'apollo-router.yaml',
  adapt: (settings, port, { timeoutMs }) => {
    for (const [, section = ''] of readRecipe('apollo-router.yaml').matchAll(licensed)) delete settings[section];
    settings.supergraph = { listen: `127.0.0.1:${port}`, path: '/graphql' };
    settings.health_check = { enabled: false };
    settings.rhai = { scripts: dirname(temporaryFile('main.rhai', readRecipe('main.rhai'))) };
    if (timeoutMs !== undefined) {
      settings.traffic_shaping.router.timeout = `${timeoutMs}ms`;
      settings.traffic_shaping.subgraphs.padron.timeout = `${timeoutMs}ms`;
    }
  },
  argumentsFor: (settings, supergraph) => ['--config', settings, '--supergraph', supergraph, '--log', 'info'],
  environmentFor: () => ({ APOLLO_TELEMETRY_DISABLED: 'true' }),
};

/** A section of Apollo Router's recipe that needs a licence, by the comment above it. */
const licensed = /^# Needs a licence.*\n(?:#.*\n)*(\w+):/gm;

export const isNamed = ({ variable }: RouterProgram): boolean => process.env[variable] !== undefined;

/** Starts a router with its recipe. Resolves when it answers. */
export async function startRouter(
  { variable, recipe, adapt, argumentsFor, environmentFor }: RouterProgram,
  supergraph: string,
  options: GatewayOptions = {},
): Promise<Gateway> {
  const program = process.env[variable] ?? '';
  const port = await freePort();
  const settings = parse(readRecipe(recipe));
  adapt(settings, port, options);
  const files = [
    temporaryFile('router.yaml', stringify(settings)),
    temporaryFile('supergraph.graphql', supergraph),
  ] as const;
  const env = { PATH: process.env.PATH ?? '', SUBGRAPH_SECRET: routerSecret, ...environmentFor(...files, port) };
  const router = watchProcess(spawn(program, argumentsFor(...files), { cwd: dirname(files[0]), env }));
  const url = `http://127.0.0.1:${port}/graphql`;
  while (!(await answers(url))) {
    if (router.child.exitCode !== null) throw new Error(`${variable} has ended. It wrote:\n${router.output()}`);
    await sleep(50);
  }
  return { url, log: router.output, stop: async () => void (await router.stop()) };
}

async function answers(url: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ query: '{ __typename }' });
  return request(url, { method: 'POST', headers, body }).then(
    async (response) => {
      await response.body.dump();
      return true;
    },
    () => false,
  );
}
