import type { Page } from 'playwright-core';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { getCard } from '../../../src/extensions/sandbox/test-cards/cards';
import { signedBySecret } from '../../support/keys/identity-provider';
import { post } from '../../support/padrons/padron';
import { NSS } from '../../support/requests/batches';
import { countCalls, drop, press, showBatches, until, untilCalls } from './batch/batch-panel';
import { explorerForTests, fill, inBrowser, openTab, run } from './explorer';

const [first = '', second = '', third = ''] = NSS;
const mistyped = third.slice(0, 10) + ((Number(third[10]) + 1) % 10);
const [refused, unknown] = [getCard('bad-request', 'nss').value, getCard('server-error', 'nss').value];
const csv = [
  'ref,NSS,employee',
  `E-1,${first},=1+1`,
  `E-2,${second},Uriel`,
  `E-3,${first},Twice`,
  `E-4,${refused},Card`,
  `E-5,${unknown},Card`,
  `E-6,${mistyped},Mistyped`,
  'E-7,,Empty',
].join('\n');

inBrowser("the explorer's panel of batches", () => {
  const explorer = explorerForTests();
  let page: Page;
  let pageErrors: readonly string[];
  beforeAll(async () => {
    ({ page, pageErrors } = await explorer.open());
    await openTab(page, 'PersonCredit');
    await showBatches(page);
  });

  const section = (name: string) => page.getByRole('region', { name, exact: true });

  it('shows the columns, the rejected rows and the price of a dropped file, and spends nothing', async () => {
    await page.getByText('usual Spanish heading: nss, curp').waitFor();
    await drop(page, 'staff.csv', csv);
    await page.getByText('Ready to start').waitFor();
    await section('Price').getByText('4 units at most, for 6 rows').waitFor();
    await section('Price').getByText('1 row has an invalid value').waitFor();
    expect(await section('Dataset').getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/Column\s+Variable/),
      expect.stringMatching(/ref\s+label of the row/),
      expect.stringMatching(/NSS\s+\$nss/),
      expect.stringMatching(/employee\s+name \(compared\)$/),
    ]);
    expect(await section('Dataset').getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^1 row: The cell in the column `NSS` \(`nss`\) is empty\.\s+Line 8$/),
    ]);
    expect(countCalls(explorer)).toBe(0);
  });

  it('runs by keyboard within the proposed limit, and reports sums and failures', async () => {
    const ceiling = page.getByLabel('Limit in units');
    expect(await ceiling.inputValue()).toBe('4');
    await ceiling.press('Enter');
    await page.getByRole('button', { name: 'Start', exact: true }).press('Enter');
    await until(page, 'Done');
    expect(await page.getByRole('progressbar', { name: 'Progress' }).getAttribute('aria-valuetext')).toBe(
      '6 of 6 rows',
    );
    expect(await section('Progress').locator('dl').allInnerTexts()).toEqual([
      expect.stringMatching(/^3\s+done\s+2\s+failed\s+1\s+unknown\s+0\s+waiting$/),
      expect.stringMatching(/^2\s+units spent\s+1\s+uncertain\s+1\s+saved$/),
    ]);
    await section('Rows by problem').getByText('WRONG_CHECK_DIGIT').waitFor();
    await section('Rows by problem').getByText('2 rows that failed would fail again with the same data').waitFor();
    const failures = await section('Rows by problem').getByRole('row').allInnerTexts();
    expect(failures.slice(1).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^REJECTED_BY_REGISTRY .*E-4 1$/),
      expect.stringMatching(/^WRONG_CHECK_DIGIT .*E-6 1$/),
      expect.stringMatching(/^REGISTRY_ERROR .*E-5 1$/),
    ]);
    expect(countCalls(explorer)).toBe(4);
  });

  it.each([
    ['CSV', 'staff.results.csv'],
    ['Excel', 'staff.results.xlsx'],
    ['JSON Lines', 'staff.results.jsonl'],
  ])('offers the results as %s', async (format, name) => {
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, `Download as ${format}`)]);
    expect(file.suggestedFilename()).toBe(name);
  });

  it('offers no retry of rows whose data was rejected, and retries unknown rows only after a second click', async () => {
    expect(await page.getByRole('button', { name: /^Retry \d+ failed/ }).count()).toBe(0);
    const again = 'Retry 1 unknown row';
    await page.getByRole('button', { name: `${again}…` }).click();
    await page.getByText('Up to 1 unit may be charged a second time.').waitFor();
    expect(countCalls(explorer)).toBe(4);
    await press(page, 'Yes, retry 1 unknown row');
    await untilCalls(explorer, page, 5);
    await until(page, 'Done');
  });

  it('reopens a batch from the list, even after the panel was closed, and erases it', async () => {
    await page.getByRole('button', { name: 'Show Money' }).click();
    await showBatches(page);
    await page.getByRole('heading', { name: 'staff.csv' }).waitFor();
    await page.getByRole('button', { name: 'All batches' }).click();
    const list = section('Batches of this account');
    await list.getByText('Done · 6 rows · 2 failed · 1 unknown').waitFor();
    await list.getByRole('button', { name: 'staff.csv' }).press('Enter');
    await page.getByRole('button', { name: 'Erase…' }).press('Enter');
    await page.getByRole('button', { name: 'Yes, erase' }).click();
    await page.getByText('Erased', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'All batches' }).click();
    await list.getByText('None yet.').waitFor();
  });

  it('loads the people of the sandbox with one click, and reports endpoints that allow no batch', async () => {
    await page.getByRole('button', { name: 'Use 64 people from the sandbox' }).click();
    await section('Price')
      .getByText(/^6\d units at most, for 64 rows$/)
      .waitFor();
    await page.getByRole('button', { name: 'All batches' }).click();
    const barred = page.locator('.padron-panel').getByRole('alert');
    expect(await barred.count()).toBe(0);
    await openTab(page, 'PersonProfile');
    await barred.getByText('does not allow these fields in batches: housingAccount').waitFor();
    await barred.getByRole('button', { name: 'PersonCredit' }).click();
    await page.getByText('usual Spanish heading: nss, curp').waitFor();
    await barred.waitFor({ state: 'detached' });
    await openTab(page, 'PersonProfile');
    await barred.waitFor();
    // Nothing is sent that padron would store.
    expect(await page.getByRole('button', { name: 'Use 64 people from the sandbox' }).isDisabled()).toBe(true);
    expect(await page.locator('.padron-drop input').isDisabled()).toBe(true);
    await drop(page, 'profile.csv', csv);
    expect(await section('Batches of this account').getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(
        /^people.csv · PersonCredit\nReady to start · 64 rows · 1 with an invalid value\n.*:\d\d:\d\d/,
      ),
    ]);
  });

  it('reports why a file was rejected, and leaves no batch', async () => {
    await openTab(page, 'PersonCredit');
    await drop(page, 'empty.csv', '\n');
    await page.getByText('The file was rejected: The file is empty').waitFor();
    expect(await section('Batches of this account').getByRole('button').allInnerTexts()).toEqual([
      'people.csv · PersonCredit',
    ]);
    // The browser itself reports what was refused.
    expect(pageErrors.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('offers the columns of a file that fits no variable, and reads it with those that the user chooses', async () => {
    await openTab(page, 'PersonCredit');
    await drop(page, 'plantilla.csv', `Plantilla 2026;\nNo. Empleado;Seguro\n007;${first}\n`);
    const message =
      'No column has the name of the variable `nss`. Of the values of `Seguro`, 1 of 1 are valid for `nss`. Select below which variable each column fills, and read the file again.';
    await page.getByText(message).waitFor();
    await page.getByText('1 of 1 values are valid').waitFor();
    expect(await page.getByLabel('Seguro').inputValue()).toBe('nss');
    await page.getByLabel('No. Empleado').selectOption('ref');
    await page.getByRole('button', { name: 'Read the file with these columns' }).click();
    await page.getByText('Ready to start', { exact: true }).waitFor();
    await page.getByText('The header is line 2. The lines above it were skipped.').waitFor();
    const columns = async () =>
      (await section('Dataset').getByRole('row').allInnerTexts()).slice(1).map((text) => text.replace(/\s+/g, ' '));
    expect(await columns()).toEqual(['No. Empleado label of the row', 'Seguro $nss']);
    await page.getByRole('button', { name: 'Choose other columns' }).click();
    expect(await page.getByLabel('Seguro').inputValue()).toBe('nss');
    await page.getByLabel('No. Empleado').selectOption('');
    await page.getByRole('button', { name: 'Read the file with these columns' }).click();
    await page.getByText('Ready to start', { exact: true }).waitFor();
    expect(await columns()).toEqual(['No. Empleado not used, not compared', 'Seguro $nss']);
    await page.getByRole('button', { name: 'All batches' }).click();
    // The first batch was erased when the second one had the rows.
    const listed = section('Batches of this account').getByRole('button', { name: 'plantilla.csv' });
    await listed.first().waitFor();
    expect(await listed.count()).toBe(1);
  });

  it('names doubtful and failed rows by their line in the file, in the panel and in the list', async () => {
    await openTab(page, 'PersonCredit');
    const [, uriel, claudia] = people;
    const swapped = [
      [uriel?.nss, claudia?.curp],
      [claudia?.nss, uriel?.curp],
      [mistyped, ''],
    ];
    await drop(page, 'swapped.csv', `Plantilla\n\nNSS,CURP\n${swapped.map((cells) => cells.join(',')).join('\n')}\n`);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await until(page, 'Done');
    await section('Progress').getByText('2 rows done may be about other people: their answers contradict').waitFor();
    await section('Rows by problem').getByText('WRONG_CHECK_DIGIT').waitFor();
    const problems = await section('Rows by problem').getByRole('row').allInnerTexts();
    expect(problems.slice(1).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^IDENTITY_CONFLICT .*line 4, line 5 2$/),
      expect.stringMatching(/^WRONG_CHECK_DIGIT .*line 6 1$/),
    ]);
    await page.getByRole('button', { name: 'All batches' }).click();
    await section('Batches of this account')
      .getByText('Done · 3 rows · 1 failed · 2 rows done may be about other people')
      .waitFor();
  });

  it('asks whether a corrected file uses the answers of the earlier one, or pays again', async () => {
    const calls = countCalls(explorer);
    const [, uriel] = people;
    await drop(page, 'corrected.csv', `NSS,CURP\n${uriel?.nss},${uriel?.curp}\n${first},\n`);
    await section('Price')
      .getByText(/^1 question was answered in earlier batches \(swapped\.csv\), the latest today at /)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Start', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Start and pay again: 2 units' }).waitFor();
    await page.getByRole('button', { name: 'Start with these answers: 1 unit' }).click();
    await until(page, 'Done');
    await untilCalls(explorer, page, calls + 1);
  });

  it('asks for a token if there is none', async () => {
    await fill(page, 'Headers', '{}');
    await page.getByText('The token is missing or invalid').waitFor();
  });
});

