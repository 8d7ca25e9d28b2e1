import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as ExcelJS from '@cj-tech-master/excelts';
import type { Page } from 'playwright-core';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { getCard } from '../../../../src/extensions/sandbox/test-cards/cards';
import { padronCommand } from '../../../support/processes/padron-command';
import { NSS } from '../../../support/requests/batches';
import { explorerForTests, inBrowser, openTab } from '../explorer';
import { countCalls, drop, press, showBatches, until, untilCalls } from './batch-panel';

const [first = '', second = '', third = ''] = NSS;
const mistyped = third.slice(0, 10) + ((Number(third[10]) + 1) % 10);

inBrowser('a batch in the explorer that is stopped on its way', () => {
  const explorer = explorerForTests({ BATCH_CONCURRENCY: '1' });
  let page: Page;
  beforeAll(async () => {
    ({ page } = await explorer.open());
    await openTab(page, 'PersonCredit');
    await showBatches(page);
    await page.locator('.padron-drop').waitFor();
  });

  it('stops at the limit, reports it, and continues with a higher one', async () => {
    await drop(page, 'three.csv', `nss\n${first}\n${second}\n${third}\n`);
    await page.getByLabel('Limit in units').fill('2');
    await press(page, 'Start');
    await until(page, 'Paused');
    await page.getByText(/^Paused: .*(ceiling|maxUnits|budget)/i).waitFor();
    expect(countCalls(explorer)).toBe(2);
    await page.getByRole('button', { name: 'Finished so far (2 of 3) as Excel' }).waitFor();
    // The price of the batch, so that it does not stop again.
    expect(await page.getByLabel('Limit in units').inputValue()).toBe('3');
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
    // The batches before have answered the same questions.
    await press(page, 'Start and pay again: 3 units');
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
  const operation = join(__dirname, '../../../../schema/examples/person-credit.graphql');
  let page: Page;
  beforeAll(async () => {
    ({ page } = await explorer.open({ locale: 'es-MX' }));
    await openTab(page, 'PersonCredit');
    await page.getByRole('button', { name: 'Show Lotes' }).click();
    await page.locator('.padron-drop').waitFor();
  });

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
      /^nomina\.csv: este archivo ya se ejecutó con esta operación hoy a las \d.* \(terminado\): 2 de 2 filas hechas\. Abrir los resultados Ejecutar de nuevo por 2 unidades$/,
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
    const run = await command('elegida.csv', text, '--column', 'Trabajador=nss', '--ref', 'Empleado');
    expect(run).toMatchObject({ code: 0, text: expect.stringContaining('1 of 1 row done') });
    expect(countCalls(explorer)).toBe(before + 1);
  });

  it('asks what an unmapped column is for, and takes that it is not used, in the panel and in the command', async () => {
    const text = `NSS,La CURP de la ficha\n${NSS[4]},${people[5]?.curp}\n`;
    const before = countCalls(explorer);
    expect(await command('ficha.csv', text)).toMatchObject({
      code: 4,
      text: expect.stringContaining('`--unused "La CURP de la ficha"`'),
    });
    await press(page, '← Todos los lotes');
    await drop(page, 'ficha.csv', text);
    await page.getByText('Ninguna columna llena `curp`, y parece que `La CURP de la ficha` la tiene').waitFor();
    const choice = page.getByLabel('La CURP de la ficha');
    expect(await choice.inputValue()).toBe('curp');
    await choice.selectOption('');
    await press(page, 'Leer el archivo con estas columnas');
    await until(page, 'Listo para iniciar');
    await press(page, 'Iniciar');
    await until(page, 'Terminado');
    expect(countCalls(explorer)).toBe(before + 1);
    const run = await command('ficha.csv', text, '--unused', 'La CURP de la ficha');
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
