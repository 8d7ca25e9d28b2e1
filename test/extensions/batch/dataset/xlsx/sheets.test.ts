import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as ExcelJS from '@cj-tech-master/excelts';
import { ledgerPadronForTests } from '../../../../support/padrons/padron-for-tests';
import { padronCommand } from '../../../../support/processes/padron-command';
import { BatchClient, CREDIT, NSS } from '../../../../support/requests/batches';
import { engineRig } from '../../../../support/stores/engines';

const [first = '', second = ''] = NSS;

type Sheet = readonly [name: string, rows: readonly (readonly string[])[], state?: ExcelJS.WorksheetState];

async function bookOf(...sheets: readonly Sheet[]): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  for (const [name, rows, state = 'visible'] of sheets)
    book.addWorksheet(name, { state }).addRows(rows.map((row) => [...row]));
  return Buffer.from(await book.xlsx.writeBuffer());
}

const instructions: Sheet = ['Instrucciones', [['Fecha de corte', '2026-11-15'], ['Llene la hoja Plantilla']]];
const staff: Sheet = ['Plantilla', [['Personal'], ['nss', 'Nombre'], [first, 'Peña']]];
const former: Sheet = ['Bajas', [['nss'], [second], [first]]];

describe('the sheets of a workbook', () => {
  const padron = ledgerPadronForTests(engineRig());
  const client = new BatchClient(padron);

  async function send(book: Buffer | string, input: object = {}, language = 'en') {
    const by = new BatchClient(padron, undefined, { 'accept-language': language });
    const { batch, problems } = await by.create({ operation: CREDIT, ...input });
    if (problems.length > 0) return { problems };
    const { status, body } = await by.upload(batch.uploadUrl, book, 'application/octet-stream');
    return { id: batch.id, status, ...body, message: body.errors?.[0].message };
  }

  const sheetOf = async (id: string) => {
    const { registryBatch } = await client.ask('query($id: ID!) { registryBatch(id: $id) { sheet sheets } }', { id });
    return registryBatch;
  };

  it('are searched in their order for the first visible one that has the required columns', async () => {
    const hidden: Sheet = ['Listas', [['nss'], [second]], 'hidden'];
    const sent = await send(await bookOf(hidden, ['Vacía', []], instructions, staff, former));
    const sheets = ['Vacía', 'Instrucciones', 'Plantilla', 'Bajas'];
    expect(sent).toMatchObject({ status: 200, rows: 1, headerLine: 2, sheet: 'Plantilla', sheets });
    expect(await sheetOf(sent.id)).toEqual({ sheet: 'Plantilla', sheets });
  });

  it('can be chosen by name, and chosen again with the same key until the batch has rows', async () => {
    const book = await bookOf(instructions, staff, former);
    const chosen = await send(book, { key: 'bajas', sheet: 'Instrucciones' });
    expect(chosen.message).toMatch(/No column has the name of the variable `nss`.* The sheet is `Instrucciones`\./);
    const sent = await send(book, { key: 'bajas', sheet: ' BAJAS ' });
    expect(sent).toMatchObject({ id: chosen.id, status: 200, rows: 2, sheet: 'Bajas' });
    const rereading = await send(book, { key: 'bajas', sheet: 'Plantilla' });
    expect(rereading.problems).toMatchObject([{ message: expect.stringContaining('another sheet') }]);
  });

  it('are listed if the chosen one does not exist or is not visible', async () => {
    const book = await bookOf(staff, former, ['Oculta', [['nss'], [first]], 'veryHidden']);
    expect(await send(book, { sheet: 'Oculta' })).toMatchObject({
      status: 400,
      message: 'The workbook has no visible sheet `Oculta`. Choose one of its sheets: `Plantilla`, `Bajas`.',
      errors: [{ extensions: { sheets: ['Plantilla', 'Bajas'] } }],
    });
    expect((await send(book, { sheet: 'Altas' }, 'es')).message).toBe(
      'El libro no tiene ninguna hoja visible `Altas`. Elija una de sus hojas: `Plantilla`, `Bajas`.',
    );
    expect((await send(`nss\n${first}\n`, { sheet: 'Altas' })).message).toBe(
      'The file is not a workbook, so it has no sheet `Altas`. Do not choose a sheet for it.',
    );
    expect((await send(book, { sheet: ' ' })).problems).toMatchObject([{ path: ['input', 'sheet'] }]);
  });

  it('are named in the reason if no sheet has the columns: the one with the most columns, and the others', async () => {
    const book = await bookOf(instructions, [
      'Datos',
      [
        ['No.', 'Seguro', 'Nombre'],
        ['1', first, 'Peña'],
      ],
    ]);
    const sent = await send(book);
    expect(sent).toMatchObject({
      status: 400,
      errors: [
        {
          extensions: {
            columns: ['No.', 'Seguro', 'Nombre'],
            variables: ['nss'],
            sheet: 'Datos',
            sheets: ['Instrucciones', 'Datos'],
          },
        },
      ],
    });
    expect(sent.message).toMatch(
      / The sheet is `Datos`. To use another one \(`Instrucciones`\), choose it \(`sheet`, or `--sheet` on the command line\)\.$/,
    );
    expect((await send(book, {}, 'es')).message).toMatch(
      / La hoja es `Datos`. Para usar otra \(`Instrucciones`\), elíjala \(`sheet`, o `--sheet` en la línea de comandos\)\.$/,
    );
    const empty = await send(await bookOf(['Formato', [['nss']]], staff));
    expect(empty.message).toMatch(
      /^The dataset has no rows. The sheet is `Formato`. To use another one \(`Plantilla`\)/,
    );
  });

  it('are printed by the command, which chooses one with --sheet', async () => {
    const dataset = join(mkdtempSync(join(tmpdir(), 'padron-sheets-')), 'personal.xlsx');
    writeFileSync(dataset, await bookOf(instructions, staff, former));
    const operation = join(__dirname, '../../../../../schema/examples/person-credit.graphql');
    const price = (...options: readonly string[]) =>
      padronCommand(['batch', dataset, operation, '--url', padron.url, ...options]);
    const first = await price();
    expect(first.text).toContain('sheet: Plantilla (not read: Instrucciones, Bajas; choose one with --sheet)\n');
    expect(first.text).toContain('price: 1 unit for 1 row');
    const chosen = await price('--sheet', 'Bajas', '--language', 'es');
    expect(chosen.text).toContain('hoja: Bajas (no se leen: Instrucciones, Plantilla; elija una con --sheet)\n');
    expect(chosen.text).toContain('precio: 2 unidades por 2 filas');
  });

  it('are not part of a text', async () => {
    const sent = await send(`nss\n${first}\n`);
    expect(sent).toMatchObject({ status: 200, sheet: null, sheets: [] });
    expect(await sheetOf(sent.id)).toEqual({ sheet: null, sheets: [] });
  });
});
