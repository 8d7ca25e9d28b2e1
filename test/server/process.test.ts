import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { request } from 'undici';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { temporaryFile } from '../support/keys/signatures';
import { argumentsOfCurl, type PadronProcess, startByNpm, startProcess } from '../support/processes/process';
import { waitUntil } from '../support/proxies/deferred';
import { expectRefusal, send } from '../support/requests/http';
import { card } from '../support/sandbox/cards';

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

  it('says what else is served: the tools of agents with their limit, and no graph if it only runs batches', async () => {
    const agents = start({ PORT: '0', MCP: 'on', MCP_MAX_UNITS: '3' });
    expect(await agents.says('}"}\'\n')).toMatch(
      /\n[1-9]\d* tools for agents, at most 3 units a call, at http:\S+\/mcp\n/,
    );
    const worker = start({ PORT: '0', ROLE: 'worker', DATA_DIR: dirname(temporaryFile('empty', '')) });
    const greeting = await worker.says('/health/ready\n');
    expect(greeting).toMatch(/^padron: runs batches, and serves no graph/m);
    expect(greeting).not.toMatch(/curl|token/);
  });

  it('prints no request that this server would reject', async () => {
    const documents = join(__dirname, '../../schema/examples');
    const trusted = start({ PORT: '0', TRUSTED_DOCUMENTS: documents });
    const greeting = await trusted.says('published document');
    expect(greeting).toContain(`token: ${SANDBOX_TOKEN}`);
    expect(greeting).toContain('TRUSTED_DOCUMENTS is set: send the ID of a published document.');
    expect(greeting).not.toContain('curl');
    const logged = start({ PORT: '0', TRUSTED_DOCUMENTS: documents, TRUSTED_DOCUMENTS_MODE: 'log' });
    expect(await logged.says('}"}\'\n')).toContain('curl');
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

  it('does not start with invented people in production unless SANDBOX=embedded is set', async () => {
    const refused = start({ PORT: '0', NODE_ENV: 'production' });
    expect(await refused.ended()).toBe(1);
    expect(refused.output()).toContain('NODE_ENV=production needs REGISTRY_URL');
    const allowed = start({ PORT: '0', NODE_ENV: 'production', SANDBOX: 'embedded' });
    const ready = await send(new URL('/health/ready', await allowed.address()).href);
    expect(JSON.parse(ready.text)).toEqual({ status: 'ok', service: 'embedded-sandbox', ledgerStore: 'available' });
    expect(ready.headers['x-registry-service']).toBe('embedded-sandbox');
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

describe('a misspelt setting', () => {
  it('is logged at the start with the nearest setting, without its value', async () => {
    const padron = start({ PORT: '0', MAX_UNIT: '31337' });
    await padron.address();
    const [line = ''] = padron.standardOutput().split('\n');
    expect(JSON.parse(line)).toMatchObject({ level: 40, name: 'MAX_UNIT', nearest: 'MAX_UNITS' });
    expect(padron.output()).not.toContain('31337');
  });
});

describe('a setting without effect', () => {
  it('is logged at the start in one line', async () => {
    const padron = start({ PORT: '0', LEDGER: 'required' });
    await padron.address();
    const lines = padron.standardOutput().split('\n');
    expect(lines.filter((line) => line.includes('LEDGER'))).toEqual([
      expect.stringContaining('LEDGER means nothing any more: a padron with a store has a ledger. Remove it.'),
    ]);
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

  it("if the sandbox's authorities cannot be read", async () => {
    const file = temporaryFile('authority.pem', 'no certificate');
    const { ended, output } = start({ PORT: '0', SANDBOX_AUTHORITIES: file });
    expect(await ended()).toBe(1);
    expect(output()).toContain(file);
    expect(output()).not.toMatch(/^\s+at /m);
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
