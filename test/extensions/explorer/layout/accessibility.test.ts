import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { explorerForTests, inBrowser, openTab, readPrice, run } from '../explorer';

// Reading a large panel takes axe-core several seconds on a busy machine.
jest.setTimeout(180_000);

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
