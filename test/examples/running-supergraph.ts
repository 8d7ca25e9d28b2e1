import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../src/sandbox/accounts/accounts';
import { pack } from '../support/packages';
import { post } from '../support/padrons/padron';
import { freePort } from '../support/processes/free-port';
import { type WatchedProcess, watchProcess } from '../support/processes/process';
import { startProxy, type TamperingProxy } from '../support/proxies/tampering-proxy';
import { ExampleFolder } from './example-folder';

const secret = 'known-to-the-gateways';

type Environment = Readonly<Record<string, string>>;

/** Number of calls by endpoint. */
export type Calls = Readonly<Record<string, number>>;

/** The programs of examples/supergraph, installed and started as its README says. Proxies in front of the subgraphs record requests. */
export interface RunningSupergraph {
  readonly folder: ExampleFolder;
  /** Address of padron itself. */
  readonly url: string;
  readonly padron: TamperingProxy;
  readonly hr: TamperingProxy;
  /** Runs a command of the README in one more terminal. */
  run(command: string): Promise<string>;
  /** Returns the calls that padron made meanwhile, as its ledger has them. */
  callsDuring(act: () => Promise<void>): Promise<Calls>;
  stop(): Promise<void>;
}

export async function startSupergraph(): Promise<RunningSupergraph> {
  const folder = new ExampleFolder('supergraph');
  await install(folder);
  const [padronPort, hrPort, hivePort, apolloPort] = await Promise.all([1, 2, 3, 4].map(freePort));
  const url = `http://127.0.0.1:${padronPort}/graphql`;
  const padron = await startProxy(`http://127.0.0.1:${padronPort}`);
  const hr = await startProxy(`http://127.0.0.1:${hrPort}`);
  const environment: Environment = {
    SUBGRAPH_SECRET: secret,
    PADRON_PORT: new URL(padron.url).port,
    HR_PORT: new URL(hr.url).port,
    HIVE_PORT: String(hivePort),
    APOLLO_PORT: String(apolloPort),
  };

  const commands = folder.step('npx padron start').command.split('\n');
  expect(commands).toEqual(['npx padron start', 'npm run hr', 'npm run compose && npm run hive', 'npm run apollo']);
  const terminals: WatchedProcess[] = [];
  const startProgram = async (command: string, ready: string, settings: Environment = {}): Promise<void> => {
    const terminal = openTerminal(folder.path, command, { ...environment, ...settings });
    terminals.push(terminal);
    const written = await terminal.says(ready);
    if (!written.includes(ready)) throw new Error(`${command} ended: ${written}`);
  };
  const [startPadron = '', startHr = '', startHive = '', startApollo = ''] = commands;
  // Answers of one test must not be replayed in the next.
  await startProgram(startPadron, 'token: ', { PORT: String(padronPort), REPLAY_SECONDS: '0' });
  await startProgram(startHr, 'HR subgraph:', { HR_PORT: String(hrPort) });
  await startProgram(startHive, 'Listening on');
  await startProgram(startApollo, 'Apollo gateway:');

  const calls = async (): Promise<Calls> => {
    const query = '{ registrySpend(filter: {}, by: [ENDPOINT]) { endpoint calls } }';
    const headers = { authorization: `Bearer ${SANDBOX_TOKEN}`, 'x-subgraph-secret': secret };
    const { data } = await post(url, { query }, headers);
    const rows: readonly { readonly endpoint: string; readonly calls: number }[] = data.registrySpend;
    return Object.fromEntries(rows.map((row) => [row.endpoint, row.calls]));
  };
  return {
    folder,
    url,
    padron,
    hr,
    run: (command) => folder.run(command, environment),
    callsDuring: async (act) => {
      const before = await calls();
      await act();
      const added = Object.entries(await calls()).map(([endpoint, count]) => [
        endpoint,
        count - (before[endpoint] ?? 0),
      ]);
      return Object.fromEntries(added.filter(([, count]) => count !== 0));
    },
    stop: async () => {
      await Promise.all(terminals.map(closeTerminal));
      await Promise.all([padron.close(), hr.close()]);
      folder.remove();
    },
  };
}

/** Runs the README's `npm install`, with a packed padron in place of the released one. */
async function install(folder: ExampleFolder): Promise<void> {
  const manifest = join(folder.path, 'package.json');
  const released = readFileSync(manifest, 'utf8');
  const packed = released.replace(/"padron": "[^"]+"/, `"padron": "file:${pack('.', folder.path)}"`);
  writeFileSync(manifest, packed);
  await folder.run(`${folder.step('npm install').command} --prefer-offline --no-audit --no-fund`);
}

/** Starts a command that leads its own group of processes, as in a terminal. */
function openTerminal(cwd: string, command: string, environment: Environment): WatchedProcess {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...environment };
  return watchProcess(spawn('bash', ['-c', command], { cwd, env, detached: true }));
}

/** Stops all processes of the group, as Ctrl-C does. */
async function closeTerminal({ child, ended }: WatchedProcess): Promise<void> {
  if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGINT');
  await ended();
}
