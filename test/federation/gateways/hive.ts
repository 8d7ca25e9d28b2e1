import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFile } from '../../support/keys/signatures';
import { freePort } from '../../support/processes/free-port';
import { routerSecret } from '../supergraph';
import type { Gateway } from './gateway';

const program = join(__dirname, '../node_modules/.bin/hive-gateway');

/** Whether Hive Gateway is installed here: `npm ci --prefix test/federation`. It weighs half a gigabyte. */
export const hiveInstalled = existsSync(program);

/** Starts Hive Gateway as a separate process, with the settings of `hive.config.mjs`. */
export async function startHive(
  supergraph: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const port = await freePort();
  const schema = temporaryFile('supergraph.graphql', supergraph);
  const options = ['--config-path', join(__dirname, 'hive.config.mjs'), '--host', '127.0.0.1', '--port', String(port)];
  const { PATH = '' } = process.env;
  const child = spawn(program, ['supergraph', schema, ...options], {
    cwd: __dirname,
    env: { PATH, NODE_ENV: 'production', SUBGRAPH_SECRET: routerSecret, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await listening(child);
  return { url: `http://127.0.0.1:${port}/graphql`, stop: () => end(child) };
}

/** Waits for the line that reports it. If the process ends before, this throws its output. */
function listening(child: ChildProcess): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      said += chunk.toString();
      if (said.includes('Listening on')) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(`Hive Gateway ended: ${said}`)));
    child.once('error', reject);
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(late);
}
