import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { explorerForTests, inBrowser, openTab, readPrice, run, waitUntil } from '../explorer';

const sizes = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
];

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function boxOf(page: Page, selector: string): Promise<Box> {
  return (await page.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}

inBrowser('the explorer in windows of every size', () => {
  const explorer = explorerForTests();

  it.each(sizes)(
    'shows every editor beside or below the others, and all tabs in a menu for the keyboard: %o',
    async (viewport) => {
      const { page } = await explorer.open({ viewport });
      await readPrice(page);
      await run(page);
      const editors = [
        '.graphiql-query-editor .monaco-editor',
        '.graphiql-editor-tool .monaco-editor',
        '.result-window .monaco-editor',
      ];
      for (const selector of editors) {
        const { width, height, x, y } = await boxOf(page, selector);
        expect({ selector, isLarge: width > 250 && height > 75 }).toEqual({ selector, isLarge: true });
        expect(x + width).toBeLessThanOrEqual(viewport.width);
        expect(y + height).toBeLessThanOrEqual(viewport.height);
      }
      const [variables, answer] = [await boxOf(page, '.graphiql-editor-tool'), await boxOf(page, '.graphiql-response')];
      expect(answer.y >= variables.y + variables.height || answer.x >= variables.x + variables.width).toBe(true);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(viewport.height);

      const names = await page.getByRole('tab').allInnerTexts();
      const menu = page.getByRole('button', { name: '11 tabs' });
      const { x, width } = (await menu.boundingBox()) ?? { x: 0, width: 9_999 };
      expect(x + width).toBeLessThanOrEqual(viewport.width);
      await menu.focus();
      await page.keyboard.press('Enter');
      const items = page.getByRole('menuitem');
      await items.first().waitFor();
      expect(await items.allInnerTexts()).toEqual(names);
      // The menu takes the focus after it has appeared.
      await waitUntil(page, `document.activeElement.textContent === 'PersonProfile'`);
      await page.keyboard.press('End');
      await waitUntil(page, `document.activeElement.textContent === 'EndpointPrices'`);
      await page.keyboard.press('Enter');
      await page.locator('.graphiql-tab-active:has-text("EndpointPrices")').waitFor();
      const tab = await boxOf(page, '.graphiql-tab-active');
      expect(tab.x + tab.width).toBeLessThanOrEqual(viewport.width);
    },
  );

  it('covers nothing with the button that closes a panel, also while the panel scrolls', async () => {
    const { page } = await explorer.open();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    const bar = page.locator('.padron-panel-bar');
    const search = page.locator('.graphiql-doc-explorer-search');
    await search.waitFor();
    for (const viewport of [...sizes, { width: 1440, height: 900 }]) {
      await page.setViewportSize(viewport);
      const [above, below] = [await bar.boundingBox(), await search.boundingBox()];
      expect((above?.y ?? 9_999) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
      await page.locator('.graphiql-plugin').evaluate((panel) => panel.scrollTo(0, 300));
      expect((await bar.boundingBox())?.y).toBe(above?.y);
      await page.locator('.graphiql-plugin').evaluate((panel) => panel.scrollTo(0, 0));
    }
    const background = `getComputedStyle(document.querySelector('.padron-panel-bar')).backgroundColor`;
    expect(await page.evaluate(background)).toMatch(/^rgb\(/);
  });

  it('covers a phone with a panel, below the settings, and returns to its button when it is closed', async () => {
    const { page } = await explorer.open({ viewport: { width: 390, height: 844 } });
    await openTab(page, 'BudgetRejection');
    const widest = `Math.max(...[...document.querySelectorAll('.graphiql-query-editor .view-line > span')].map((line) => line.getBoundingClientRect().right))`;
    await waitUntil(page, `${widest} > 100 && ${widest} <= 390`);
    await page.getByRole('button', { name: 'Show Money' }).click();
    expect((await boxOf(page, '.graphiql-plugin')).width).toBeGreaterThan(380);
    await page.getByRole('button', { name: 'Open settings dialog' }).click();
    const dialog = await boxOf(page, '.graphiql-dialog');
    const dark = await boxOf(page, '.graphiql-dialog button[data-theme="dark"]');
    expect(dialog.x + dialog.width - (dark.x + dark.width)).toBeGreaterThan(12);
    await page.getByRole('button', { name: 'Dark', exact: true }).click({ trial: true });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Close the panel Money' }).click();
    await page.locator('.graphiql-execute-button').click({ trial: true });
    expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('Show Money');
  });
});

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the rules that the page violates, each with the elements. */
async function findViolations(page: Page): Promise<readonly string[]> {
  // Tooltips and transitions of the last click would be read as well.
  await page.mouse.move(0, 0);
  await page.waitForTimeout(300);
  await page.evaluate(`globalThis.axe === undefined && (() => { ${axe} })()`);
  const { violations } = await page.evaluate<AxeResults>('axe.run(document)');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id} ${target.join(' ')}: ${html}`));
}

/** Fills the panels with content: an answer with documents and a batch with failures. */
async function fillPanels(page: Page): Promise<void> {
  await openTab(page, 'PersonCredit');
  await page.getByRole('button', { name: 'Show Batch' }).click();
  await page.getByRole('button', { name: /^Use \d+ people from the sandbox$/ }).click();
  await page.getByText('Ready to start').waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Done', { exact: true }).waitFor();
  await openTab(page, 'ReceiptFiles');
  await readPrice(page);
  await run(page);
}

inBrowser('axe-core', () => {
  const explorer = explorerForTests();

  it.each([
    ['dark', { width: 1400, height: 850 }],
    ['light', { width: 390, height: 844 }],
  ] as const)('finds nothing in any panel: %s, %o', async (colorScheme, viewport) => {
    const { page } = await explorer.open({ colorScheme, viewport });
    await readPrice(page);
    expect(await findViolations(page)).toEqual([]);
    if (viewport.width > 860) await fillPanels(page);
    const panels = await page.locator('.graphiql-sidebar button[data-index]').count();
    expect(panels).toBe(7);
    for (let index = 0; index < panels; index += 1) {
      const button = page.locator(`.graphiql-sidebar button[data-index="${index}"]`);
      if (!((await button.getAttribute('class')) ?? '').includes('active')) await button.click();
      await page.locator('.padron-panel-bar').waitFor();
      expect([index, await findViolations(page)]).toEqual([index, []]);
    }
  });
});
