import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { bearer, JWT_SECRET } from '../../support/keys/identity-provider';
import { credentialOf } from '../../support/keys/signatures';
import { post } from '../../support/padrons/padron';
import { sandboxOf } from '../../support/padrons/whole-padron';
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

const [, claudia, natalia, other, slow] = people.filter(({ credit }) => Boolean(credit));

const ageLabel = 'Age of a paid answer that is used again';

/** Asks about the NSS of one person and the CURP of another. */
const contradiction = (
  nss: string | undefined,
  curp: string | undefined,
): string => `query PersonCredit { person(nss: "${nss}", curp: "${curp}") {
  credit { outcome problems { code } } identity { outcome problems { code } } consistency { status }
} }`;

inBrowser("the explorer's panel of money", () => {
  const explorer = explorerForTests();
  let page: Page;
  beforeAll(async () => {
    ({ page } = await explorer.open());
  });

  const beforeTheRun = async (): Promise<string> => {
    await readPrice(page);
    return page.getByRole('region', { name: 'Before the run' }).innerText();
  };

  it('shows the fields beside their endpoint, and no age without REUSE_DAYS', async () => {
    expect(await page.getByLabel(ageLabel).count()).toBe(0);
    await readPrice(page);
    await page.locator('.padron-price').click();
    expect(await beforeTheRun()).toMatch(/person\.credit(, person\.\w+)* \/api\/infonavit\/grupo\/buscar-credito/);
  });

  it('says beside an endpoint whether it answers', async () => {
    expect(await beforeTheRun()).toContain('Few recent calls');
    const credit = `{ person(nss: "${other?.nss}") { credit { outcome } } }`;
    for (let call = 0; call < 5; call += 1) await post(explorer.padron.url, { query: credit });
    await run(page);
    await page
      .getByText(/Operational · \d+ ms/)
      .first()
      .waitFor();
    expect(await beforeTheRun()).toMatch(/Operational · \d+ ms\s+person\.credit/);
  });

  it('shows what will not be asked and why, without the value', async () => {
    await openTab(page, 'MistypedCurp');
    await page.getByRole('list', { name: 'Not sent' }).waitFor();
    const text = await beforeTheRun();
    expect(text).toMatch(/WRONG_CHECK_DIGIT\s+curp\s+The check digit/);
    expect(await readPrice(page)).toBe('Price: Free');
  });

  it('distinguishes the usual price from the upper bound', async () => {
    await openTab(page, 'EmployerYear');
    await page.getByRole('button', { name: /Price: About \d+ units, without an upper limit/ }).waitFor();
    expect(await beforeTheRun()).toMatch(/no upper limit[\s\S]*two receipts/);
  });
});

