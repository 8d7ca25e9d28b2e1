import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { signedBySecret } from '../../support/keys/identity-provider';
import { sandboxForTests } from '../../support/sandbox/sandbox-for-tests';
import {
  type ExplorerRun,
  explorerForTests,
  fill,
  inBrowser,
  openTab,
  readAnswer,
  readBrowserStorage,
  readPrice,
  responsePane,
  run,
  runExplorer,
  waitUntil,
} from './explorer';

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

/** Returns what a menu item of the toolbar copies to the clipboard. */
async function copyAs(page: Page, form: string): Promise<string> {
  await page.getByRole('button', { name: 'Copy as…' }).click();
  await page.getByRole('menuitem', { name: `Copy as ${form}` }).click();
  await page.getByText(`Copied as ${form}`).waitFor();
  return page.evaluate<string>('navigator.clipboard.readText()');
}

const focusedName = `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`;

inBrowser('the explorer for everybody', () => {
  const explorer = explorerForTests();

  it('reaches Run with one Tab and one Enter, and Tab leaves its editors', async () => {
    const { page } = await explorer.open();
    await readPrice(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(focusedName)).toBe('Skip to Run');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(focusedName)).toMatch(/^Execute query/);
    await page.keyboard.press('Enter');
    expect((await readAnswer(page)).data.person.credit.outcome).toBe('FOUND');

    await page.locator('.graphiql-query-editor .view-line').first().click();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`document.activeElement.closest('.graphiql-query-editor .monaco-editor')`)).toBeNull();
  });

  it('names the button that closes each tab, including tabs opened later', async () => {
    const { page } = await explorer.open();
    await page.getByRole('button', { name: 'Close PersonProfile', exact: true }).waitFor();
    await openTab(page, 'LicenceCheck');
    await page.getByRole('button', { name: 'Close LicenceCheck', exact: true }).waitFor();
    await page.locator('.graphiql-query-editor .view-line').first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('query Renamed { __typename }');
    await page.getByRole('button', { name: 'Close Renamed', exact: true }).waitFor();
    await page.getByRole('button', { name: 'New tab' }).click();
    const names = await page
      .locator('.graphiql-tab-close')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
    const titles = await page.locator('.graphiql-tab-button').allInnerTexts();
    expect(names).toEqual(titles.map((title) => `Close ${title}`));
  });

  it('states that answers are invented, and what a reload keeps', async () => {
    const { page } = await explorer.open();
    await page.getByRole('note', { name: /^Invented answers\. Answers come from the embedded sandbox/ }).waitFor();
    await page.getByText(/^Operations survive a reload.* Variables, headers and responses are not saved\.$/).waitFor();
  });

  it("fills the variables of the open operation with a person's identifiers", async () => {
    const { page } = await explorer.open();
    await readPrice(page);
    const person = findOrThrow(people.slice(1), ({ credit }) => credit !== null);
    const name = [person.names, person.paternalSurname, person.maternalSurname].filter(Boolean).join(' ');
    await page.getByRole('button', { name: 'Show Sandbox' }).click();
    await page.getByRole('button', { name: `Fill in ${name}`, exact: true }).click();
    await page.getByText(`Filled in: nss ${person.nss}.`).waitFor();
    expect((await run(page)).data.person.nss).toBe(person.nss);

    await openTab(page, 'EndpointPrices');
    await page.getByRole('button', { name: `Fill in ${name}`, exact: true }).click();
    await page.getByText('The open operation has no variable for these identifiers.').waitFor();
  });

  it('shows the price behind each paid field of the open tab', async () => {
    const { page } = await explorer.open();
    await page.getByText('· 1 unit').first().waitFor();
    await openTab(page, 'LicenceCheck');
    await page.locator('.view-line', { hasText: 'professionalLicence' }).getByText('· 1 unit').waitFor();
    await openTab(page, 'EndpointPrices');
    await page.waitForTimeout(300);
    expect(await page.getByText('· 1 unit').count()).toBe(0);
  });
});

