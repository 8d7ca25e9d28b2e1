import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { writeWorkbook } from '../support/documents/write-workbook';
import { JWT_SECRET, signedBySecret } from '../support/keys/identity-provider';
import { temporaryFile } from '../support/keys/signatures';
import { post } from '../support/padrons/padron';
import { LONG_SECRET } from '../support/padrons/settings';
import { startEventReceiver } from '../support/padrons/webhooks';
import { buildGraph } from '../support/padrons/whole-padron';
import { builtCommand } from '../support/processes/padron-command';
import { argumentsOfCurl, type PadronProcess, startByNpm, startProcess } from '../support/processes/process';
import { waitUntil } from '../support/proxies/deferred';
import { NSS } from '../support/requests/batches';
import { expectRefusal, send } from '../support/requests/http';
import { card } from '../support/sandbox/cards';
import { sandboxForTests } from '../support/sandbox/sandbox-for-tests';
import { engineRig } from '../support/stores/engines';

const running: PadronProcess[] = [];
const start = (settings: Readonly<Record<string, string>>, folder?: string): PadronProcess => {
  const started = startProcess(settings, { folder });
  running.push(started);
  return started;
};
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL');
});

async function occupied(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  return { port, close: () => void server.close() };
}

describe('npm start', () => {
  it('prints its URL, a token, and a request that works when it is pasted', async () => {
    const { says, child, ended, standardOutput } = start({ PORT: '0' });
    const greeting = await says('}"}\'\n');
    expect(greeting).toContain(`token: ${SANDBOX_TOKEN}`);
    const [url = '', ...rest] = await argumentsOfCurl(greeting.slice(greeting.indexOf('curl ')));
    const headers = rest.filter((_, index) => rest[index - 1] === '-H').map((header) => header.split(/: /));
    const body = rest[rest.indexOf('-d') + 1] ?? '';
    expect(readFileSync(join(__dirname, '../../README.md'), 'utf8')).toContain(`-d '${body}'`);
    const response = await request(url, { method: 'POST', headers: Object.fromEntries(headers), body });
    expect(await response.body.json()).toMatchObject({
      data: { person: { credit: { outcome: 'FOUND', record: { hasCredit: true }, evidence: { units: 1 } } } },
    });
    child.kill('SIGTERM');
    expect(await ended()).toBe(0);
    // Programs that read the log find JSON only.
    const lines = standardOutput().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).msg)).toContain('request');
  });

  it('passes SIGTERM on, and padron ends with 0', async () => {
    const padron = startByNpm({ PORT: '0' });
    running.push(padron);
    const url = await padron.address();
    padron.child.kill('SIGTERM');
    expect(await padron.ended()).toBe(0);
    expect(padron.output()).toContain('stopping');
    await expect(send(url)).rejects.toThrow();
  });

  it('starts and is ready while the service is unreachable, and fields report the failure', async () => {
    const closed = await occupied();
    closed.close();
    const padron = start({ PORT: '0', REGISTRY_URL: `http://127.0.0.1:${closed.port}` });
    const url = await padron.address();
    expect(padron.output()).not.toContain('token');
    const ready = await send(new URL('/health/ready', url).href);
    expect([ready.status, ready.text]).toEqual([200, '{"status":"ok","service":"remote"}']);
    const headers = { 'content-type': 'application/json', authorization: 'Bearer mine' };
    const body = JSON.stringify({
      query: `{ person(nss: "${card('slow', 'nss')}") { credit { outcome problems { code } } } }`,
    });
    const { text } = await send(url, { method: 'POST', headers, body });
    expect(JSON.parse(text).data.person.credit).toEqual({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'REGISTRY_UNREACHABLE' }],
    });
    padron.child.kill('SIGINT');
    expect(await padron.ended()).toBe(0);
  });
});

