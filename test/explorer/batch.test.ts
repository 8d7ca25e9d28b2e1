import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as ExcelJS from '@cj-tech-master/excelts';
import type { Page } from 'playwright-core';
import { getCard } from '../../src/sandbox/test-cards/cards';
import { isTokenCheck } from '../support/padrons/padron';
import { padronCommand } from '../support/processes/padron-command';
import { NSS } from '../support/requests/batches';
import { type ExplorerRun, explorerForTests, fill, inBrowser, openTab, runExplorer } from './explorer';

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

const showBatches = (page: Page): Promise<void> => page.getByRole('button', { name: 'Show Batch' }).click();

/** Drops a file as a person would: by the events that a browser sends then. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/csv' }));
    return transfer;
  })()`);
  await page.locator('.padron-drop').dispatchEvent('drop', { dataTransfer: transfer });
}

/** Returns the number of calls that the sandbox has received. */
const countCalls = ({ padron }: ExplorerRun): number =>
  (padron.sandbox?.calls ?? []).filter((call) => !isTokenCheck(call)).length;

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const until = (page: Page, state: string): Promise<void> => page.getByText(state, { exact: true }).waitFor();

async function untilCalls(explorer: ExplorerRun, page: Page, count: number): Promise<void> {
  for (let attempt = 0; countCalls(explorer) < count && attempt < 200; attempt += 1) await page.waitForTimeout(50);
  expect(countCalls(explorer)).toBe(count);
}

inBrowser("the explorer's panel of batches", () => {
  const explorer = explorerForTests();
  let page: Page;
  let pageErrors: readonly string[];
  beforeAll(async () => {
    ({ page, pageErrors } = await explorer.open());
    await openTab(page, 'PersonCredit');
    await showBatches(page);
  }, 90_000);

  const section = (name: string) => page.getByRole('region', { name, exact: true });

  it('shows the columns, the rejected rows and the price of a dropped file, and spends nothing', async () => {
    await page.getByText('usual Spanish heading: nss').waitFor();
    await drop(page, 'staff.csv', csv);
    await page.getByText('Ready to start').waitFor();
    await section('Price').getByText('4 units at most, for 6 rows').waitFor();
    await section('Price').getByText('1 row has an invalid value').waitFor();
    expect(await section('Dataset').getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/Column\s+Variable/),
      expect.stringMatching(/ref\s+label of the row/),
      expect.stringMatching(/NSS\s+\$nss/),
      expect.stringMatching(/employee\s+not used/),
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
      expect.stringMatching(/^2\s+spent.*\s+1\s+uncertain\s+1\s+saved$/),
    ]);
    await section('Failures by problem').getByText('WRONG_CHECK_DIGIT').waitFor();
    await section('Failures by problem').getByText('2 rows that failed would fail again with the same data').waitFor();
    const failures = await section('Failures by problem').getByRole('row').allInnerTexts();
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

  it('sends no requests to padron if no batch runs', async () => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.waitForTimeout(2_500);
    expect(requests).toEqual([]);
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
    await page.getByText('usual Spanish heading: nss').waitFor();
    await barred.waitFor({ state: 'detached' });
    await openTab(page, 'PersonProfile');
    await page.getByRole('button', { name: 'Use 64 people from the sandbox' }).click();
    await page.getByRole('alert').getByText('The service does not allow these endpoints in batches').waitFor();
    await page.getByText('Cannot be started').waitFor();
    expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'All batches' }).click();
    await section('Batches of this account').getByRole('listitem').nth(1).waitFor();
    expect(await section('Batches of this account').getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(
        /^people.csv · PersonProfile\nCannot be started · 64 rows · 1 with an invalid value\nThe service does not allow these endpoints in batches: POST \/api\/.+\n.*:\d\d:\d\d/,
      ),
      expect.stringMatching(
        /^people.csv · PersonCredit\nReady to start · 64 rows · 1 with an invalid value\n.*:\d\d:\d\d/,
      ),
    ]);
  });

  it('reports why a file was rejected, and leaves no batch', async () => {
    await drop(page, 'empty.csv', '\n');
    await page.getByText('The file was rejected: The file is empty').waitFor();
    expect(await section('Batches of this account').getByRole('button').allInnerTexts()).toEqual([
      'people.csv · PersonProfile',
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
    expect(await columns()).toEqual(['No. Empleado not used', 'Seguro $nss']);
    await page.getByRole('button', { name: 'All batches' }).click();
    // The first batch was erased when the second one had the rows.
    const listed = section('Batches of this account').getByRole('button', { name: 'plantilla.csv' });
    await listed.first().waitFor();
    expect(await listed.count()).toBe(1);
  });

  it('asks for a token if there is none', async () => {
    await fill(page, 'Headers', '{}');
    await page.getByText('The token is missing or invalid').waitFor();
  });
});

