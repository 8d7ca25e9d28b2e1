import type { Locator, Page } from 'playwright-core';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { type Sandbox, startSandbox } from '../../../../src/extensions/sandbox/service';
import { signedBySecret } from '../../../support/keys/identity-provider';
import {
  type ExplorerRun,
  explorerForTests,
  fill,
  inBrowser,
  openTab,
  readBrowserStorage,
  responsePane,
  run,
  runExplorer,
  waitUntil,
} from '../explorer';

// A browser is slow to start where others keep the machine busy.
jest.setTimeout(90_000);

const SECRET = 'a-secret-shared-with-the-identity-provider';

inBrowser('the explorer in production, with JWTs', () => {
  let sandbox: Sandbox;
  let explorer: ExplorerRun;
  let page: Page;
  let token: string;
  beforeAll(async () => {
    sandbox = await startSandbox();
    explorer = await runExplorer({
      NODE_ENV: 'production',
      EXPLORER: 'on',
      REGISTRY_URL: sandbox.url,
      REGISTRY_TOKEN: SANDBOX_TOKEN,
      JWT_SECRET: SECRET,
    });
    token = await signedBySecret(SECRET, { scope: 'use_buscar_credito' });
    ({ page } = await explorer.open({ permissions: ['clipboard-read', 'clipboard-write'] }));
  }, 90_000);
  afterAll(async () => {
    await explorer.stop();
    await sandbox.close();
  });

  const enter = async (text: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Token' }).fill(text);
    await page.keyboard.press('Enter');
  };
  const forgetButton = (): Locator => page.getByRole('button', { name: 'Forget the token' });

  it('asks for a token instead of showing an error, and asks again if the token is not valid', async () => {
    await page.getByText(/^Enter your token\. It loads the schema/).waitFor();
    expect(await forgetButton().count()).toBe(0);
    await enter('nonsense');
    await page.getByText('The server did not accept this token. Enter another one.').waitFor();
    await forgetButton().waitFor();
    expect(await page.evaluate(responsePane)).toBe('');
    expect(await page.evaluate(`document.querySelectorAll('.graphiql-doc-explorer-root-type').length`)).toBe(0);
  });

  it('loads the schema with a pasted token, and uses it in every tab', async () => {
    await enter(` Bearer ${token.slice(0, 40)}\n${token.slice(40)} `);
    await openTab(page, 'PersonCredit');
    await page.getByRole('button', { name: 'Price: 1 unit at most' }).waitFor();
    await page.locator('.view-line', { hasText: 'credit' }).getByText('· 1 unit').waitFor();
    expect((await run(page)).data.person.credit.outcome).toBe('FOUND');
    await page.getByRole('button', { name: 'Copy as…' }).click();
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
    await page.getByText('Copied as curl').waitFor();
    const curl = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(curl).toContain('-H "authorization: Bearer $TOKEN"');
    expect(curl).not.toContain(token);
  });

  it('keeps the token after a reload, but neither other headers nor variables', async () => {
    await fill(page, 'Headers', JSON.stringify({ 'x-secret': 'another-header' }));
    await page.reload();
    await page.locator('.graphiql-query-editor .view-line').first().waitFor();
    await openTab(page, 'PersonCredit');
    await page.getByRole('button', { name: 'Price: 1 unit at most' }).waitFor();
    expect((await run(page)).data.person.credit.outcome).toBe('FOUND');
    const stored = await readBrowserStorage(page);
    expect(stored).toContain(token);
    expect(stored).not.toMatch(/another-header/);
    expect(stored).not.toContain(people[0]?.nss);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(token);
  });

  it('prefers a token in Headers, and forgets its own on request', async () => {
    await fill(page, 'Headers', '{ "authorization": "Bearer nonsense" }');
    expect((await run(page)).errors[0].extensions.code).toBe('UNAUTHENTICATED');
    await page.getByRole('button', { name: 'Token' }).click();
    await forgetButton().click();
    await page.getByText(/^Enter your token\. It loads the schema/).waitFor();
    expect(await readBrowserStorage(page)).not.toContain(token);
  });

  it('removes an old error from the response when the schema has arrived', async () => {
    await page.route('**/graphql', (route) => route.abort());
    await enter('nonsense');
    await waitUntil(page, `${responsePane}.includes('Is padron running?')`);
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Token' }).click();
    await enter(token);
    await waitUntil(page, `${responsePane} === ''`);
  });
});

inBrowser('the explorer in production, with the embedded sandbox', () => {
  const explorer = explorerForTests({ NODE_ENV: 'production', SANDBOX: 'embedded', EXPLORER: 'on' });

  it('loads the schema with the token of the sandbox', async () => {
    const { page } = await explorer.open();
    await page.getByRole('button', { name: 'Show Documentation' }).click();
    await page.locator('.graphiql-doc-explorer-root-type').first().waitFor({ timeout: 15_000 });
  });
});
