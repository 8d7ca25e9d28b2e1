import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { explorerForTests, fill, inBrowser, openTab, readAnswer, readDocument, readPrice, run } from './explorer';

// A browser is slow to start where others keep the machine busy.
jest.setTimeout(60_000);

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

inBrowser('the explorer in Spanish', () => {
  const explorer = explorerForTests();

  it('is shown in Spanish if that is preferred, and everything works', async () => {
    const { page, pageErrors } = await explorer.open({ locale: 'es-MX' });
    await page.getByText('Respuestas inventadas').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('es');
    await page.getByRole('button', { name: 'Cerrar PersonProfile' }).waitFor();
    const panels = await page
      .locator('.graphiql-sidebar button[data-index]')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
    expect(panels).toEqual(
      ['Documentación', 'Campos', 'Dinero', 'Lotes', 'Archivos', 'Glosario', 'Sandbox'].map((name) => `Show ${name}`),
    );
    await page.getByRole('button', { name: 'Show Sandbox' }).click();
    await page.getByRole('searchbox', { name: 'Buscar en el sandbox' }).waitFor();
    // The browser renders only the entries in view.
    const people = await page.locator('.padron-panel').textContent();
    expect(people).toMatch(/tiene un crédito, una subcuenta de vivienda/);
    expect(people).toMatch(/404: el registro no tiene datos/);
    expect(people).not.toMatch(/\b(?:has|workers|permissions|answer|registry)\b/);
    await page.getByRole('button', { name: 'Show Glosario' }).click();
    await page.getByRole('searchbox', { name: 'Buscar en el glosario' }).fill('cedula');
    await page.getByRole('button', { name: 'Query.professionalLicence' }).click();
    await page.getByText('Validate a professional licence by its number.').waitFor();
    await openTab(page, 'ReceiptFiles');
    expect(await readDocument(page)).toMatch(/^# Los archivos de un comprobante con sus bytes.*\nquery ReceiptFiles/);
    await page.getByRole('button', { name: 'Precio: 1 unidad como máximo' }).waitFor();
    await run(page);
    await page.getByRole('button', { name: '1 unidad gastada' }).click();
    await page.getByRole('heading', { name: 'Dinero' }).waitFor();
    expect(await page.getByRole('region', { name: 'Última ejecución' }).innerText()).toContain('consulta nueva');
    await page.getByRole('button', { name: /^2 documentos/ }).click();
    await page.getByRole('heading', { name: 'Archivos' }).waitFor();
    expect(pageErrors).toEqual([]);
  });
});
