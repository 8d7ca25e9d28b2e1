import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Launch } from './rig/processes';
import type { Workload } from './workloads';

/** A way to answer the workloads. */
export interface System {
  readonly name: string;
  launch(registryUrl: string): Launch;
  bodiesOf(workload: Workload): readonly string[] | null;
  /** Its graph is made from the OpenAPI document, so its answers have another shape than everybody else's. */
  readonly generated: boolean;
  /** Packages of the bench's own package.json, without which it sits out. */
  readonly packages: readonly string[];
  /** Time for which the system may still work after its last answer, or 0. */
  readonly restMs: number;
}

const program = (name: string): string => join(__dirname, 'systems', `${name}.mjs`);

function peer(name: string, file: string, packages: readonly string[], generated = false): System {
  return {
    name,
    packages,
    generated,
    restMs: 0,
    launch: (registryUrl) => ({ program: program(file), environment: { REGISTRY_URL: registryUrl } }),
    bodiesOf: (workload) => (generated ? workload.generated : workload.bodies),
  };
}

/** padron as it is deployed, with more calls at once than the widest workload needs. */
export function padron(name: string, folder: string, settings: Readonly<Record<string, string>>, restMs = 0): System {
  return {
    name,
    packages: [],
    generated: false,
    restMs,
    launch: (registryUrl) => ({
      program: join(resolve(folder), 'main.js'),
      environment: {
        PORT: '0',
        REGISTRY_URL: registryUrl,
        REGISTRY_CONCURRENCY: '6000',
        REPLAY_SECONDS: '0',
        LOG_LEVEL: 'warn',
        ...settings,
      },
    }),
    bodiesOf: ({ bodies }) => bodies,
  };
}

/** The systems. All others are compared with the first. */
export const floor = peer('floor: node:http + undici', 'floor', []);

export const peers: readonly System[] = [
  peer('mercurius + jit + undici', 'mercurius', ['mercurius', '@apollo/subgraph']),
  peer('hand-written Apollo Server', 'hand-written', [
    '@apollo/server',
    '@apollo/datasource-rest',
    '@apollo/subgraph',
    'dataloader',
  ]),
  peer('Apollo Server + RESTDataSource', 'apollo', ['@apollo/server', '@apollo/datasource-rest', '@apollo/subgraph']),
  peer('GraphQL Mesh on the OpenAPI document', 'mesh', ['@omnigraph/openapi', 'graphql-yoga'], true),
];

/** Packages that a peer lacks here: `npm ci --prefix test/bench` brings them. */
export function missingPackages({ packages }: System): readonly string[] {
  return packages.filter((name) => !existsSync(join(__dirname, 'node_modules', name)));
}
