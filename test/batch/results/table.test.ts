import { parse } from 'csv-parse/sync';
import { people } from '../../../src/sandbox/data/people';
import { readWorkbook } from '../../support/documents/read-workbook';
import { ledgerPadronForTests } from '../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';

const first = NSS.find((nss) => nss.startsWith('0')) ?? '';
const person = people.find(({ nss }) => nss === first);
const LICENCES = `query($nss: NSS!) { person(nss: $nss) { credit { outcome record { openedOn monthsWithoutContribution hasCredit } }
  housingAccount { outcome record { totalBalance } } licences { records { number title } } } }`;

describe('the table of a batch', () => {
  const padron = ledgerPadronForTests(engineRig('embedded'), { BATCH_ENDPOINTS: 'any' });
  const english = new BatchClient(padron);
  const spanish = new BatchClient(padron, undefined, { 'accept-language': 'es-MX' });

  async function resultsOf(client: BatchClient, operation: string, file: string) {
    const { batch } = await client.create({ operation });
    const { status, body } = await client.upload(batch.uploadUrl, file);
    expect([status, body]).toEqual([200, expect.anything()]);
    await client.until(batch.id, 'READY');
    await client.change(`startRegistryBatch(id: "${batch.id}", maxUnits: 100)`);
    const { csvUrl, jsonlUrl, xlsxUrl } = await client.until(batch.id, 'DONE');
    const csv: string[][] = parse((await client.download(csvUrl)).text, { bom: true });
    const lines = (await client.download(jsonlUrl)).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { csv, lines, sheet: await readWorkbook(await client.downloadBytes(xlsxUrl)) };
  }

  it('begins with the columns of the file, unchanged and in its order, and contains the refused rows with their reason', async () => {
    const file = `No. Empleado;NSS;Estado;Nombre;NOMBRE;\n007;${first};Sonora;"Peña ""Nacho""";=1+1;x\n 008 ;;Jalisco;Íñigo;;\n009;${first.replace(/.$/, (digit) => `${(Number(digit) + 1) % 10}`)};;;;\n`;
    const { csv, lines, sheet } = await resultsOf(spanish, CREDIT, file);
    const [headers = [], ...rows] = csv;
    expect(headers.slice(0, 13)).toEqual([
      ...['No. Empleado', 'NSS', 'Estado', 'Nombre', 'NOMBRE', ''],
      ...[
        'Estado (2)',
        'Problema',
        'Códigos de problema',
        'Observaciones',
        'Línea',
        'Unidades',
        'Unidades por aclarar',
      ],
    ]);
    expect(headers.slice(13)).toContain('Crédito: código de validación');
    expect(rows[0]?.slice(0, 13)).toEqual([
      ...['007', first, 'Sonora', 'Peña "Nacho"', "'=1+1", 'x'],
      ...['Hecha', '', '', '', '2', '1', '0'],
    ]);
    expect(rows[1]?.slice(0, 13)).toEqual([
      ...[' 008 ', '', 'Jalisco', 'Íñigo', '', ''],
      ...['Rechazada', 'La celda de la columna `NSS` (`nss`) está vacía.', '', '', '3', '0', '0'],
    ]);
    expect(rows[2]?.slice(6, 9)).toEqual(['Con fallo', expect.stringContaining('dígito'), 'WRONG_CHECK_DIGIT']);
    expect(rows.map((row) => row[13])).toEqual(['Encontrado', '', 'Dato no válido']);
    expect(sheet.name).toBe('Resultados');
    const withoutApostrophe = csv.map((row) => row.map((text) => text.replace(/^'=/, '=')));
    expect(sheet.texts).toEqual(withoutApostrophe);
    expect(lines.map(({ row, line, state }) => [row, line, state])).toEqual([
      [1, 2, 'DONE'],
      [2, 3, 'REFUSED'],
      [3, 4, 'FAILED'],
    ]);
    expect(lines[0].input).toEqual({
      'No. Empleado': '007',
      NSS: first,
      Estado: 'Sonora',
      Nombre: 'Peña "Nacho"',
      NOMBRE: '=1+1',
      'column 6': 'x',
    });
    expect(lines[1]).toMatchObject({
      remarks: ['La celda de la columna `NSS` (`nss`) está vacía.'],
      units: 0,
      data: null,
    });
  });

  it('has the same columns whatever the answers are, and joins the records of a list within a cell', async () => {
    const [, second = ''] = NSS;
    const { csv, sheet } = await resultsOf(english, LICENCES, `nss\n${first}\n`);
    const repeated = await resultsOf(english, LICENCES, `nss\n${second}\n`);
    expect(repeated.csv[0]).toEqual(csv[0]);
    expect(csv[0]?.slice(8)).toEqual([
      ...['Credit: outcome', 'Credit: opened on', 'Credit: months without contribution', 'Credit: has credit'],
      ...['Housing account: outcome', 'Housing account: total balance', 'Licences: number', 'Licences: title'],
    ]);
    expect(csv[1]?.[14]).toBe(person?.licences.map(({ number }) => number).join('; '));
    const kinds = sheet.kinds[1] ?? [];
    expect(kinds[0]).toBe('text');
    expect(kinds.slice(5, 8)).toEqual(['number', 'number', 'number']);
    expect(sheet.texts[1]).toEqual(csv[1]);
  });

  it('is a workbook with text cells, a bold and frozen header, and a filter', async () => {
    const { sheet } = await resultsOf(english, CREDIT, `Clave,nss\n0012,${first}\n`);
    expect(sheet.texts[1]?.slice(0, 2)).toEqual(['0012', first]);
    expect(sheet.kinds[1]?.slice(0, 3)).toEqual(['text', 'text', 'text']);
    expect(sheet.isHeaderBold).toBe(true);
    expect(sheet.frozenRows).toBe(1);
    expect(sheet.filter).toBe(`A1:${sheet.lastColumn}2`);
  });
});
