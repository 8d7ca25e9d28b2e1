import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { writeWorkbook } from '../support/documents/write-workbook';
import { signedBySecret } from '../support/keys/identity-provider';
import { post } from '../support/padrons/padron';
import { startEventReceiver } from '../support/padrons/webhooks';
import { buildGraph } from '../support/padrons/whole-padron';
import { builtCommand } from '../support/processes/padron-command';
import { startProcess } from '../support/processes/process';
import { NSS } from '../support/requests/batches';
import { sandboxForTests } from '../support/sandbox/sandbox-for-tests';
import { engineRig } from '../support/stores/engines';

const recorder = join(__dirname, '../support/processes/record-connections.cjs');
const examples = join(__dirname, '../../schema/examples');
const secret = 'a-secret-shared-with-the-identity-provider';
const scopes = buildGraph().catalogue.map(({ endpoint }) => endpoint.scope);
const scope = [...scopes, 'padron_batch', 'padron_budgets'].join(' ');
const token = signedBySecret(secret, { client_id: 'payroll', scope });

interface Connection {
  readonly kind: 'connect' | 'local socket' | 'lookup' | 'datagram' | 'program';
  readonly target: string;
}

describe('padron sends nothing to its makers', () => {
  const rig = engineRig('postgres');
  const service = sandboxForTests();
  const folder = mkdtempSync(join(tmpdir(), 'padron-connections-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Settings of a process whose connections are recorded, and a function that returns the different ones, sorted. */
  const recorded = (name: string) => {
    const file = join(folder, name);
    writeFileSync(file, '');
    return {
      environment: { NODE_OPTIONS: `--require ${recorder}`, CONNECTIONS_FILE: file },
      targets: (kind: Connection['kind']): readonly string[] => {
        const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
        const connections = lines.map((line) => JSON.parse(line) as Connection);
        return [...new Set(connections.filter((each) => each.kind === kind).map(({ target }) => target))].sort();
      },
    };
  };
  const hostOf = (url: string): string => new URL(url).host;

  it('and connects only to the addresses in its settings, in operations, budgets and a batch', async () => {
    const receiver = await startEventReceiver();
    rig.atEnd(async () => receiver.close());
    const { environment } = await rig.settings();
    const server = recorded('server');
    const padron = startProcess({
      ...environment,
      ...server.environment,
      PORT: '0',
      REGISTRY_URL: service.url.replace('127.0.0.1', 'localhost'),
      REGISTRY_TOKEN: SANDBOX_TOKEN,
      JWT_SECRET: secret,
      ...receiver.environment,
      // Apollo Server reads these two to report to its makers. padron disables that.
      APOLLO_KEY: 'service:padron:0123456789abcdef',
      APOLLO_GRAPH_REF: 'padron@current',
    });
    rig.atEnd(async () => void padron.child.kill('SIGKILL'));
    const url = await padron.address();
    const ask = async (query: string, variables: object = {}): Promise<void> => {
      const { errors } = await post(url, { query, variables }, { authorization: `Bearer ${token}` });
      expect(errors).toBeUndefined();
    };

    await ask('mutation { setRegistryBudget(input: { period: MONTH, units: 1000, alertsAt: [1] }) { id } }');
    for (const name of readdirSync(examples).filter((file) => file.endsWith('.graphql'))) {
      const query = readFileSync(join(examples, name), 'utf8');
      const [, variables] = /# Variables for the sandbox: (.*)/.exec(query) ?? [];
      if (variables !== undefined) await ask(query, JSON.parse(variables));
    }
    const dataset = join(folder, 'people.xlsx');
    writeFileSync(dataset, await writeWorkbook([['nss'], ...NSS.slice(0, 20).map((nss) => [nss])]));
    const command = recorded('command');
    const batch = await builtCommand(
      ['batch', dataset, join(examples, 'person-credit.graphql'), '--url', url, '--max-units', '100'],
      { ...command.environment, PADRON_TOKEN: token },
    );
    await receiver.untilEvents(1);
    padron.child.kill('SIGTERM');
    expect(batch).toMatchObject({ code: 0 });
    expect(await padron.ended()).toBe(0);

    expect(new Set(service.calls.map(({ endpoint }) => endpoint)).size).toBeGreaterThan(5);
    const { port: database } = new URL(environment.DATABASE_URL ?? '');
    const serviceHost = `localhost:${new URL(service.url).port}`;
    expect(server.targets('connect')).toEqual([`127.0.0.1:${database}`, hostOf(receiver.url), serviceHost].sort());
    expect(server.targets('lookup')).toEqual(['localhost']);
    expect(server.targets('datagram')).toEqual([]);
    // The child processes that read workbooks and PDFs are programs of padron, and are recorded too.
    expect(server.targets('program')).toEqual([process.execPath]);
    expect(command.targets('connect')).toEqual([hostOf(url)]);
    expect([...command.targets('lookup'), ...command.targets('program')]).toEqual([]);
  }, 120_000);
});
