/** Composes the supergraph, and starts a gateway in front of it: npm start -- --router hive-gateway | apollo-gateway | hive | apollo */
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compose } from './compose.js';
import { ports } from './ports.js';

const recipe = (file) => `node_modules/padron/deploy/routers/${file}`;
const hiveRouter = process.env.HIVE_ROUTER || 'hive_router';
const apolloRouter = process.env.APOLLO_ROUTER || 'router';

/** Writes padron's recipe for Apollo Router with our address, and without the last sections, which need a licence. */
function writeApolloSettings() {
  cpSync(recipe('main.rhai'), 'rhai/main.rhai');
  const [settings] = readFileSync(recipe('apollo-router.yaml'), 'utf8').split('# Needs a licence');
  const address = `supergraph: { listen: "127.0.0.1:${ports.gateway}", path: /graphql }\nhealth_check: { enabled: false }\n`;
  writeFileSync('apollo-router.yaml', settings + address);
}

const gateways = {
  'hive-gateway': () => ['npx', 'hive-gateway', 'supergraph', 'supergraph.graphql', '--config-path', 'hive.config.js'],
  'apollo-gateway': () => ['node', 'apollo.js'],
  hive: () => [hiveRouter],
  apollo: () => {
    writeApolloSettings();
    return [apolloRouter, '--config', 'apollo-router.yaml', '--supergraph', 'supergraph.graphql'];
  },
};

const [option, name = 'hive-gateway'] = process.argv.slice(2);
if ((option ?? '--router') !== '--router' || !Object.hasOwn(gateways, name)) {
  process.stderr.write(`Usage: npm start -- --router ${Object.keys(gateways).join(' | ')}\n`);
  process.exit(2);
}
await compose();
const [program, ...rest] = gateways[name]();
const running = spawn(program, rest, {
  stdio: 'inherit',
  env: {
    ...process.env,
    // Otherwise Apollo's programs report metrics to their vendor.
    APOLLO_TELEMETRY_DISABLED: 'true',
    ROUTER_CONFIG_FILE_PATH: recipe('hive-router.yaml'),
    // Relative paths are relative to the settings.
    SUPERGRAPH_FILE_PATH: resolve('supergraph.graphql'),
    HOST: '127.0.0.1',
    PORT: String(ports.gateway),
  },
});
running.on('error', ({ message }) => {
  process.stderr.write(`${message}. Name the program in HIVE_ROUTER or APOLLO_ROUTER.\n`);
  process.exitCode = 1;
});
running.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => running.kill(signal));
