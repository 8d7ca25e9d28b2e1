import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { explorerForTests, inBrowser, openTab, readPrice, run, runExplorer } from './explorer';

// A browser is slow to start where others keep the machine busy.
jest.setTimeout(60_000);

inBrowser("the explorer's ledger", () => {
  const explorer = explorerForTests();
  let page: Page;
  let pageErrors: readonly string[];
  beforeAll(async () => {
    ({ page, pageErrors } = await explorer.open());
    await readPrice(page);
    await page.locator('.padron-price').click();
  }, 90_000);

  const ledger = () => page.getByRole('region', { name: 'Ledger' });

  it('is empty before the first call, and reports it', async () => {
    await ledger().getByText('Nothing was spent in the last two weeks.').waitFor();
  });

  it("shows the day's units by endpoint after a run", async () => {
    await openTab(page, 'PersonProfile');
    await run(page);
    const spent = explorer.padron.sandbox?.spent(explorer.padron.token ?? '') ?? 0;
    expect(spent).toBeGreaterThan(1);
    await ledger().locator(`dl:has-text("${spent}") >> text=spent today`).waitFor();
    expect(await ledger().getByRole('table', { name: 'Units by day' }).getByRole('row').count()).toBe(14);
    const legend = await ledger().getByRole('list', { name: 'Units by endpoint' }).innerText();
    const units = [...legend.matchAll(/(\d+) units?/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    expect([units, legend]).toEqual([spent, expect.stringContaining('POST /api/infonavit/grupo/buscar-credito')]);
  });

  it('exports everything as a file', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      ledger().getByRole('button', { name: 'Download all as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^padron-ledger-\d{4}-\d{2}-\d{2}\.csv$/);
    const rows = parse(readFileSync(await download.path()), { columns: true, bom: true }) as readonly {
      readonly units: string;
    }[];
    const spent = explorer.padron.sandbox?.spent(explorer.padron.token ?? '');
    expect(rows.reduce((sum, { units }) => sum + Number(units), 0)).toBe(spent);
    expect(pageErrors).toEqual([]);
  });

  it('is available in Spanish', async () => {
    const { page: spanish } = await explorer.open({ locale: 'es-MX' });
    await spanish.locator('.padron-price').click();
    const region = spanish.getByRole('region', { name: 'Libro de consumo' });
    await region.getByText('gastado hoy').waitFor();
    await region.getByRole('button', { name: 'Descargar todo como CSV' }).waitFor();
  });
});

inBrowser('the explorer where no ledger is kept', () => {
  it('reports it', async () => {
    const explorer = await runExplorer({ LEDGER: 'off' });
    const { page } = await explorer.open();
    await page.locator('.padron-price').click();
    await page.getByRole('region', { name: 'Ledger' }).getByText('The ledger is off').waitFor();
    await explorer.stop();
  }, 90_000);
});