inBrowser('the explorer of a server that reuses answers', () => {
  const explorer = explorerForTests({ REPLAY_SECONDS: '60', REUSE_DAYS: '30' });
  let page: Page;
  beforeAll(async () => {
    ({ page } = await explorer.open());
    await page.locator('.padron-price').click();
    await page.getByLabel('Time to wait for the registries').selectOption('1s');
  });

  const delayCredit = (delay: string): Promise<void> =>
    fill(
      page,
      'Headers',
      JSON.stringify({ authorization: `Bearer ${SANDBOX_TOKEN}`, 'x-sandbox-delay': `buscar-credito=${delay}` }),
    );
  const summary = (text: string): Promise<void> => page.locator('.padron-summary').getByText(text).waitFor();

  it('does not count reused answers as calls', async () => {
    const { page } = await explorer.open();
    await readPrice(page);
    await run(page);
    await page.getByRole('button', { name: /^6 units spent · 5 calls · \d+ ms$/ }).waitFor();
    await run(page);
    await page
      .getByRole('button', { name: /^0 units spent, 6 saved · 0 calls · 5 answers reused · \d+ ms$/ })
      .waitFor();
  });

  it('uses a paid answer again by its age, knows its price, and asks again with `0s`, once', async () => {
    const age = page.getByLabel(ageLabel);
    expect(await age.locator('option').allInnerTexts()).toEqual(['off', '0 s', '1 d', '7 d', '30 d']);
    const button = (name: RegExp): Promise<void> => page.getByRole('button', { name }).waitFor();
    await openTab(page, 'PersonCredit');
    await delayCredit('3s');
    await age.selectOption('0s');
    await button(/Price: 1 unit at most/);
    const ages: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.headers()['x-answer-within'] !== undefined) ages.push(request.headers()['x-max-age']);
    });
    await run(page);
    await button(/^1 unit spent · 1 call /);
    expect(ages.length).toBeGreaterThan(1);
    expect(new Set(ages)).toEqual(new Set(['0s']));
    await age.selectOption('7d');
    await button(/Price: Free/);
    await run(page);
    // The minute after an early response is its follow-up, which saves nothing.
    await button(/^0 units spent · 0 calls · 1 answer reused/);
    await age.selectOption('');
  });

  it('shows what is still running, then the complete response, and counts its price once', async () => {
    await openTab(page, 'PersonCredit');
    await delayCredit('12s');
    await fill(page, 'Variables', JSON.stringify({ nss: slow?.nss }));
    const times = new Set<string>();
    page.on('request', (request) => times.add(request.headers()['x-answer-within'] ?? 'none'));
    const before = sandboxOf(explorer.padron)?.calls.length ?? 0;
    const early = await run(page);
    expect(early.data.person.credit).toMatchObject({ outcome: 'UNAVAILABLE', problems: [{ code: 'STILL_RUNNING' }] });
    await summary('1 uncertain');
    await page.getByRole('table', { name: 'Registry calls and reused answers' }).getByText('still running').waitFor();

    await summary('1 unit spent · 1 call ·');
    // The last request waits, so that the follow-up ends while everything is still replayed.
    expect([...times]).toEqual(expect.arrayContaining(['1s', '60s']));
    expect((await readAnswer(page)).data.person.credit).toMatchObject({ outcome: 'FOUND', problems: [] });
    await page.getByRole('table', { name: 'Registry calls and reused answers' }).getByText('FOUND').waitFor();
    expect((sandboxOf(explorer.padron)?.calls.length ?? 0) - before).toBe(1);
  });

  it('keeps what has arrived if the follow-up fails, and shows the error', async () => {
    // Far longer than the page takes on a busy machine.
    await delayCredit('12s');
    await fill(page, 'Operation', contradiction(claudia?.nss, natalia?.curp));
    await run(page);
    await page.route('**/graphql', (route) => route.abort());
    await waitUntil(page, `${responsePane}.includes('Is padron running?')`);
    await page.unroute('**/graphql');
    const { data, errors } = await readAnswer(page);
    expect(data.person.identity.outcome).toBe('FOUND');
    expect(data.person.credit.problems[0].code).toBe('STILL_RUNNING');
    expect(errors).toHaveLength(1);
    await summary('1 unit spent, 1 uncertain · 2 calls ·');
  });
});

inBrowser('the price of a run at this moment', () => {
  const explorer = explorerForTests({ REPLAY_SECONDS: '15' });

  it('is free after a run, also in another page, and the full price again when the replays end', async () => {
    const { page } = await explorer.open();
    const price = (of: Page, name: RegExp): Promise<void> => of.getByRole('button', { name }).waitFor();
    await price(page, /^≤6 units/);
    await run(page);
    await price(page, /^0 units\. Price: Free/);
    const { page: another } = await explorer.open();
    await price(another, /^0 units\. Price: Free/);
    await price(page, /^≤6 units/);
    await price(another, /^≤6 units/);
    await run(page);
    await page.getByRole('button', { name: /^6 units spent/ }).waitFor();
  });
});

