import type { Page } from 'playwright-core';
import {
  explorerForTests,
  fill,
  inBrowser,
  openTab,
  readBrowserStorage,
  readDocument,
  readPrice,
  responsePane,
  run,
  waitUntil,
} from '../explorer';

const ignored = 'The link has no valid operation, so it was ignored.';

async function writeDocument(page: Page, document: string): Promise<void> {
  await page.locator('.graphiql-query-editor .view-line').first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(document);
}

async function copyLink(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Copy as…' }).click();
  await page.getByRole('menuitem', { name: 'Copy link' }).click();
  await page.getByText(/^Link copied\./).waitFor();
  return page.evaluate<string>('navigator.clipboard.readText()');
}

inBrowser('a link to an operation', () => {
  const explorer = explorerForTests();

  it('opens the operation in a tab, without variables, headers, values and comments', async () => {
    const { page } = await explorer.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await writeDocument(page, 'query Shared { # for Uriel\n person(nss: "04159600263") { credit { outcome } } }');
    await fill(page, 'Headers', '{ "authorization": "Bearer a-token-of-mine" }');
    const link = await copyLink(page);
    expect(link).toContain('#operation=');
    expect(decodeURIComponent(link)).not.toMatch(/04159600263|Uriel|a-token-of-mine|authorization/);

    const { page: other } = await explorer.open();
    await other.goto('about:blank');
    await other.goto(link);
    await other.getByRole('tab', { name: 'Shared', selected: true }).waitFor();
    await waitUntil(other, `location.hash === ''`);
    expect(await readDocument(other)).toMatch(/query Shared \{\n {2}person\(nss: ""\) \{/);
    expect(await other.getByRole('tab').count()).toBe(12);
    await other.reload();
    await other.locator('.graphiql-query-editor .view-line').first().waitFor();
    expect(await other.getByRole('tab').count()).toBe(12);
    expect(await readBrowserStorage(other)).not.toContain('04159600263');
  });

  it('opens in the open page too, where it can run', async () => {
    const { page } = await explorer.open();
    await readPrice(page);
    await page.evaluate(
      `void (location.hash = '#operation=' + encodeURIComponent('query Prices{registryEndpoints{units}}'))`,
    );
    await page.getByRole('tab', { name: 'Prices', selected: true }).waitFor();
    expect((await run(page)).data.registryEndpoints[0].units).toBe(1);
    await openTab(page, 'PersonProfile');
    expect((await run(page)).data.person.credit.outcome).toBe('FOUND');
  });

  it('opens as another tool writes it, runs nothing, and leaves the URL', async () => {
    const { page } = await explorer.open();
    await page.goto('about:blank');
    await page.goto(
      `${explorer.padron.url}?query=${encodeURIComponent('query Prices{registryEndpoints{units}}')}&variables={}`,
    );
    await page.getByRole('tab', { name: 'Prices', selected: true }).waitFor();
    await waitUntil(page, `location.search === '' && ${responsePane} === ''`);
    expect(await readDocument(page)).toMatch(/query Prices \{\n {2}registryEndpoints \{/);
  });

  it('is ignored with a message if it is not valid', async () => {
    const { page, pageErrors } = await explorer.open();
    for (const fragment of ['operation=query%20{', 'operation=%E0%A4%A', 'operation=']) {
      await page.goto('about:blank');
      await page.goto(`${explorer.padron.url}#${fragment}`);
      await page.getByText(ignored).waitFor();
      expect(await page.getByRole('tab').count()).toBe(11);
    }
    expect(pageErrors).toEqual([]);
  });
});
