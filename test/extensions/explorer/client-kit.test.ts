import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import type { Padron } from '../../../src/server/start';
import { blocksOfPage } from '../../clients/pages/frontend-folder';
import { credentialOf } from '../../support/keys/signatures';
import { debtor } from '../../support/operations/person-components';
import { sandboxOf } from '../../support/padrons/whole-padron';
import { type RunningServer, startServer } from '../../support/start-server';
import { inBrowser, startExplorer } from './explorer';

inBrowser('the client kit in a browser, on a page of another origin', () => {
  let padron: Padron;
  let frontend: RunningServer;
  let browser: Browser;
  beforeAll(async () => {
    const kit = await bundle({ entryPoints: [join(__dirname, 'client-kit-page.ts')] });
    const hook = { contents: hookPage(), loader: 'tsx', resolveDir: __dirname } as const;
    const scripts = new Map([
      ['/kit.js', kit],
      ['/production.js', await bundle({ stdin: hook })],
      ['/development.js', await bundle({ stdin: hook }, 'development')],
    ]);
    frontend = await startServer(({ url = '' }, response) => {
      const script = scripts.get(url);
      response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
      const name = url === '/' ? '/kit' : url;
      response.end(script ?? `<!doctype html><body><script src="${name}.js"></script>`);
    });
    padron = await startExplorer({ REPLAY_SECONDS: '60' });
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(async () => {
    await browser?.close();
    await padron?.stop();
    await frontend?.close();
  });

  it('needs no setting with the embedded sandbox: it estimates, asks, counts units, never retries a found record, and verifies a signature', async () => {
    const page = await browser.newPage();
    const pageErrors: string[] = [];
    page.on('pageerror', ({ message }) => pageErrors.push(message));
    await page.goto(frontend.url);
    const { rfc, password, ...files } = credentialOf('person');
    const [certificate, privateKey] = [files.certificate, files.privateKey].map((bytes) => bytes.toString('base64'));
    const credential = { rfc, password, certificate, privateKey };
    const settings = { url: padron.url, token: SANDBOX_TOKEN, nss: debtor.nss, credential };
    expect(await page.evaluate(`useKit(${JSON.stringify(settings)})`)).toEqual({
      readable: ['x-request-id', 'x-registry-service'],
      estimatedUnits: 6,
      retried: 'complete',
      valid: true,
      spent: [
        ['apollo', 'PersonProfile', expect.any(Number)],
        ['urql', 'PersonProfile', expect.any(Number)],
        ['apollo', 'SignatureCheck', 1],
      ],
    });
    expect(pageErrors).toEqual([]);
  });

  it.each([
    ['production', false],
    ['development', false],
    ['development', true],
  ])('throws nothing when a component mounts, in %s, with StrictMode: %s', async (mode, isStrict) => {
    const page = await browser.newPage();
    const pageErrors: string[] = [];
    page.on('pageerror', ({ message }) => pageErrors.push(message));
    await page.goto(`${frontend.url}/${mode}`);
    const settings = { url: padron.url, token: SANDBOX_TOKEN, nss: debtor.nss };
    expect(await page.evaluate(`mount(${isStrict}, ${JSON.stringify(settings)})`)).toBe('FOUND complete');
    expect(pageErrors).toEqual([]);
  });

  it.each([false, true])(
    'follows up the lookups of the next person in a component, with StrictMode: %s',
    async (isStrict) => {
      const page = await browser.newPage();
      await page.goto(`${frontend.url}/development`);
      const [first, second] = people.filter(({ credit, nss }) => credit && nss !== debtor.nss).slice(isStrict ? 2 : 4);
      const slow = { 'x-answer-within': '300ms', 'x-sandbox-delay': 'buscar-credito=2s' };
      const settings = { url: padron.url, token: SANDBOX_TOKEN, nss: first?.nss, next: second?.nss, slow };
      const calls = sandboxOf(padron)?.calls.length ?? 0;
      const shown = await page.evaluate(`mount(${isStrict}, ${JSON.stringify(settings)})`);
      expect(shown).toBe('FOUND complete');
      // The lookups of each person were shown while they were running, and nothing said that they were complete.
      const screens = await page.evaluate('screens');
      expect(screens).toEqual(expect.arrayContaining(['UNAVAILABLE ', 'FOUND complete']));
      expect(screens).not.toContainEqual(expect.stringMatching(/UNAVAILABLE \w|aborted/));
      expect(sandboxOf(padron)?.calls.length).toBe(calls + 2);
    },
  );
});

/** Returns a script for browsers, with React in this mode. */
async function bundle(entry: BuildOptions, mode = 'production'): Promise<string> {
  const define = { 'process.env.NODE_ENV': JSON.stringify(mode) };
  const { outputFiles } = await build({
    ...entry,
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    define,
    logLevel: 'silent',
  });
  return outputFiles?.[0]?.text ?? '';
}

/** Returns a page that mounts a component with the hook of docs/clients.md. */
function hookPage(): string {
  const [hook] = blocksOfPage('docs/clients.md', 'tsx').filter(({ code }) => code.includes('function useLookups'));
  return `
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { parse } from 'graphql';
import { Fragment, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { buyOnce, possibleTypes, typePolicies } from 'padron-client/apollo';
${hook?.code}
const query = parse('query Credit($nss: NSS!) { person(nss: $nss) { nss credit { outcome problems { code retryable retryAfter } evidence { checkedAt } } } }');
globalThis.screens = [];
function Shown({ nss }) {
  const { data, retried } = useLookups(query, { nss });
  const text = \`\${data?.person.credit.outcome ?? ''} \${retried ?? ''}\`;
  if (screens.at(-1) !== text) screens.push(text);
  return <p>{text}</p>;
}
globalThis.mount = async (isStrict, { url, token, nss, next, slow }) => {
  const link = new HttpLink({ uri: url, headers: { authorization: 'Bearer ' + token, ...slow } });
  const cache = new InMemoryCache({ typePolicies, possibleTypes });
  const client = new ApolloClient({ link, cache, defaultOptions: { watchQuery: buyOnce } });
  const Mode = isStrict ? StrictMode : Fragment;
  const screen = document.body.appendChild(document.createElement('main'));
  const root = createRoot(screen);
  for (const person of next === undefined ? [nss] : [nss, next]) {
    screens.splice(0);
    root.render(<Mode><ApolloProvider client={client}><Shown nss={person} /></ApolloProvider></Mode>);
    for (let attempt = 0; screens.at(-1) !== 'FOUND complete' && attempt < 6_000; attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // Errors of subscriptions are reported later.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return screen.textContent;
};`
    .replaceAll("'padron-client'", "'padron-client/client'")
    .replaceAll("'padron-client/", "'../../../schema/client/entries/")
    .replaceAll("'./generated/", "'../../../schema/client/generated/");
}
