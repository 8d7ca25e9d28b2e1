import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { type Claims, signedBySecret } from '../../support/keys/identity-provider';
import { type GraphqlAnswer, post } from '../../support/padrons/padron';
import { startEventReceiver } from '../../support/padrons/webhooks';
import { sandboxOf } from '../../support/padrons/whole-padron';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { card } from '../../support/sandbox/cards';
import { explorerForTests, fill, inBrowser, openTab, readDocument, readPrice, run, runExplorer } from './explorer';

inBrowser("the explorer's ledger", () => {
  const explorer = explorerForTests();
  let page: Page;
  beforeAll(async () => {
    ({ page } = await explorer.open());
    await readPrice(page);
    await page.locator('.padron-price').click();
  });

  const ledger = () => page.getByRole('region', { name: 'Ledger' });

  it('is empty before the first call, and reports it', async () => {
    await ledger().getByText('Nothing was spent in the last two weeks.').waitFor();
  });

  it("shows the day's units by endpoint after a run", async () => {
    await openTab(page, 'PersonProfile');
    await run(page);
    const spent = sandboxOf(explorer.padron)?.spent(SANDBOX_TOKEN) ?? 0;
    expect(spent).toBeGreaterThan(1);
    await ledger().locator(`dl:has-text("${spent}") >> text=spent today`).waitFor();
    expect(await ledger().getByRole('table', { name: 'Units by day' }).getByRole('row').count()).toBe(14);
    const legend = await ledger().getByRole('list', { name: 'Units by endpoint' }).innerText();
    const units = [...legend.matchAll(/(\d+) units?/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    expect([units, legend]).toEqual([spent, expect.stringContaining('POST /api/infonavit/grupo/buscar-credito')]);
  });
});

inBrowser("the explorer's ledger with JWTs and a price of a unit", () => {
  const secret = 'a-secret-shared-with-the-identity-provider';
  const { nss } = findOrThrow(people, ({ credit }) => Boolean(credit));
  const today = new Date();
  const lastMonth = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 15, 12));
  let now = lastMonth;
  const jwt = { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: secret, TIME_ZONE: 'UTC' };
  const explorer = explorerForTests({ ...jwt, UNIT_PRICE: '1.20' }, { now: () => now });

  const headersOf = (claims: Claims) => ({ authorization: `Bearer ${signedBySecret(secret, claims)}` });
  const ask = (query: string, claims: Claims, tag = ''): Promise<GraphqlAnswer> =>
    post(explorer.padron.url, { query }, { ...headersOf(claims), ...(tag === '' ? {} : { 'x-tag': tag }) });
  const finance: Claims = { client_id: 'finance', scope: 'padron_ledger padron_budgets' };

  beforeAll(async () => {
    const credit = (client: string, asked: string, tag: string): Promise<GraphqlAnswer> =>
      ask(
        `{ person(nss: "${asked}") { credit { outcome } } }`,
        { client_id: client, scope: 'use_buscar_credito' },
        tag,
      );
    for (const client of ['payroll', 'payroll', 'kiosk'])
      await credit(client, nss, Buffer.from('Compañía').toString('latin1'));
    now = new Date();
    await ask('mutation { setRegistryBudget(input: { client: "payroll", period: MONTH, units: 4 }) { id } }', finance);
    await ask('mutation { setRegistryBudget(input: { client: "payrol", period: MONTH, units: 4 }) { id } }', finance);
    for (const asked of [nss, nss, nss, card('html', 'nss')]) await credit('payroll', asked, 'Norte');
  });

  it('reports an error in Spanish on the Spanish page', async () => {
    const { page: spanish } = await explorer.open({ locale: 'es-MX' });
    await spanish.getByRole('button', { name: 'Show Dinero' }).click();
    await spanish.getByText('Falta el token, o no es válido.', { exact: true }).waitFor();
    expect(await spanish.locator('.padron-panel').innerText()).not.toContain('valid JWT');
  });

  /** Opens the Money panel with the token of these claims in the headers. */
  const openLedger = async (claims: Claims, locale = 'en', time: number | null = null) => {
    const { page, pageErrors } = await explorer.open({ locale });
    await readPrice(page);
    if (time !== null) await page.clock.install({ time });
    await fill(page, 'Headers', JSON.stringify(headersOf(claims)));
    const refreshes: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('registrySpend')) refreshes.push(request.url());
    });
    await page.locator('.padron-price').click();
    const name = locale === 'en' ? 'Ledger' : 'Libro de consumo';
    return { page, pageErrors, refreshes, ledger: page.getByRole('region', { name }) };
  };

  it('shows budgets and the spend of two months by client, tag and endpoint, in units and pesos, with one request', async () => {
    const before = sandboxOf(explorer.padron)?.spent(SANDBOX_TOKEN);
    const { ledger, refreshes, pageErrors } = await openLedger(finance);
    const budgets = ledger.getByRole('list', { name: 'Budgets' }).getByRole('listitem');
    const budget = budgets.filter({ hasText: 'client payroll' });
    await budget.waitFor();
    expect(await budgets.filter({ hasText: 'Did you mean payroll, last seen on ' }).allInnerTexts()).toEqual([
      expect.stringMatching(/^client payrol\s/),
    ]);
    expect(await budget.innerText()).toMatch(
      /^client payroll\s+4 units \(\$4\.80\) per month\s+3 units used \(75%\), 1 unit reserved or uncertain\. 0 units \(\$0\.00\) left\. Resets on \w+ 1, \d{4}\.$/,
    );
    const rows = await ledger.getByRole('table', { name: 'Spend by month' }).getByRole('row').allInnerTexts();
    expect(rows.slice(1).map((row) => row.split(/\s+/).join(' '))).toEqual([
      'Total 3 $3.60 3 $3.60',
      'Uncertain, in addition 1 $1.20 0',
      'By client',
      'payroll 3 $3.60 2 $2.40',
      'kiosk 0 1 $1.20',
      'By tag',
      'Norte 3 $3.60 0',
      'Compañía 0 3 $3.60',
      'By endpoint',
      'POST /api/infonavit/grupo/buscar-credito 3 $3.60 3 $3.60',
    ]);
    expect(refreshes).toHaveLength(1);
    expect(sandboxOf(explorer.padron)?.spent(SANDBOX_TOKEN)).toBe(before);
    expect(pageErrors).toEqual([]);
  });

  it('shows beside the spent units what the tightest budget of the caller has left', async () => {
    const { page } = await openLedger({ client_id: 'payroll', scope: 'use_buscar_credito' });
    await run(page);
    await page.locator('.padron-summary:has-text("0 units spent, 0 left")').waitFor();
  });

  it('shows another month, and downloads its entries', async () => {
    const { page, ledger } = await openLedger(finance);
    const name = lastMonth.toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    await ledger.getByLabel('Month', { exact: true }).selectOption({ label: name });
    const total = ledger.getByRole('table', { name: 'Spend by month' }).getByRole('row', { name: /^Total/ });
    await total.filter({ hasText: /3\s*\$3\.60\s*0$/ }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      ledger.getByRole('button', { name: `Download ${name} as CSV` }).click(),
    ]);
    const rows = parse(readFileSync(await download.path()), { columns: true, bom: true }) as Record<string, string>[];
    const day = lastMonth.toISOString().slice(0, 10);
    expect(rows.map((row) => [row.day, row.client, row.amount])).toEqual([
      [day, 'kiosk', '1.20'],
      [day, 'payroll', '1.20'],
      [day, 'payroll', '1.20'],
    ]);
  });

  it('lists the unsettled calls, and opens the mutation that settles them with the same token', async () => {
    const { page, ledger } = await openLedger(finance);
    await ledger.getByText('Show the call and how to settle it').click();
    expect(await ledger.getByRole('list', { name: 'Unsettled calls' }).innerText()).toMatch(
      /1 unit \(\$1\.20\) · payroll\s+POST \/api\/infonavit\/grupo\/buscar-credito$/,
    );
    await ledger.getByText('npx padron reconcile statement.csv --from').waitFor();
    await ledger.getByRole('button', { name: 'Open the mutation in a tab' }).click();
    await page.locator('.graphiql-tab-active:has-text("SettleCalls")').waitFor();
    expect(await readDocument(page)).toContain('settleRegistryBilling(input: $calls)');
    await page.getByRole('button', { name: 'Headers', exact: true }).click();
    expect(await page.locator('section[aria-label="Headers"]').innerText()).toContain('Bearer');
  });

  it('says when it was read, and reads again each minute and when the user returns, also in a new month', async () => {
    const monthName = (date: Date): string =>
      date.toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const newMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth());
    const { page, ledger, refreshes } = await openLedger(finance, 'en', newMonth - 3_600_000);
    await ledger.getByText('Updated at 11:00 PM').waitFor();
    await page.clock.pauseAt(newMonth - 20_000);
    await page.clock.runFor(1_000);
    const chosen = ledger.getByLabel('Month', { exact: true }).locator('option:checked');
    await ledger.getByText('Updated at 11:59 PM').waitFor();
    expect(await chosen.innerText()).toBe(`${monthName(lastMonth)} (so far)`);
    const before = refreshes.length;
    await page.clock.runFor(60_000);
    // React renders in real time. Then the page waits for a moment before it asks, by its own clock.
    await page.clock.runFor(500);
    await ledger.getByText('Updated at 12:00 AM').waitFor();
    expect(await chosen.innerText()).toBe(`${monthName(today)} (so far)`);
    expect(refreshes).toHaveLength(before + 1);
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await page.clock.runFor(1_000);
    expect(refreshes).toHaveLength(before + 2);
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' })`);
    await page.clock.runFor(300_000);
    expect(refreshes).toHaveLength(before + 2);
  });

  it('names the scope that a token lacks, in English and Spanish', async () => {
    const own = await openLedger({ client_id: 'kiosk', scope: 'use_buscar_credito' }, 'es-MX');
    await own.ledger.getByText('Solo ve las consultas del cliente kiosk.').waitFor();
    expect(await own.ledger.getByText('permiso padron_ledger').count()).toBe(1);
    await own.ledger
      .getByRole('table', { name: 'Gasto por mes' })
      .getByRole('row', { name: /^kiosk 0 1/ })
      .waitFor();
    expect(await own.ledger.getByText('payroll').count()).toBe(0);
    const nameless = await openLedger({ scope: 'use_buscar_credito' });
    await nameless.ledger.getByText('lacks the scope padron_ledger, so it cannot see any calls').waitFor();
    await nameless.ledger.getByText('lacks the scope padron_budgets or padron_ledger').waitFor();
  });
});

inBrowser("the explorer's failed events", () => {
  it('are shown in both languages, with the ID that resendRegistryEvent takes', async () => {
    const receiver = await startEventReceiver(() => 410);
    const explorer = await runExplorer(receiver.environment);
    const client = new BatchClient(explorer.padron, SANDBOX_TOKEN);
    await client.ready(CREDIT, [{ nss: NSS[0] }]);
    const [event] = await receiver.untilEvents(1);
    for (const [locale, ledger, title, status] of [
      ['en', 'Ledger', 'Failed events', 'Attempts: 1. The receiver answered 410.'],
      ['es', 'Libro de consumo', 'Eventos fallidos', 'Intentos: 1. El receptor respondió 410.'],
    ] as const) {
      const { page, pageErrors } = await explorer.open({ locale });
      await readPrice(page);
      await page.locator('.padron-price').click();
      const list = page.getByRole('region', { name: ledger }).getByRole('list', { name: title });
      const text = await list.getByRole('listitem').innerText();
      expect(text).toContain('batch.ready');
      expect(text).toContain(status);
      expect(text).toContain(event?.id);
      expect(pageErrors).toEqual([]);
    }
    await explorer.stop();
    await receiver.close();
  });
});
