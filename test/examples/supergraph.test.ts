import { findOrThrow } from '../support/find-or-throw';
import { VERIFY } from '../support/keys/signatures';
import { SNAPSHOTS } from '../support/operations/employer-graph';
import { CREDIT } from '../support/operations/people-endpoints';
import { post } from '../support/padrons/padron';
import { freePort } from '../support/processes/free-port';
import { waitUntil } from '../support/proxies/deferred';
import { type ArrivedRequest, startProxy, type TamperingProxy } from '../support/proxies/tampering-proxy';
import { callsByEndpoint, InstalledExample } from './example-folder';

const secret = 'known-to-the-gateways';

/** The programs of routers, if the environment names them. */
const programs = Object.fromEntries(
  ['HIVE_ROUTER', 'APOLLO_ROUTER'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);
const gateways = [
  'hive-gateway',
  'apollo-gateway',
  ...('HIVE_ROUTER' in programs ? (['hive'] as const) : []),
  ...('APOLLO_ROUTER' in programs ? (['apollo'] as const) : []),
] as const;
type GatewayName = (typeof gateways)[number];

type Environment = Readonly<Record<string, string>>;

/** Number of calls by endpoint. */
type Calls = Readonly<Record<string, number>>;

/** The programs of examples/supergraph, installed and started as its README says. Proxies in front of the subgraphs record requests. */
interface RunningSupergraph {
  readonly folder: InstalledExample;
  /** Address of padron itself. */
  readonly url: string;
  readonly padron: TamperingProxy;
  readonly hr: TamperingProxy;
  /** Runs a command of the README in one more terminal. */
  run(command: string, gateway?: GatewayName): Promise<string>;
  /** Returns the calls that padron made meanwhile, as its ledger has them. */
  callsDuring(act: () => Promise<void>): Promise<Calls>;
  stop(): Promise<void>;
}

async function startSupergraph(): Promise<RunningSupergraph> {
  const folder = new InstalledExample('supergraph');
  await folder.install(folder.step('npm install').command, ['.']);
  const [padronPort, hrPort, ...gatewayPorts] = await Promise.all([1, 2, ...gateways].map(freePort));
  const url = `http://127.0.0.1:${padronPort}/graphql`;
  const padron = await startProxy(`http://127.0.0.1:${padronPort}`);
  const hr = await startProxy(`http://127.0.0.1:${hrPort}`);
  const environment: Environment = {
    SUBGRAPH_SECRET: secret,
    PADRON_PORT: new URL(padron.url).port,
    HR_PORT: new URL(hr.url).port,
    ...programs,
  };

  const commands = folder.step('npx padron start').command.split('\n');
  expect(commands).toEqual(['npx padron start', 'npm run hr', 'npm start']);
  const [startPadron = '', startHr = '', startGateway = ''] = commands;
  // Answers of one test must not be replayed in the next.
  await folder.start(startPadron, { ...environment, PORT: String(padronPort), REPLAY_SECONDS: '0' }, 'token: ');
  await folder.start(startHr, { ...environment, HR_PORT: String(hrPort) }, 'HR subgraph:');
  const environments = gateways.map((name, index) => ({ name, GATEWAY_PORT: String(gatewayPorts[index]) }));
  for (const { name, GATEWAY_PORT } of environments) {
    const command = name === 'hive-gateway' ? startGateway : `${startGateway} -- --router ${name}`;
    await folder.start(command, { ...environment, GATEWAY_PORT }, 'Wrote supergraph.graphql');
    await waitUntil(() =>
      fetch(`http://127.0.0.1:${GATEWAY_PORT}/graphql`).then(
        () => true,
        () => false,
      ),
    );
  }

  const calls = (): Promise<Calls> => callsByEndpoint(url, { 'x-subgraph-secret': secret });
  return {
    folder,
    url,
    padron,
    hr,
    run: (command, gateway = 'hive-gateway') => {
      const { GATEWAY_PORT = '' } = findOrThrow(environments, ({ name }) => name === gateway);
      return folder.run(command, { ...environment, GATEWAY_PORT });
    },
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

/** The installation takes 900 packages with 760 MB. */
const patience = 600_000;

/** Replaces proofs, which differ in each run. */
const varying = (json: string): unknown =>
  JSON.parse(json.replace(/"validationCode": "\w{20}"/g, '"validationCode": "x"'));

describe('examples/supergraph, followed by its README', () => {
  let example: RunningSupergraph;
  beforeAll(async () => {
    example = await startSupergraph();
  }, patience);
  afterAll(() => example?.stop(), patience);
  beforeEach(() => {
    example.padron.reset();
    example.hr.reset();
  });

  it('has a README of at most 80 lines', () => {
    expect(example.folder.readme.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
  });

  it('only serves the gateways', async () => {
    const { status, errors } = await post(example.url, {
      query: '{ person(nss: "04159600263") { credit { outcome } } }',
    });
    expect([status, errors?.[0]?.extensions.code]).toEqual([403, 'FORBIDDEN']);
  });

  describe.each(gateways)('behind %s', (gateway) => {
    /** Runs a command of the README's table, against this gateway. */
    const ask = async (command: string) => {
      expect(example.folder.readme).toContain(`\`${command}\``);
      return JSON.parse(await example.run(command, gateway));
    };

    it('answers one query over both subgraphs, with one call for a person with two jobs', async () => {
      const { command, output } = example.folder.step(/ask.js Staff/);
      const calls = await example.callsDuring(async () => {
        expect(varying(await example.run(command, gateway))).toEqual(varying(output ?? ''));
      });
      expect(calls).toEqual({ [CREDIT]: 1 });
    });

    it('gives the token, the budget and the secret to padron only', async () => {
      await example.run('node ask.js Staff', gateway);
      const [toPadron] = example.padron.requests;
      expect(toPadron?.headers).toMatchObject({
        authorization: 'Bearer sandbox-token',
        'x-max-units': '10',
        'x-subgraph-secret': 'known-to-the-gateways',
        // Hive Router makes no ID.
        ...(gateway === 'hive' ? { traceparent: expect.any(String) } : { 'x-operation-id': expect.any(String) }),
      });
      const namesToHr = example.hr.requests.flatMap(({ headers }) => Object.keys(headers));
      expect(namesToHr).toContain('content-type');
      expect(namesToHr.filter((name) => /^authorization$|^x-(max|subgraph|operation)/.test(name))).toEqual([]);
    });

    it('limits the two requests of an operation together', async () => {
      const calls = await example.callsDuring(async () => {
        const { errors } = await ask('MAX_UNITS=1 node ask.js Jobs');
        expect(errors).toMatchObject([{ extensions: { code: 'UNIT_BUDGET_EXCEEDED' } }]);
      });
      expect(calls).toEqual({ [CREDIT]: 1 });
      const idOf = ({ headers }: ArrivedRequest) =>
        headers['x-operation-id'] ?? String(headers.traceparent).split('-')[1];
      expect(new Set(example.padron.requests.map(idOf)).size).toBe(1);
      expect(example.padron.requests.length).toBe(2);
    });

    it("extends padron's person by the jobs of HR", async () => {
      const calls = await example.callsDuring(async () => {
        expect((await ask('node ask.js Jobs')).data.person).toEqual({
          credit: { outcome: 'FOUND' },
          jobs: [{ company: { name: 'The builder', employer: { snapshots: { outcome: 'FOUND' } } } }],
        });
      });
      expect(calls).toEqual({ [CREDIT]: 1, [SNAPSHOTS]: 1 });
    });

    it('prices an operation without a call', async () => {
      const calls = await example.callsDuring(async () => {
        expect(await ask('node ask.js Price')).toEqual({ data: { unitEstimate: { atMost: 2 } } });
      });
      expect(calls).toEqual({});
    });

    it('rejects an input without quoting its password', async () => {
      const answer = await ask('node ask.js Signature');
      const isRouter = gateway === 'hive' || gateway === 'apollo';
      const errors = isRouter ? [{}] : [{ extensions: { code: 'BAD_USER_INPUT' } }, {}];
      expect(answer).toMatchObject({ data: null, errors });
      // Hive Router quotes the whole input, and the README says so.
      expect(JSON.stringify(answer).includes('Padron2026')).toBe(gateway === 'hive');
      expect(example.padron.requests).toEqual([]);
    });
  });

  it('rejects an operation by its @cost behind Hive Gateway, without a request to padron', async () => {
    const { errors } = JSON.parse(await example.run('node ask.js Year'));
    expect(errors).toMatchObject([
      { extensions: { code: 'COST_ESTIMATED_TOO_EXPENSIVE', cost: { estimated: 12, max: 10 } } },
    ]);
    expect(example.padron.requests).toEqual([]);
  });

  it('passes files on behind Hive Gateway', async () => {
    const { command, output } = example.folder.step('--credential');
    const calls = await example.callsDuring(async () => {
      const written = await example.run(command);
      expect(JSON.parse(written.slice(written.indexOf('{')))).toEqual(JSON.parse(output ?? ''));
    });
    expect(calls).toEqual({ [VERIFY]: 1 });
  });
});
