import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { chromium } from 'playwright-core';
import { inBrowser } from '../extensions/explorer/explorer';
import { post } from '../support/padrons/padron';
import { freePort } from '../support/processes/free-port';
import { InstalledExample } from './example-folder';

/** npm unpacks padron with its packages. */
const patience = 400_000;
const tsc = join(__dirname, '../../node_modules/typescript/bin/tsc');

inBrowser('examples/endpoint, followed by its README', () => {
  let example: InstalledExample;
  let url: string;
  let environment: Readonly<Record<string, string>>;
  beforeAll(async () => {
    example = new InstalledExample('endpoint');
    await example.install(example.step('npm install').command, ['.']);
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}/graphql`;
    environment = { PORT: port, PADRON_URL: url };
    await example.start(example.step('npx padron start').command, environment, 'token: ');
  }, patience);
  afterAll(() => example?.stop());

  const run = (command: string): Promise<string> =>
    example.run(example.step(command).command.replaceAll('http://127.0.0.1:4000/graphql', url), environment);

  it('has files of at most 50 lines, which fit the types of padron/extension', () => {
    const files = ['postal-codes.mjs', 'contribution-weeks.mjs'];
    for (const file of files)
      expect(readFileSync(join(example.path, file), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(50);
    const check = (...checked: readonly string[]): string => {
      const options = ['--noEmit', '--strict', '--checkJs', '--allowJs', '--module', 'nodenext', '--skipLibCheck'];
      try {
        return execFileSync(process.execPath, [tsc, ...options, ...checked], { cwd: example.path, encoding: 'utf8' });
      } catch (error) {
        return (error as { readonly stdout: string }).stdout;
      }
    };
    expect(check(...files)).toBe('');
    const wrong = readFileSync(join(example.path, 'postal-codes.mjs'), 'utf8').replace('units: 1,', "units: 'one',");
    writeFileSync(join(example.path, 'wrong.mjs'), wrong);
    expect(check('wrong.mjs')).toContain("Type 'string' is not assignable to type 'number'");
  });

  it('answers, prices and batches as the README shows', async () => {
    expect(JSON.parse(await run('curl')).data.postalCode).toEqual({
      outcome: 'FOUND',
      records: [{ name: 'Roma Norte', municipality: 'Cuauhtémoc' }],
      evidence: { units: 1 },
    });
    expect(await run('padron price')).toMatch(/Weeks\s+3/);
    await run('padron batch').catch((error: { readonly code: number }) => expect(error.code).toBe(1));
    const rows: Record<string, string>[] = parse(readFileSync(join(example.path, 'people.resultados.csv'), 'utf8'), {
      bom: true,
      columns: true,
    });
    expect(rows.map((row) => row['Semanas cotizadas: semanas reconocidas'])).toEqual(['1043', '1043', '']);
    expect(rows.map((row) => row['Semanas cotizadas: último pago'])).toEqual(['2026-10-31', '2026-10-31', '']);
    const { data } = await post(url, { query: '{ registrySpend(by: [ENDPOINT]) { endpoint calls units } }' });
    expect(data.registrySpend).toEqual(
      expect.arrayContaining([
        { endpoint: 'POST /api/imss/grupo/semanas-cotizadas', calls: 2, units: 6 },
        { endpoint: 'POST /api/sepomex/grupo/buscar-codigo', calls: 1, units: 1 },
      ]),
    );
  });

  it('shows both fields and their price in the explorer', async () => {
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.setDefaultTimeout(60_000);
      const query =
        '{ postalCode(code: "06700") { records { name } } person(nss: "04159600263") { contributionWeeks { outcome } } }';
      await page.goto(`${url}?query=${encodeURIComponent(query)}`);
      await page.getByText('4 units').first().waitFor();
      if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
    } finally {
      await browser.close();
    }
  });

  it('refuses to start with a broken file, and says all that is wrong', async () => {
    writeFileSync(join(example.path, 'broken.mjs'), "export const a = { name: 'findCredit', units: -1 };\n");
    const failure = await example
      .run('npx padron check', { EXTENSIONS: './broken.mjs,./missing.mjs' })
      .catch((error: { readonly code: number; readonly stdout: string }) => error);
    expect(failure).toMatchObject({ code: 2 });
    const { stdout } = failure as { readonly stdout: string };
    expect(stdout).toContain('./broken.mjs (findCredit): units must be a whole number of units from 0 to 1,000,000.');
    expect(stdout).toContain('./broken.mjs (findCredit): description is missing.');
    expect(stdout).toContain('./missing.mjs: it cannot be loaded: Cannot find module');
  });
});