inBrowser('the explorer that copies an operation as code', () => {
  const explorer = explorerForTests();

  it('runs again as copied, with the token of the sandbox', async () => {
    const { page } = await explorer.open(clipboard);
    await openTab(page, 'BudgetRejection');
    const curl = await copyAs(page, 'curl');
    const { stdout } = await promisify(execFile)('bash', ['-c', `${curl} -sS`]);
    expect(JSON.parse(stdout).errors[0].extensions.code).toBe('UNIT_BUDGET_EXCEEDED');

    await openTab(page, 'LicenceCheck');
    const code = await copyAs(page, 'fetch');
    expect(code).toMatch(
      /^const query = `\nquery LicenceCheck\(\$number: LicenceNumber!\) \{\n {2}professionalLicence/,
    );
    expect(`${code}${curl}`).not.toMatch(/#|\\n/);
    const body = code.replace('const { data, errors, extensions } =', 'return');
    const ask = new Function('fetch', `return (async () => { ${body} })()`);
    expect((await ask(fetch)).data.professionalLicence.outcome).toBe('FOUND');
    await page.getByRole('button', { name: 'Copy as…' }).click();
    const items = await page
      .getByRole('menuitem')
      .evaluateAll((entries) => entries.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(items).toEqual([0, 0, 0, 0, 0]);
    await page.keyboard.press('Escape');
    expect(await copyAs(page, 'Apollo hook')).toContain('useQuery(LicenceCheckDocument, {');
    expect(await copyAs(page, 'urql hook')).toContain('useQuery({\n  query: LicenceCheckDocument,');
  });

  it('has placeholders for tokens, passwords and other headers', async () => {
    const { page } = await explorer.open(clipboard);
    await openTab(page, 'SignatureCheck');
    await fill(page, 'Headers', '{ "authorization": "Bearer my-token", "x-api-key": "my-key", "x-max-units": "3" }');
    const files = { certificate: { upload: null }, privateKey: { base64: 'my-private-key' } };
    await fill(
      page,
      'Variables',
      JSON.stringify({ input: { rfc: 'XAXX010101000', password: 'my-password', ...files } }),
    );
    for (const form of ['curl', 'fetch', 'Apollo hook', 'urql hook']) {
      const code = await copyAs(page, form);
      expect(code).not.toMatch(/my-/);
      expect(code).toContain('<password>');
    }
    const curl = await copyAs(page, 'curl');
    expect(curl).toContain('-H "authorization: Bearer $TOKEN"');
    expect(curl).toContain('-H "x-api-key: $X_API_KEY"');
    expect(curl).toContain("-H 'x-max-units: 3'");
    expect(curl).toContain('-F 0=@certificate');
  });
});

const SECRET = 'a-secret-shared-with-the-identity-provider';

inBrowser('the explorer in production, with JWTs', () => {
  const token = signedBySecret(SECRET, { scope: 'use_buscar_credito' });
  const sandbox = sandboxForTests();
  let explorer: ExplorerRun;
  let page: Page;
  beforeAll(async () => {
    const jwt = { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: SECRET };
    explorer = await runExplorer({ NODE_ENV: 'production', EXPLORER: 'on', REGISTRY_URL: sandbox.url, ...jwt });
    ({ page } = await explorer.open(clipboard));
  });
  afterAll(() => explorer.stop());

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
    const curl = await copyAs(page, 'curl');
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

const TRUSTED_DOCUMENTS = mkdtempSync(join(tmpdir(), 'padron-explorer-'));
writeFileSync(join(TRUSTED_DOCUMENTS, 'prices.graphql'), '{ registryEndpoints { units } }');
afterAll(() => rmSync(TRUSTED_DOCUMENTS, { recursive: true }));

inBrowser('the explorer of a server with trusted documents', () => {
  const explorer = explorerForTests({ TRUSTED_DOCUMENTS, JWT_SECRET: SECRET, REGISTRY_TOKEN: SANDBOX_TOKEN });

  it('shows why it cannot read the schema, and reads it with a token that has the scope padron_explore', async () => {
    const { page } = await explorer.open();
    await page.locator('.result-window:has-text("OPERATION_NOT_TRUSTED")').waitFor();
    const token = signedBySecret(SECRET, { scope: 'padron_explore', azp: 'developer' });
    await fill(page, 'Headers', JSON.stringify({ authorization: `Bearer ${token}` }));
    const introspection = page.waitForResponse(
      (response) => response.request().postData()?.includes('__schema') === true,
    );
    await page.getByRole('button', { name: /re-?fetch/i }).click();
    expect((await introspection).status()).toBe(200);
    await page.locator('.view-line:has-text("· 1 unit")').first().waitFor();
  });
});
