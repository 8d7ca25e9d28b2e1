import type { CellValue } from '@cj-tech-master/excelts';
import { parse } from 'csv-parse/sync';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { readWorkbook } from '../../../support/documents/read-workbook';
import { writeWorkbook } from '../../../support/documents/write-workbook';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, NSS } from '../../../support/requests/batches';
import { card } from '../../../support/sandbox/cards';
import { engineRig } from '../../../support/stores/engines';

const operation = 'query($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
const zeroNss = people.find(({ nss }) => nss.startsWith('0'))?.nss ?? '';
const [first = '', second = ''] = NSS.filter((nss) => !nss.startsWith('0'));

describe('the own columns of a user in the results', () => {
  const padron = ledgerPadronForTests(engineRig());
  const client = new BatchClient(padron, undefined, { 'accept-language': 'es-MX' });

  async function resultsOf(file: string | Buffer, input: object = {}) {
    const { csvUrl, xlsxUrl } = await client.runFile({ operation, ...input }, file);
    const csv: string[][] = parse((await client.download(csvUrl)).text, { bom: true });
    const sheet = await readWorkbook(await client.downloadBytes(xlsxUrl));
    const column = (header: string) => {
      const place = sheet.texts[0]?.indexOf(header) ?? -1;
      const cells = sheet.texts.slice(1).map((texts, row) => `${sheet.kinds[row + 1]?.[place]} ${texts[place]}`);
      return { csv: csv.slice(1).map((row) => row[place]), cells };
    };
    return { headers: csv[0] ?? [], sheet, column };
  }

  const header = ['NSS', 'Ingreso', 'Registro', 'Sueldo', 'Factor', 'Planta', 'Teléfono', 'CP', 'Clave', 'CLABE'];
  const row = (nss: CellValue, salary: CellValue): readonly CellValue[] => [
    ...[nss, new Date('2020-01-15'), new Date('2020-01-15T13:30:00Z'), salary, 0.1 + 0.2, true],
    ...['5512345678', 6_700, '1001', '002180700000000123'],
  ];

  it('are dates, numbers and booleans in the workbook if they were in the uploaded one, and else text', async () => {
    const rows = [row(Number(first), 12_500.5), row(Number(zeroNss), 9_000), row(second, 'por definir')];
    const file = await writeWorkbook([header, ...rows], { 2: 'dd/mm/yyyy', 3: 'dd/mm/yyyy hh:mm', 8: '00000' });
    const { column } = await resultsOf(file);
    expect(column('NSS')).toEqual({
      csv: [first, zeroNss.slice(1), second],
      cells: [first, zeroNss.slice(1), second].map((nss) => `text ${nss}`),
    });
    expect(column('Ingreso').cells).toEqual(rows.map(() => 'day 2020-01-15'));
    expect(column('Registro').cells).toEqual(rows.map(() => 'day 2020-01-15 13:30:00'));
    expect(column('Registro').csv).toEqual(rows.map(() => '2020-01-15T13:30:00'));
    expect(column('Sueldo').cells).toEqual(['number 12500.5', 'number 9000', 'text por definir']);
    expect(column('Factor').cells[0]).toBe('number 0.30000000000000004');
    expect(column('Planta').cells[0]).toMatch(/^boolean /);
    const texts = { Teléfono: '5512345678', CP: '06700', Clave: '1001', CLABE: '002180700000000123' };
    for (const [name, text] of Object.entries(texts))
      expect([name, column(name).cells]).toEqual([name, rows.map(() => `text ${text}`)]);
  });

  it('are numbers and days from a CSV only if the whole column is unambiguous', async () => {
    const lines = [
      'Clave,NSS,Ingreso,Alta,Sueldo,Bono,Teléfono,CP,Nota',
      `1001,${first},2020-01-15,15/01/2020,12500.50,,5512345678,06700,=1+1`,
      `1002,${second},2021-02-30,01/02/2021,9000,150,55123,14000,7`,
    ];
    const { column } = await resultsOf(lines.join('\n'), { refColumn: 'Clave' });
    const textColumns = { Clave: ['1001', '1002'], NSS: [first, second], Alta: ['15/01/2020', '01/02/2021'] };
    const texts = { ...textColumns, Teléfono: ['5512345678', '55123'], CP: ['06700', '14000'] };
    for (const [name, cells] of Object.entries(texts))
      expect([name, column(name).cells]).toEqual([name, cells.map((text) => `text ${text}`)]);
    expect(column('Ingreso').cells).toEqual(['day 2020-01-15', 'text 2021-02-30']);
    expect(column('Sueldo')).toEqual({ csv: ['12500.50', '9000'], cells: ['number 12500.50', 'number 9000'] });
    expect(column('Bono').cells).toEqual(['empty ', 'number 150']);
    expect(column('Nota')).toEqual({ csv: ["'=1+1", '7'], cells: ['text =1+1', 'number 7'] });
  });

  it('keep their text beside a column with the value as padron read it, if padron repaired one', async () => {
    const used = `query($nss: NSS!, $reg: EmployerRegistration!, $mes: YearMonth!) { person(nss: $nss) { credit { outcome } }
      employer(registration: $reg) @skip(if: true) { receipts(period: $mes) { outcome } } }`;
    const reg = card('not-found', 'registration');
    const file = `N.S.S.,Mes,reg\n${zeroNss.slice(1)},enero de 2025,${reg}\n${first},2025-02,${reg}\n${second},03/04,${reg}\n`;
    const { headers, column } = await resultsOf(file, { operation: used });
    expect(headers.slice(3, 10)).toEqual([
      ...['Estado', 'Problema', 'Códigos de problema', 'Observaciones', 'N.S.S. (leído)', 'Mes (leído)', 'Línea'],
    ]);
    expect(column('N.S.S.').csv).toEqual([zeroNss.slice(1), first, second]);
    expect(column('N.S.S. (leído)').cells).toEqual([`text ${zeroNss}`, `text ${first}`, 'empty ']);
    expect(column('Mes (leído)').csv).toEqual(['2025-01', '2025-02', '']);
    expect(column('Estado').csv).toEqual(['Hecha', 'Hecha', 'Rechazada']);
  });

  it('are numbers and booleans from JSON lines if they were there', async () => {
    const rows = [
      { nss: first, sueldo: 12_500.5, planta: true, clave: '1001', ingreso: '2020-01-15' },
      { clave: '1002', nss: second, sueldo: null, planta: false, ingreso: '' },
    ];
    const { column } = await resultsOf(rows.map((each) => `${JSON.stringify(each)}\n`).join(''));
    expect(column('sueldo').cells[0]).toBe('number 12500.5');
    expect(column('planta').cells).toEqual([expect.stringMatching(/^boolean /), expect.stringMatching(/^boolean /)]);
    expect(column('clave').cells).toEqual(['text 1001', 'text 1002']);
    expect(column('ingreso').cells[0]).toBe('text 2020-01-15');
  });

  it('have no second column if padron read every value as it is', async () => {
    const { headers } = await resultsOf(`NSS\n${first}\n${zeroNss}\n`);
    expect(headers.slice(0, 6)).toEqual(['NSS', 'Estado', 'Problema', 'Códigos de problema', 'Observaciones', 'Línea']);
  });
});
