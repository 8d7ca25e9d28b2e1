import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { type Padron, StartedParts } from '../../src/server/start';
import { createLogger } from '../../src/server/telemetry/logger';
import { lockFolder } from '../../src/store/embedded/folder-lock';
import { temporaryFile } from '../support/keys/signatures';
import { readConfig, startPadron } from '../support/padrons/whole-padron';
import { send } from '../support/requests/http';
import { engineRig } from '../support/stores/engines';

const run = promisify(execFile);

describe('a start that fails', () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'padron-start-'));
  const inFolder = (name: string): string => join(DATA_DIR, name);
  const server = createServer();
  let PORT = '0';
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    PORT = String((server.address() as { readonly port: number }).port);
  });
  afterAll(() => {
    server.close();
    rmSync(DATA_DIR, { recursive: true });
  });

  it.each([
    ['its keys cannot be read', () => mkdirSync(inFolder('keys')), 'DATA_DIR cannot be written (EISDIR).'],
    ['another program uses the port', () => undefined, 'EADDRINUSE'],
  ])('closes the store again if %s', async (_reason, obstruct, message) => {
    rmSync(inFolder('keys'), { recursive: true, force: true });
    obstruct();
    await expect(startPadron(readConfig({ PORT, DATA_DIR }), createLogger('silent'))).rejects.toThrow(message);
    const lock = await lockFolder(DATA_DIR);
    expect(lock).toHaveProperty('release');
    if ('release' in lock) await lock.release();
  });

  it("names the file of the sandbox's authorities that cannot be read, without a stack", async () => {
    const SANDBOX_AUTHORITIES = temporaryFile('authority.pem', 'no certificate');
    const starting = startPadron(readConfig({ PORT: '0', SANDBOX_AUTHORITIES }), createLogger('silent'));
    await expect(starting).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining(SANDBOX_AUTHORITIES),
    });
  });
});

describe('a start', () => {
  const rig = engineRig();
  const startWith = <Result>(
    environment: Readonly<Record<string, string>>,
    use: (padron: Padron) => Promise<Result> | Result,
  ): Promise<Result> =>
    startPadron(readConfig({ PORT: '0', ...environment }), createLogger('silent')).then(async (padron) => {
      try {
        return await use(padron);
      } finally {
        await padron.stop();
      }
    });
  const greetingOf = (environment: Readonly<Record<string, string>>): Promise<string> =>
    startWith(environment, (padron) => padron.greeting());

  it('says what else is served: the tools of agents with their limit, and no graph if it only runs batches', async () => {
    expect(await greetingOf({ MCP: 'on', MCP_MAX_UNITS: '3' })).toMatch(
      /\n[1-9]\d* tools for agents, at most 3 units a call, at http:\S+\/mcp\n/,
    );
    const greeting = await greetingOf({ ROLE: 'worker', ...(await rig.settings()).environment });
    expect(greeting).toMatch(/^padron: runs batches, and serves no graph.*\/health\/ready\n/m);
    expect(greeting).not.toMatch(/curl|token/);
  });

  it('prints no request that this server would reject', async () => {
    const TRUSTED_DOCUMENTS = join(__dirname, '../../schema/examples');
    const greeting = await greetingOf({ TRUSTED_DOCUMENTS });
    expect(greeting).toContain(`token: ${SANDBOX_TOKEN}`);
    expect(greeting).toContain('TRUSTED_DOCUMENTS is set: send the ID of a published document.');
    expect(greeting).not.toContain('curl');
    expect(await greetingOf({ TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_MODE: 'log' })).toContain('curl');
  });

  it('prints commands that work with JWTs and a required purpose', async () => {
    const JWT_SECRET = 'a secret of the identity provider';
    const jwt = {
      REGISTRY_TOKEN: SANDBOX_TOKEN,
      JWT_SECRET,
      JWT_ISSUER: 'https://id.example/',
      JWT_AUDIENCE: 'padron',
    };
    await startWith({ ...jwt, PURPOSES: 'hiring,credit', PURPOSE: 'required' }, async (padron) => {
      const greeting = padron.greeting();
      expect(greeting).not.toContain(`token: ${SANDBOX_TOKEN}`);
      const commands = greeting.slice(greeting.indexOf('TOKEN=$('));
      const { stdout } = await run('bash', ['-c', commands], { env: { ...process.env, JWT_SECRET } });
      const { credit, licences } = JSON.parse(stdout).data.person;
      expect([credit.outcome, licences.outcome]).toEqual(['FOUND', 'FOUND']);
    });
    const keySet = {
      JWT_JWKS_URL: 'https://id.example/keys',
      JWT_ISSUER: 'https://id.example/',
      JWT_AUDIENCE: 'padron',
    };
    const greeting = await greetingOf({ REGISTRY_TOKEN: SANDBOX_TOKEN, ...keySet });
    expect(greeting).toContain('token: a JWT of https://id.example/, in $TOKEN\n');
    expect(greeting).toContain('-H "authorization: Bearer $TOKEN"');
  });

  it('is refused with invented people in production unless SANDBOX=embedded is set', async () => {
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow('NODE_ENV=production needs REGISTRY_URL');
    const production = { NODE_ENV: 'production', SANDBOX: 'embedded' };
    const ready = await startWith(production, ({ url }) => send(new URL('/health/ready', url).href));
    expect(JSON.parse(ready.text)).toEqual({
      status: 'ok',
      service: 'embedded-sandbox',
      ledgerStore: expect.stringMatching(/^(opening|available)$/),
    });
    expect(ready.headers['x-registry-service']).toBe('embedded-sandbox');
  });
});

describe('the parts of a process', () => {
  it('stop in the reverse order of their start, each after the one before it has stopped', async () => {
    const parts = new StartedParts();
    const events: string[] = [];
    for (const name of ['store', 'calls', 'server']) {
      const part = parts.add({ name }, async (started) => {
        events.push(`${started.name} stops`);
        await new Promise(setImmediate);
        events.push(`${started.name} has stopped`);
      });
      expect(part).toEqual({ name });
    }
    await parts.stop();
    await parts.stop();
    expect(events).toEqual([
      'server stops',
      'server has stopped',
      'calls stops',
      'calls has stopped',
      'store stops',
      'store has stopped',
    ]);
  });

  it('do not include a part that was not started', async () => {
    const parts = new StartedParts();
    const ledger = null as { readonly name: string } | null;
    const stopped: string[] = [];
    expect(parts.add(ledger, async ({ name }) => stopped.push(name))).toBeNull();
    await parts.stop();
    expect(stopped).toEqual([]);
  });
});