inBrowser('the explorer without a store', () => {
  const explorer = explorerForTests({ REGISTRY_URL: 'http://127.0.0.1:9', REGISTRY_TOKEN: 'a-secret' });

  it('reports that no batches and no ledger are kept', async () => {
    const { page } = await explorer.open();
    await showBatches(page);
    await page.getByText('Batches are off. The operator can turn them on with DATA_DIR or DATABASE_URL.').waitFor();
    await page.locator('.padron-price').click();
    await page.getByRole('region', { name: 'Ledger' }).getByText('The ledger is off').waitFor();
  });
});

inBrowser('the explorer of a service with purposes and budgets', () => {
  const secret = 'a-secret-shared-with-the-identity-provider';
  const jwt = { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: secret };
  const explorer = explorerForTests({ ...jwt, PURPOSES: 'contratacion,auditoria', PURPOSE: 'required' });
  const scope = 'padron_batch padron_budgets padron_ledger use_buscar_credito';
  const headers = { authorization: `Bearer ${signedBySecret(secret, { scope, azp: 'hr' })}` };

  it('asks for the purpose of a batch before its file, and says in Spanish that an operation lacks one', async () => {
    const { page } = await explorer.open({ locale: 'es-MX' });
    await openTab(page, 'PersonCredit');
    await fill(page, 'Headers', JSON.stringify(headers));
    const answer = await run(page);
    expect(answer.errors[0].message).toBe(
      'La operación cuesta unidades y no indica su finalidad en el encabezado `x-purpose`. No se consultó. Use una de estas finalidades: contratacion, auditoria.',
    );
    await page.getByRole('button', { name: 'Show Lotes' }).click();
    await page.getByText('Elija la finalidad antes del archivo.').waitFor();
    expect(await page.locator('.padron-drop input').isDisabled()).toBe(true);
    await page.getByLabel('Finalidad').selectOption('auditoria');
    await drop(page, 'staff.csv', `nss\n${first}\n${second}\n`);
    await page.getByText('Listo para iniciar').waitFor();
    expect(countCalls(explorer)).toBe(0);
  });

  it('says which budget paused a batch, and when it can be resumed', async () => {
    const { page } = await explorer.open({ locale: 'es-MX', timezoneId: 'America/Mexico_City' });
    const budget = 'mutation { setRegistryBudget(input: { client: "hr", period: DAY, units: 1 }) { id } }';
    await post(explorer.padron.url, { query: budget }, headers);
    await openTab(page, 'PersonCredit');
    await fill(page, 'Headers', JSON.stringify({ ...headers, 'x-purpose': 'contratacion' }));
    await page.getByRole('button', { name: 'Show Lotes' }).click();
    expect(await page.getByLabel('Finalidad').inputValue()).toBe('contratacion');
    await drop(page, 'two.csv', `nss\n${second}\n${third}\n`);
    await page.getByRole('button', { name: 'Iniciar' }).click();
    const status = page.getByText(/^En pausa: /);
    expect(await status.innerText()).toMatch(
      /^En pausa: No se consultó: del presupuesto de 1 unidad por día del cliente hr quedan 0, .* Puede continuarlo el \d+ \w+\.? \d{4} a las \S+/,
    );
  });
});