inBrowser('a batch in the explorer that is stopped on its way', () => {
  const explorer = explorerForTests({ BATCH_CONCURRENCY: '1' });
  let page: Page;
  beforeAll(async () => {
    ({ page } = await explorer.open());
    await openTab(page, 'PersonCredit');
    await showBatches(page);
    await page.locator('.padron-drop').waitFor();
  }, 90_000);

  it('stops at the limit, reports it, and continues with a higher one', async () => {
    await drop(page, 'three.csv', `nss\n${first}\n${second}\n${third}\n`);
    await page.getByLabel('Limit in units').fill('2');
    await press(page, 'Start');
    await until(page, 'Paused');
    await page.getByText(/^Paused: .*(ceiling|maxUnits|budget)/i).waitFor();
    expect(countCalls(explorer)).toBe(2);
    await page.getByRole('button', { name: 'Finished so far (2 of 3) as Excel' }).waitFor();
    await page.getByLabel('Limit in units').fill('3');
    await press(page, 'Resume');
    await until(page, 'Done');
    expect(countCalls(explorer)).toBe(3);
    await page.getByRole('button', { name: 'Download as Excel' }).waitFor();
    await press(page, '← All batches');
  });

  it('retries the failed rows that may succeed after one click', async () => {
    await drop(page, 'forbidden.csv', `nss\n${getCard('forbidden', 'nss').value}\n${mistyped}\n`);
    await press(page, 'Start');
    await until(page, 'Done');
    await page.getByText('1 failed row would fail again with the same data').waitFor();
    const before = countCalls(explorer);
    await press(page, 'Retry 1 failed row');
    await untilCalls(explorer, page, before + 1);
    await until(page, 'Done');
    await press(page, '← All batches');
  });

  it('is not polled while the panel is closed, and is shown again later', async () => {
    await drop(page, 'slow.csv', `nss\n${getCard('slow', 'nss').value}\n`);
    await press(page, 'Start');
    await until(page, 'Running');
    await press(page, 'Hide Batch');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.waitForTimeout(1_500);
    expect(requests).toEqual([]);
    await showBatches(page);
    await page.getByRole('heading', { name: 'slow.csv' }).waitFor();
    await page.getByText(/^(Done|Running)$/).waitFor();
    await until(page, 'Done');
    await press(page, '← All batches');
  });

  it('is paused by the user, and cancelled only after a second click', async () => {
    const slow = getCard('slow', 'nss').value;
    await drop(page, 'slow.jsonl', [slow, first, second].map((nss) => JSON.stringify({ nss })).join('\n'));
    await press(page, 'Start');
    await press(page, 'Pause');
    await until(page, 'Paused');
    await page.getByText('Paused by the caller.').waitFor();
    // The next button has the focus of the one that went.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Resume');
    await press(page, 'Cancel…');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('No');
    await press(page, 'Yes, cancel');
    await until(page, 'Canceled');
    expect(countCalls(explorer)).toBeLessThan(9);
  });
});

