import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Padron, StartOptions } from '../../../src/server/start';
import { createLogger } from '../../../src/server/telemetry/logger';
import { readConfig, startPadron } from '../../support/padrons/whole-padron';
import { startForTests } from '../../support/start-for-tests';

const executable = '/usr/bin/chromium';

/** Debian's Chromium is installed by CI; where it is missing, the tests that need it are skipped, and say so. */
export const inBrowser: jest.Describe = existsSync(executable) ? describe : describe.skip;

const flags =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** A padron over the embedded sandbox, and a browser to open it with. The explorer comes from dist/. */
export interface ExplorerRun {
  readonly padron: Padron;
  open(options?: BrowserContextOptions): Promise<OpenExplorer>;
  stop(): Promise<void>;
}

/** Opens the explorer in a separate browser window with an empty profile. */
export interface OpenExplorer {
  readonly page: Page;
  /** Addresses of every request that the page made. */
  readonly requests: readonly string[];
  /** Errors that the browser reported: of scripts, of the policy, of what could not be loaded. */
  readonly pageErrors: readonly string[];
}

export function startExplorer(
  environment: Readonly<Record<string, string>> = {},
  options: StartOptions = {},
): Promise<Padron> {
  const log = createLogger('silent');
  return startPadron(readConfig({ PORT: '0', REPLAY_SECONDS: '0', ...environment }), log, options);
}

export async function runExplorer(
  environment: Readonly<Record<string, string>> = {},
  options: StartOptions = {},
): Promise<ExplorerRun> {
  const padron = await startExplorer(environment, options);
  // Playwright gives it a new user-data-dir.
  const browser = await chromium.launch({ executablePath: executable, headless: true, args: flags.split(' ') });
  return {
    padron,
    open: (options) => openPage(browser, padron.url, options),
    stop: async () => {
      await browser.close();
      await padron.stop();
    },
  };
}

/** Runs the explorer for the tests of a `describe`. */
export function explorerForTests(
  environment: Readonly<Record<string, string>> = {},
  options: StartOptions = {},
): ExplorerRun {
  return startForTests(
    () => runExplorer(environment, options),
    (explorer) => explorer.stop(),
  );
}

async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenExplorer> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 850 }, ...options });
  const page = await context.newPage();
  const requests: string[] = [];
  const pageErrors: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(message.text());
  });
  await page.goto(url);
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  return { page, requests, pageErrors };
}

/** Opens the tab of an operation, and waits until its price is shown. */
export async function openTab(page: Page, operation: string): Promise<void> {
  await page.getByRole('tab', { name: operation }).click();
  await page.locator(`.graphiql-tab-active:has-text("${operation}")`).waitFor();
  // The tab is selected before its texts are in the editors. Only a test clicks fast enough to notice.
  await waitUntil(page, `${documentPane}.includes('${operation}')`);
  await page.waitForTimeout(100);
}

/** The price as text, once it is known. */
export async function readPrice(page: Page): Promise<string> {
  const tag = page.locator('.padron-price:not([aria-label*="Calcula"])');
  return ((await tag.getAttribute('aria-label')) ?? '').replace(/^.*?(?=Price: |Precio: )/, '');
}

/** Runs the operation of the open tab, and gives its answer as it is shown. */
// biome-ignore lint/suspicious/noExplicitAny: the border to JSON; every test asserts what it reads.
export async function run(page: Page): Promise<any> {
  await page.getByRole('button', { name: /^Execute query/ }).click();
  return readAnswer(page);
}

// biome-ignore lint/suspicious/noExplicitAny: likewise.
export async function readAnswer(page: Page): Promise<any> {
  await waitUntil(page, `${pane('response')} !== '' && !document.querySelector('.graphiql-spinner')`);
  return JSON.parse(await page.evaluate(pane('response')));
}

/** Waits until an expression is true. It is polled from outside, because playwright evaluates text in the page, which the page's policy forbids. */
export async function waitUntil(page: Page, expression: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if ((await page.evaluate(expression)) === true) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`It never held: ${expression}`);
}

/** Replaces the text in the pane of the operation, the variables or the headers, as if it had been pasted. */
export async function fill(page: Page, name: 'Operation' | 'Variables' | 'Headers', text: string): Promise<void> {
  if (name !== 'Operation') await page.getByRole('button', { name, exact: true }).click();
  const section = name === 'Operation' ? '.graphiql-query-editor' : `section[aria-label="${name}"]`;
  await page.locator(`${section} .graphiql-editor:not(.hidden) .view-line`).first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
  // The editor closes what was opened.
  await page.keyboard.press('Control+Shift+End');
  await page.keyboard.press('Delete');
}

/** Everything that the page leaves in the browser, as text. */
export function readBrowserStorage(page: Page): Promise<string> {
  return page.evaluate(`(async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, document.cookie,
    await indexedDB.databases(), await caches.keys(), history.state, location.href,
  ]))()`);
}

/** Returns the document of the open tab. */
export const readDocument = (page: Page): Promise<string> => page.evaluate(documentPane);

/** The text of the response, as an expression for the page. */
export const responsePane = pane('response');

/** The text of the open document, as an expression for the page. */
const documentPane = `(globalThis.__MONACO.editor.getModels().find(({ uri }) => uri.path.endsWith('operation.graphql'))?.getValue() ?? '')`;

function pane(name: string): string {
  return `(globalThis.__MONACO.editor.getModels().find(({ uri }) => uri.path.endsWith('${name}.json'))?.getValue() ?? '')`;
}
