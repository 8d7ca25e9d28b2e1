import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFile } from '../../support/keys/signatures';
import { freePort } from '../../support/processes/free-port';
import { watchProcess } from '../../support/processes/process';
import type { Gateway, GatewayOptions } from '../gateways/gateway';
import { routerSecret } from '../supergraph';

const program = join(__dirname, 'node_modules/.bin/hive-gateway');

/** Whether Hive Gateway is installed here: `npm ci --prefix test/federation/hive`. It weighs 400 MB. */
export const hiveInstalled = existsSync(program);

/** Starts Hive Gateway as a separate process, with the settings of `hive.config.mjs`. */
export async function startHive(
  supergraph: string,
  { operationIds = true, attemptMs, timeoutMs, maxUnits, documents }: GatewayOptions = {},
): Promise<Gateway> {
  const environment = {
    ...(operationIds ? {} : { OPERATION_IDS: 'off' }),
    ...(attemptMs === undefined ? {} : { ATTEMPT_MS: String(attemptMs) }),
    ...(timeoutMs === undefined ? {} : { TIMEOUT_MS: String(timeoutMs) }),
    ...(maxUnits === undefined ? {} : { MAX_UNITS: String(maxUnits) }),
    ...(documents && { PERSISTED_DOCUMENTS: temporaryFile('documents.json', JSON.stringify(documents)) }),
  };
  const port = await freePort();
  const schema = temporaryFile('supergraph.graphql', supergraph);
  const options = ['--config-path', join(__dirname, 'hive.config.mjs'), '--host', '127.0.0.1', '--port', String(port)];
  const { PATH = '' } = process.env;
  const environmentOfHive = { PATH, NODE_ENV: 'production', SUBGRAPH_SECRET: routerSecret, ...environment };
  const hive = watchProcess(
    spawn(program, ['supergraph', schema, ...options], { cwd: __dirname, env: environmentOfHive }),
  );
  const said = await hive.says('Listening on');
  if (hive.child.exitCode !== null) throw new Error(`Hive Gateway ended: ${said}`);
  return { url: `http://127.0.0.1:${port}/graphql`, log: hive.output, stop: async () => void (await hive.stop()) };
}