inBrowser('a file that is sent again', () => {
  const explorer = explorerForTests();
  const operation = join(__dirname, '../../schema/examples/person-credit.graphql');
  let page: Page;
  beforeAll(async () => {
    ({ page } = await explorer.open({ locale: 'es-MX' }));
    await openTab(page, 'PersonCredit');
    await page.getByRole('button', { name: 'Mostrar Lotes' }).click();
    await page.locator('.padron-drop').waitFor();
  }, 90_000);

  const notice = () => page.getByRole('alert').filter({ hasText: 'ya se ejecutó' });
  const command = (name: string, text: string, ...args: readonly string[]) => {
    const dataset = join(mkdtempSync(join(tmpdir(), 'padron-again-')), name);
    writeFileSync(dataset, text);
    return padronCommand(['batch', dataset, operation, '--url', explorer.padron.url, '--max-units', '9', ...args]);
  };

  it('is not bought twice, however often it is dropped, and shows its results', async () => {
    const text = `nss,nota\n${first},a\n${second},b\n,c\n,d\n`;
    await drop(page, 'nomina.csv', text);
    await until(page, 'Listo para iniciar');
    const [start, refused] = await Promise.all(
      [page.getByRole('button', { name: 'Iniciar', exact: true }), page.getByText('2 filas rechazadas')].map((place) =>
        place.boundingBox(),
      ),
    );
    expect(start?.y).toBeLessThan(refused?.y ?? 0);
    await page.getByText('Líneas 4, 5').waitFor();
    // A file that was sent but never started is opened, because nothing was bought.
    await press(page, '← Todos los lotes');
    await drop(page, 'nomina.csv', text);
    await until(page, 'Listo para iniciar');
    await press(page, 'Iniciar');
    await until(page, 'Terminado');
    expect(countCalls(explorer)).toBe(2);
    await press(page, '← Todos los lotes');

    await drop(page, 'nomina (1).csv', text);
    await notice().waitFor();
    expect((await notice().innerText()).replace(/\s+/g, ' ')).toMatch(
      /^nomina\.csv: este archivo ya se ejecutó con esta operación hoy a las \d.* \(terminado\): 2 de 2 filas listas\. Abrir los resultados Ejecutar de nuevo por 2 unidades$/,
    );
    await press(page, 'Abrir los resultados');
    await until(page, 'Terminado');
    await press(page, '← Todos los lotes');
    const listed = page.getByRole('region', { name: 'Lotes de esta cuenta' }).getByRole('listitem');
    await listed.first().waitFor();
    expect(await listed.count()).toBe(1);

    await drop(page, 'nomina.csv', text);
    await press(page, 'Ejecutar de nuevo por 2 unidades');
    await until(page, 'Listo para iniciar');
    expect(countCalls(explorer)).toBe(2);
    await press(page, '← Todos los lotes');
    await listed.nth(1).waitFor();
  });

  it('is asked about even if its results were erased, but not if it was erased before it was started', async () => {
    const text = `nss\n${NSS[4]}\n`;
    const before = countCalls(explorer);
    const erase = async (): Promise<void> => {
      await press(page, 'Borrar…');
      await press(page, 'Sí, borrar');
      await until(page, 'Borrado');
      await press(page, '← Todos los lotes');
    };
    await drop(page, 'baja.csv', text);
    await until(page, 'Listo para iniciar');
    await erase();
    await drop(page, 'baja.csv', text);
    await until(page, 'Listo para iniciar');
    await press(page, 'Iniciar');
    await until(page, 'Terminado');
    await erase();
    await drop(page, 'baja.csv', text);
    await notice().getByText('(borrado): 1 de 1 fila').waitFor();
    expect(await page.getByRole('button', { name: /^Abrir el/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Ejecutar de nuevo por 1 unidad' }).waitFor();
    expect(countCalls(explorer)).toBe(before + 1);
  });

  it('is the same batch for the command and for the panel, in this order', async () => {
    const text = `nss\n${third}\n`;
    const before = countCalls(explorer);
    expect(await command('plantilla.csv', text)).toMatchObject({ code: 0 });
    expect(countCalls(explorer)).toBe(before + 1);
    await drop(page, 'plantilla.csv', text);
    await notice().getByText('1 de 1 fila').waitFor();
    await press(page, 'Abrir los resultados');
    await until(page, 'Terminado');
    await press(page, '← Todos los lotes');
    expect(countCalls(explorer)).toBe(before + 1);
  });

  it('is the same batch for the panel and for the command, also with chosen columns', async () => {
    const text = `Clave,Empleado,Trabajador\nA-1,7,${NSS[3]}\n`;
    const before = countCalls(explorer);
    await drop(page, 'elegida.csv', text);
    await page.getByText('De los valores de `Trabajador`, 1 de 1 son válidos para `nss`. Elija abajo').waitFor();
    await page.getByText('1 de 1 valores son válidos').waitFor();
    await page.getByLabel('Empleado').selectOption('ref');
    await press(page, 'Leer el archivo con estas columnas');
    await until(page, 'Listo para iniciar');
    await press(page, 'Iniciar');
    await until(page, 'Terminado');
    expect(countCalls(explorer)).toBe(before + 1);
    const run = await command('elegida.csv', text, '--map', 'Trabajador=nss', '--ref', 'Empleado');
    expect(run).toMatchObject({ code: 0, text: expect.stringContaining('1 of 1 row done') });
    expect(countCalls(explorer)).toBe(before + 1);
  });
});

inBrowser('a workbook in the explorer', () => {
  const explorer = explorerForTests();

  it('is read from the sheet with the columns, or from another one that the user selects', async () => {
    const { page } = await explorer.open();
    await openTab(page, 'PersonCredit');
    await showBatches(page);
    const book = new ExcelJS.Workbook();
    book.addWorksheet('Instrucciones').addRow(['Llene la hoja Altas']);
    book.addWorksheet('Altas').addRows([['NSS'], [first]]);
    book.addWorksheet('Bajas').addRows([['NSS'], [second], [third]]);
    const file = { name: 'personal.xlsx', mimeType: 'application/octet-stream' };
    const input = page.getByLabel('Choose an Excel (.xlsx), CSV or JSON Lines file');
    await input.setInputFiles({ ...file, buffer: Buffer.from(await book.xlsx.writeBuffer()) });
    const dataset = page.getByRole('region', { name: 'Dataset', exact: true });
    await dataset.getByText('Sheet: Altas').waitFor();
    await page.getByText('1 unit at most, for 1 row').waitFor();
    await page.getByRole('button', { name: 'Choose other columns' }).click();
    await page.getByLabel('Sheet').waitFor();
    expect(await page.getByLabel('Sheet').locator('option').allInnerTexts()).toEqual([
      'Instrucciones',
      'Altas',
      'Bajas',
    ]);
    await page.getByLabel('Sheet').selectOption('Bajas');
    await dataset.getByText('Sheet: Bajas').waitFor();
    await page.getByText('2 units at most, for 2 rows').waitFor();
    await page.getByRole('button', { name: 'Choose other columns' }).click();
    await page.getByLabel('Sheet').selectOption('Instrucciones');
    await page.getByText('No column has the name of the variable `nss`. Select below').waitFor();
    expect(await page.getByLabel('Sheet').inputValue()).toBe('Instrucciones');
    expect(countCalls(explorer)).toBe(0);
  });
});

inBrowser('the explorer where no batches are kept', () => {
  it('reports it', async () => {
    const explorer = await runExplorer({ REGISTRY_URL: 'http://127.0.0.1:9', REGISTRY_TOKEN: 'a-secret' });
    const { page } = await explorer.open();
    await showBatches(page);
    await page.getByText('Batches are off. The operator can turn them on with DATA_DIR or DATABASE_URL.').waitFor();
    await explorer.stop();
  }, 90_000);
});
