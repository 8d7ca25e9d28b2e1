import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { createLogger } from '../src/server/telemetry/logger';
import { readConfig, startPadron } from '../test/support/padrons/whole-padron';

interface Screenshot {
  readonly file: string;
  readonly options: BrowserContextOptions;
  readonly prepare: (page: Page) => Promise<void>;
}

const folder = join(__dirname, '../src/extensions/explorer/screenshots');
const executablePath = '/usr/bin/chromium';
const timeoutMs = 30_000;
/** Time for animations and for the colours of the editors. */
const settleMs = 1_500;

const screenshots: readonly Screenshot[] = [
  {
    file: 'person-and-money.png',
    options: { viewport: { width: 1360, height: 820 } },
    prepare: async (page) => {
      await click(page, 'Show Money');
      await execute(page);
    },
  },
  {
    file: 'receipt-files-dark.png',
    options: { viewport: { width: 1360, height: 820 }, colorScheme: 'dark' },
    prepare: async (page) => {
      await page.getByRole('tab', { name: 'ReceiptFiles' }).click();
      await click(page, 'Show Files');
      await execute(page);
    },
  },
  {
    file: 'batch.png',
    options: { viewport: { width: 1280, height: 900 } },
    prepare: async (page) => {
      await page.getByRole('tab', { name: 'PersonCredit' }).click();
      await click(page, 'Show Batch');
      await click(page, /^Use \d+ people from the sandbox$/);
      await page.getByText('Ready to start').waitFor();
      await click(page, 'Start');
      await page.getByText('Done', { exact: true }).waitFor();
    },
  },
];

const click = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Runs the operation of the open tab twice, because the times of a first run are not typical. */
async function execute(page: Page): Promise<void> {
  await page.locator('.padron-price[aria-label*="at most"]').waitFor();
  await click(page, /^Execute query/);
  await page.locator('.padron-summary').waitFor();
  await click(page, /^Execute query/);
}

async function take(browser: Browser, url: string, { file, options, prepare }: Screenshot): Promise<void> {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  await prepare(page);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(settleMs);
  await page.screenshot({ path: join(folder, file) });
  await context.close();
}

/** Takes all pictures of the explorer, in dist/, with the embedded sandbox. */
async function main(): Promise<void> {
  const padron = await startPadron(readConfig({ PORT: '0', REPLAY_SECONDS: '0' }), createLogger('error'));
  const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    for (const screenshot of screenshots) await take(browser, padron.url, screenshot);
  } finally {
    await browser.close();
    await padron.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
});