inBrowser('files in the explorer', () => {
  const company = credentialOf('company');
  let folder: string;
  let explorer: ExplorerRun;
  let page: Page;
  let pageErrors: readonly string[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'padron-explorer-'));
    writeFileSync(join(folder, 'mine.cer'), company.certificate);
    writeFileSync(join(folder, 'mine.key'), company.privateKey);
    explorer = await runExplorer();
    ({ page, pageErrors } = await explorer.open());
  });
  afterAll(async () => {
    await explorer.stop();
    rmSync(folder, { recursive: true });
  });

  it('verifies a signature of the sandbox immediately', async () => {
    await openTab(page, 'SignatureCheck');
    await page.getByRole('button', { name: 'Price: 1 unit at most' }).waitFor();
    expect((await run(page)).data.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true });
  });

  it('reports which file is missing instead of sending some of them', async () => {
    await page.getByRole('button', { name: 'Show Files' }).click();
    await page.getByRole('button', { name: 'Remove privateKey' }).click();
    const { errors } = await run(page);
    expect(errors[0].message).toMatch(/^Not sent: no file is attached for input\.privateKey\.upload/);
  });

  it('sends the attached files, removes them after use, and leaves no trace of them', async () => {
    await page.getByRole('button', { name: 'Remove certificate' }).click();
    for (const [slot, name] of [
      ['certificate', 'mine.cer'],
      ['privateKey', 'mine.key'],
    ] as const) {
      await page.getByLabel(slot, { exact: true }).setInputFiles(join(folder, name));
    }
    const files = { certificate: { upload: null }, privateKey: { upload: null } };
    const { rfc, password } = company;
    await fill(page, 'Variables', JSON.stringify({ input: { rfc, password, ...files } }));
    const { data } = await run(page);
    expect(data.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true });
    await page.getByLabel('certificate', { exact: true }).and(page.locator('input')).waitFor();

    // GraphiQL stores half a second after the last change.
    await page.waitForTimeout(800);
    const stored = await readBrowserStorage(page);
    for (const secret of [password, rfc, 'mine', company.privateKey.toString('base64').slice(0, 24), 'sandbox-token'])
      expect(stored).not.toContain(secret);
    expect(pageErrors).toEqual([]);
  });

  it("shows a receipt's PDF in a separate tab, and saves its XML", async () => {
    await openTab(page, 'ReceiptFiles');
    await readPrice(page);
    expect((await run(page)).data.employer.receiptFiles.pdf.content).toMatch(/^JVBERi.*… 3,\d{3} bytes: view or save/);
    await page.getByRole('button', { name: '2 documents' }).click();

    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: /^View .*\.pdf$/ }).click();
    const shown = await opened;
    expect(shown.url()).toMatch(/^blob:/);
    await waitUntil(shown, `document.contentType === 'application/pdf'`);

    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: /^Save .*\.xml$/ }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/\.xml$/);
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/^<\?xml[\s\S]*<cfdi:Comprobante/);
    expect(pageErrors).toEqual([]);
  });
});

inBrowser('the price for a caller that lacks permissions', () => {
  const explorer = explorerForTests({ REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET, UNIT_PRICE: '2.50' });

  it('is not called free: the page says what it would cost with permission', async () => {
    const { page, pageErrors } = await explorer.open({ locale: 'es-MX' });
    const token = bearer({ client_id: 'finance', scope: 'padron_ledger' });
    await fill(page, 'Headers', JSON.stringify(token));
    const words = 'Usted no puede ejecutarla. Con permiso: 6 unidades';
    await page.getByRole('button', { name: `6 con permiso. Precio: ${words}` }).click();
    const before = await page.getByRole('region', { name: 'Antes de ejecutar' }).innerText();
    expect(before).toContain(words);
    expect(before).toContain('MISSING_PERMISSION');
    expect(before).not.toMatch(/Gratis|MISSING_IDENTIFIER|\$/);
    expect(pageErrors).toEqual([]);
  });
});
