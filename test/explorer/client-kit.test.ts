import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { SANDBOX_TOKEN } from '../../src/sandbox/accounts/accounts';
import { people } from '../../src/sandbox/data/people';
import type { Padron } from '../../src/server/start';
import { credentialOf } from '../support/keys/signatures';
import { debtor } from '../support/operations/person-components';
import { inBrowser, startExplorer } from './explorer';

// A browser is slow to start where others keep the machine busy.
jest.setTimeout(60_000);

inBrowser('the client kit in a browser, on a page of another origin', () => {
  let padron: Padron;
  let frontend: Server;
  let browser: Browser;
  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [join(__dirname, 'client-kit-page.ts')],
      bundle: true,
      write: false,
      format: 'iife',
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'silent',
    });
    const script = outputFiles[0]?.text ?? '';
    frontend = createServer(({ url }, response) => {
      const isScript = url === '/kit.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : '<!doctype html><script src="kit.js"></script>');
    }).listen(0, '127.0.0.1');
    await once(frontend, 'listening');
    padron = await startExplorer({ REPLAY_SECONDS: '60' });
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    await padron?.stop();
    frontend?.close();
  });

  it('needs no setting with the embedded sandbox: it estimates, asks, counts units, never retries a found record, and verifies a signature', async () => {
    const page = await browser.newPage();
    const pageErrors: string[] = [];
    page.on('pageerror', ({ message }) => pageErrors.push(message));
    await page.goto(originOf(frontend));
    const { rfc, password, certificate, privateKey } = credentialOf('person');
    const credential = {
      rfc,
      password,
      certificate: certificate.toString('base64'),
      privateKey: privateKey.toString('base64'),
    };
    const settings = { url: padron.url, token: SANDBOX_TOKEN, nss: debtor.nss, credential };
    expect(await page.evaluate(`useKit(${JSON.stringify(settings)})`)).toEqual({
      readable: ['x-request-id', 'x-registry-service'],
      estimatedUnits: 6,
      retried: false,
      valid: true,
      spent: [
        ['apollo', 'PersonProfile', expect.any(Number)],
        ['urql', 'PersonProfile', expect.any(Number)],
        ['apollo', 'SignatureCheck', 1],
      ],
    });
    expect(pageErrors).toEqual([]);
  });

  it.each(['apollo', 'urql'])(
    'fills in a lookup that takes ten seconds, and pays for it once, with %s',
    async (client) => {
      const page = await browser.newPage();
      await page.goto(originOf(frontend));
      // Each client asks about a person of its own, because the first one's answers are replayed to the second.
      const indebted = people.filter(({ credit, account, nss }) => credit && account !== null && nss !== debtor.nss);
      const nss = indebted[client === 'apollo' ? 0 : 1]?.nss;
      const calls = padron.sandbox?.calls.length ?? 0;
      const settings = { url: padron.url, token: SANDBOX_TOKEN, nss };
      expect(await page.evaluate(`fillIn('${client}', ${JSON.stringify(settings)})`)).toMatchObject({
        screens: ['credit …, account FOUND', 'credit FOUND, account FOUND'],
        requests: true,
        spent: 1,
      });
      expect(padron.sandbox?.calls.length).toBe(calls + 2);
    },
  );
});

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
