import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { credentialOf } from '../../support/keys/signatures';
import {
  type ExplorerRun,
  fill,
  inBrowser,
  openTab,
  readBrowserStorage,
  readPrice,
  run,
  runExplorer,
  waitUntil,
} from './explorer';

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
  }, 90_000);
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
