import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { post } from '../support/padrons/padron';
import { freePort } from '../support/processes/free-port';
import { startProxy, type TamperingProxy } from '../support/proxies/tampering-proxy';
import { InstalledExample } from './installed-example';

const secret = 'known-to-the-gateways';

type Environment = Readonly<Record<string, string>>;

/** Number of calls by endpoint. */
export type Calls = Readonly<Record<string, number>>;

/** The programs of examples/supergraph, installed and started as its README says. Proxies in front of the subgraphs record requests. */
export interface RunningSupergraph {
  readonly folder: InstalledExample;
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
  const folder = new InstalledExample('supergraph');
  await folder.install(folder.step('npm install').command, ['.']);
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
  const [startPadron = '', startHr = '', startHive = '', startApollo = ''] = commands;
  // Answers of one test must not be replayed in the next.
  await folder.start(startPadron, { ...environment, PORT: String(padronPort), REPLAY_SECONDS: '0' }, 'token: ');
  await folder.start(startHr, { ...environment, HR_PORT: String(hrPort) }, 'HR subgraph:');
  await folder.start(startHive, environment, 'Listening on');
  await folder.start(startApollo, environment, 'Apollo gateway:');

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
      await folder.stop();
      await Promise.all([padron.close(), hr.close()]);
    },
  };
}