describe('settings without effect', () => {
  it('are logged at the start, a misspelt one with the nearest setting and without its value', async () => {
    const database = { DATABASE_URL: 'postgres://127.0.0.1:9/x', DATA_KEYS: LONG_SECRET, DATA_DIR: 'unused' };
    const padron = start({ PORT: '0', REGISTRY_URL: 'http://127.0.0.1:9', MAX_UNIT: '31337', ...database });
    await padron.says('DATA_DIR');
    const [misspelt = '', ...lines] = padron.standardOutput().split('\n');
    expect(JSON.parse(misspelt)).toMatchObject({ level: 40, name: 'MAX_UNIT', nearest: 'MAX_UNITS' });
    expect(lines.filter((line) => line.includes('DATA_DIR'))).toEqual([
      expect.stringContaining('DATA_DIR is ignored, because DATABASE_URL is set: padron writes no file. Remove it.'),
    ]);
    expect(padron.output()).not.toContain('31337');
  });
});

describe('a process that cannot start prints the reason and ends with 1', () => {
  it('if the port is in use', async () => {
    const { port, close } = await occupied();
    const { ended, output } = start({ PORT: String(port) });
    const code = await ended();
    close();
    expect([code, output()]).toEqual([
      1,
      `Port ${port} is in use by another program. Stop that program, or set PORT to a different port.\n`,
    ]);
  });

  it('if settings are invalid: all of them at once, including those of a .env file', async () => {
    const file = temporaryFile('.env', 'LOG_LEVEL=loud\nPORT=1\nREGISTRY_TIMEOUT_MS=soon\n');
    const { ended, output } = start({ PORT: 'web', INTROSPECTION: 'perhaps' }, file.replace('/.env', ''));
    expect([await ended(), output().split('\n')]).toEqual([
      1,
      [
        'padron cannot start with these settings. Fix these errors and start it again:',
        '  - PORT must be a whole number from 0 to 65535.',
        '  - REGISTRY_TIMEOUT_MS must be a whole number from 100 to 300000.',
        '  - INTROSPECTION must be on or off.',
        '  - LOG_LEVEL must be one of trace, debug, info, warn, error, silent.',
        '',
      ],
    ]);
  });
});

describe('SIGTERM during a slow call', () => {
  it('rejects new requests, responds to the running one, and ends with 0', async () => {
    const padron = start({ PORT: '0', LOG_LEVEL: 'debug' });
    const url = await padron.address();
    // The store in memory opens in the background.
    await waitUntil(async () => (await send(new URL('/health/ready', url).href)).status === 200);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` };
    const body = JSON.stringify({ query: `{ person(nss: "${card('slow', 'nss')}") { credit { outcome } } }` });
    const slow = send(url, { method: 'POST', headers, body });
    await new Promise((resolve) => setTimeout(resolve, 300));
    padron.child.kill('SIGTERM');
    await padron.says('stopping');
    const ready = await send(new URL('/health/ready', url).href);
    expect([ready.status, ready.text]).toEqual([
      503,
      '{"status":"stopping","service":"embedded-sandbox","ledgerStore":"available"}',
    ]);
    expect((await send(new URL('/health/live', url).href)).status).toBe(200);
    expectRefusal(await send(url, { method: 'POST', headers, body }), 503, 'SHUTTING_DOWN');
    const { status, text } = await slow;
    expect([status, JSON.parse(text).data]).toEqual([200, { person: { credit: { outcome: 'FOUND' } } }]);
    expect(await padron.ended()).toBe(0);
    expect(padron.output().match(/"registry call"/g)).toHaveLength(1);
  });
});

const recorder = join(__dirname, '../support/processes/record-connections.cjs');
const examples = join(__dirname, '../../schema/examples');
const scopes = buildGraph().catalogue.map(({ endpoint }) => endpoint.scope);
const scope = [...scopes, 'padron_batch', 'padron_budgets'].join(' ');
const token = signedBySecret(JWT_SECRET, { client_id: 'payroll', scope });

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
      JWT_SECRET,
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
  });
});
