import type { Page } from 'playwright-core';
import { SANDBOX_TOKEN } from '../../src/sandbox/accounts/accounts';
import { explorerForTests, fill, inBrowser, openTab, readAnswer, readPrice, run } from './explorer';

// A browser is slow to start where others keep the machine busy.
jest.setTimeout(60_000);

inBrowser("the explorer's panel of money", () => {
  const explorer = explorerForTests();
  let page: Page;
  beforeAll(async () => {
    ({ page } = await explorer.open());
  }, 90_000);

  const beforeTheRun = async (): Promise<string> => {
    await readPrice(page);
    return page.getByRole('region', { name: 'Before the run' }).innerText();
  };

  it('shows the fields beside their endpoint', async () => {
    await readPrice(page);
    await page.locator('.padron-price').click();
    expect(await beforeTheRun()).toMatch(/person\.credit\s+(person\.\w+\s+)*\/api\/infonavit\/grupo\/buscar-credito/);
  });

  it('shows what will not be asked and why, without the value', async () => {
    await openTab(page, 'MistypedCurp');
    await page.getByRole('list', { name: 'Not sent' }).waitFor();
    const text = await beforeTheRun();
    expect(text).toMatch(/WRONG_CHECK_DIGIT\s+curp\s+The check digit/);
  });

  it('distinguishes the usual price from the upper bound', async () => {
    await openTab(page, 'EmployerYear');
    await page.getByRole('button', { name: /Price: About \d+ units, without an upper limit/ }).waitFor();
    expect(await beforeTheRun()).toMatch(/no upper limit[\s\S]*two receipts/);
  });
});

inBrowser('the explorer while answers are reused', () => {
  const explorer = explorerForTests({ REPLAY_SECONDS: '60' });

  it('does not count reused answers as calls, and still rejects the example above its budget', async () => {
    const { page } = await explorer.open();
    await readPrice(page);
    await run(page);
    await page.getByRole('button', { name: /^6 units spent · 5 calls · \d+ ms$/ }).waitFor();
    await run(page);
    await page
      .getByRole('button', { name: /^0 units spent, 6 saved · 0 calls · 5 answers reused · \d+ ms$/ })
      .waitFor();
    await openTab(page, 'BudgetRejection');
    expect((await run(page)).errors[0].extensions.code).toBe('UNIT_BUDGET_EXCEEDED');
  });
});

inBrowser('a run that is answered before a registry has', () => {
  const explorer = explorerForTests({ REPLAY_SECONDS: '60' });

  it('shows what is still running, fills it in, and counts its price once', async () => {
    const { page } = await explorer.open();
    await openTab(page, 'PersonCredit');
    const headers = { authorization: `Bearer ${SANDBOX_TOKEN}`, 'x-sandbox-delay': 'buscar-credito=12s' };
    await fill(page, 'Headers', JSON.stringify(headers));
    await page.locator('.padron-price').click();
    await page.getByLabel('Answer within').selectOption('1s');
    const times = new Set<string>();
    page.on('request', (request) => times.add(request.headers()['x-answer-within'] ?? 'none'));
    const early = await run(page);
    expect(early.data.person.credit).toMatchObject({ outcome: 'UNAVAILABLE', problems: [{ code: 'STILL_RUNNING' }] });
    await page.locator('.padron-summary').getByText('1 uncertain').waitFor();
    await page.getByRole('list', { name: 'Registry calls and reused answers' }).getByText('still running').waitFor();

    await page.locator('.padron-summary').getByText('1 unit spent · 1 call ·').waitFor();
    // The last request waits, so that the follow-up ends while everything is still replayed.
    expect([...times]).toEqual(expect.arrayContaining(['1s', '60s']));
    expect((await readAnswer(page)).data.person.credit).toMatchObject({ outcome: 'FOUND', problems: [] });
    await page.getByRole('list', { name: 'Registry calls and reused answers' }).getByText('FOUND').waitFor();
    expect(explorer.padron.sandbox?.calls).toHaveLength(1);
  });
});
