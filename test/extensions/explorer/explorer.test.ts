import type { Page } from 'playwright-core';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { explorerForTests, fill, inBrowser, openTab, readAnswer, readBrowserStorage, readPrice, run } from './explorer';

inBrowser('the explorer in a browser', () => {
  const explorer = explorerForTests();
  let page: Page;
  let requests: readonly string[];
  let pageErrors: readonly string[];
  beforeAll(async () => {
    ({ page, requests, pageErrors } = await explorer.open({ permissions: ['clipboard-read', 'clipboard-write'] }));
  });

  it('runs by keyboard, contacts no other host, and violates no rule of its policy', async () => {
    await readPrice(page);
    await page.locator('.graphiql-query-editor .view-line').first().click();
    await page.keyboard.press('Control+Enter');
    expect((await readAnswer(page)).data.person.credit.outcome).toBe('FOUND');
    const { origin } = new URL(explorer.padron.url);
    expect(requests.length).toBeGreaterThan(5);
    expect(requests.filter((url) => !url.startsWith(`${origin}/graphql`) && !url.startsWith('data:'))).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  it('shows the price before the run, the person after it, and then every call, each in one line', async () => {
    expect(await readPrice(page)).toBe('Price: 6 units at most');
    const { data } = await run(page);
    const person = findOrThrow(people, ({ nss }) => nss === data.person.nss);
    expect(data.person.credit.record.names).toBe(person.names);
    await expect(page.locator('.graphiql-response').innerText()).resolves.toContain(person.names);

    await page.getByRole('button', { name: '6 units spent' }).click();
    const calls = page.getByRole('table', { name: 'Registry calls and reused answers' }).getByRole('row');
    expect(await calls.count()).toBe(6);
    const address = 'POST /api/infonavit/grupo/buscar-credito';
    expect(await calls.nth(1).innerText()).toMatch(
      new RegExp(`^person\\.credit ${address}\\s+FOUND\\s+live\\s+\\d+\\s+1$`),
    );
    await calls.nth(1).getByTitle(`person.credit\n${address}`).waitFor();
    const regions = page.getByRole('region', { name: /^Last run$|^Before the run$/ });
    // The price after the run.
    await regions.locator('tr').nth(11).waitFor();
    const [last, before] = await regions.allInnerTexts();
    expect([last, before]).toEqual([expect.stringMatching(/^Last run\s/), expect.stringMatching(/^Before the run\s/)]);
    expect(before).toContain('descargar-constancia-profesional');
    const heights = await regions
      .locator('tr')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(heights).toHaveLength(12);
    expect(Math.max(...heights)).toBeLessThan(36);
  });

  it('reports why an operation cannot be priced', async () => {
    await readPrice(page);
    await fill(page, 'Variables', '{}');
    await page.getByRole('button', { name: 'Price: Not available. Enter a value for $nss.' }).waitFor();
    await fill(page, 'Variables', '{ "nss": 4159600263 }');
    await page
      .getByRole('button', { name: 'A variable is rejected. Variable "$nss": expected NSS!, got a number.' })
      .waitFor();
    await fill(page, 'Variables', '{');
    await page.getByRole('button', { name: 'Price: Not available. The variables are not valid JSON' }).waitFor();
  });

  it('warns of a budget that is too small', async () => {
    await openTab(page, 'BudgetRejection');
    await page.getByRole('button', { name: 'Price: 3 units at most, above the budget of 2' }).waitFor();
    expect((await run(page)).errors[0].extensions.code).toBe('UNIT_BUDGET_EXCEEDED');
  });

  it('reports UNAUTHENTICATED for a wrong token, and stores no token in the browser', async () => {
    const { page } = await explorer.open();
    await readPrice(page);
    await fill(page, 'Headers', '{ "authorization": "Bearer a-token-of-mine" }');
    const { errors } = await run(page);
    expect(errors[0].extensions.code).toBe('UNAUTHENTICATED');
    await openTab(page, 'LicenceCheck');
    await run(page);
    // GraphiQL stores half a second after the last change.
    await page.waitForTimeout(800);
    const stored = await readBrowserStorage(page);
    expect(stored).not.toMatch(/a-token-of-mine|sandbox-token|Bearer/);
    expect(stored).not.toContain(people[0]?.nss);
  });

  it('sends headers as UTF-8', async () => {
    const { page } = await explorer.open();
    await readPrice(page);
    const headers = { authorization: `Bearer ${SANDBOX_TOKEN}`, 'x-reference': 'Peña – 給与' };
    await fill(page, 'Headers', JSON.stringify(headers));
    expect((await run(page)).data.person.credit.outcome).toBe('FOUND');
  });

  it('keeps operations after a reload, but not their variables', async () => {
    const { page } = await explorer.open();
    await page.locator('.graphiql-query-editor .view-line').first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('query Mine { person(nss: "15725300436") { nss } }');
    await page.getByRole('tab', { name: 'Mine' }).waitFor();
    await page.reload();
    await page.locator('.graphiql-query-editor .view-line').first().waitFor();
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(expect.arrayContaining(['Mine', 'LicenceCheck']));
    expect(await page.locator('.graphiql-query-editor').innerText()).toMatch(/Mine.*person.*nss.*""/);
    expect(await readBrowserStorage(page)).not.toContain('15725300436');
    await openTab(page, 'LicenceCheck');
    expect((await run(page)).data.professionalLicence.outcome).toBe('FOUND');
  });

  it('lists everyone of the sandbox, and finds them by name, identifier and what they have', async () => {
    await page.getByRole('button', { name: 'Show Sandbox' }).click();
    await page.locator('summary').nth(1).waitFor();
    expect(await page.locator('details').nth(1).locator('li').count()).toBe(people.length);
    expect(await page.locator('summary').allInnerTexts()).toEqual([
      'People who are hard to compare 8',
      'People 220',
      'Employers 40',
      'Tokens 6',
      'Test cards 29',
    ]);
    await page.getByText('the housing fund writes MU#OZ for MUÑOZ').waitFor();
    const search = page.getByRole('searchbox', { name: 'Search the sandbox' });
    const last = findOrThrow(people.slice(200), ({ credit, licences }) => Boolean(credit) && licences.length > 1);
    for (const words of [
      `${last.names.toLowerCase()} ${last.nss}`,
      `${last.curp} credit`,
      `${last.licences[1]?.number} cedulas`,
    ]) {
      await search.fill(words);
      await page.locator('summary', { hasText: /^People 1$/ }).waitFor();
      await page.getByRole('button', { name: `Copy NSS ${last.nss}` }).waitFor();
    }
  });

  it('begins the types of the documentation with the person and the employer, and ends them with what is for routers', async () => {
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    const types = page.locator('.graphiql-doc-explorer-section-content a.graphiql-doc-explorer-type-name');
    await types.filter({ hasText: 'Person' }).first().waitFor();
    const [, , ...all] = await types.allInnerTexts();
    expect(all.slice(0, 2)).toEqual(['Person', 'Employer']);
    expect(all.slice(-3).every((name) => /^(_|link__|federation__)/.test(name))).toBe(true);
  });

  it('lists the test cards, and copies one', async () => {
    await openTab(page, 'PersonProfile');
    await page.getByRole('button', { name: 'Show Sandbox' }).click();
    await page.getByRole('searchbox', { name: 'Search the sandbox' }).fill('rate-limited-for-a-day');
    const copy = page.getByRole('button', { name: /^Copy NSS/ });
    // The list follows the search with a delay.
    await copy.nth(1).waitFor({ state: 'detached' });
    await copy.click();
    await page.getByText('copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    await fill(page, 'Variables', JSON.stringify({ nss: copied }));
    const { data } = await run(page);
    expect(data.person.credit.problems[0]).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('uses the theme of the system', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    const lightness = `Number(/\\d+/.exec(getComputedStyle(document.querySelector('.graphiql-container')).backgroundColor)[0])`;
    expect(await page.evaluate(lightness)).toBeLessThan(80);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await page.evaluate(lightness)).toBeGreaterThan(200);
  });
});
