import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { type Employee, hrCsv, hrWorkbook } from '../../../support/documents/hr-file';
import { readWorkbook } from '../../../support/documents/read-workbook';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { padronCommand } from '../../../support/processes/padron-command';
import { BatchClient } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

const operation = join(__dirname, '../../../../schema/examples/person-credit.graphql');
const choices = ['--ref', 'No. Empleado'];

/** A person whose NSS begins with a zero, which a spreadsheet removes. */
const zeroNss = people.find(({ nss }) => nss.startsWith('0'))?.nss ?? '';
const [ana, luis] = people.filter(({ nss }) => !nss.startsWith('0'));
const employees: readonly Employee[] = [
  { number: '001', nss: ana?.nss ?? '', curp: ana?.curp ?? '', name: 'Peña Íñiguez, José Ángel' },
  { number: '002', nss: zeroNss, curp: '', name: 'Muñoz "Güero" Nuñez' },
  { number: '003', nss: luis?.nss ?? '', curp: luis?.curp ?? '', name: 'Ñandú, María' },
  { number: '004', nss: ana?.nss ?? '', curp: ana?.curp ?? '', name: 'Peña Íñiguez, José Ángel' },
  { number: '005', nss: '4.1596E+09', curp: '', name: 'Zúñiga, Óscar' },
  { number: '006', nss: '', curp: '', name: 'Sin número' },
];

describe('a file of a human resources department', () => {
  const padron = proxiedPadronForTests({}, engineRig());
  const client = new BatchClient(padron);

  async function send(name: string, bytes: Buffer) {
    const dataset = join(mkdtempSync(join(tmpdir(), 'padron-hr-')), name);
    writeFileSync(dataset, bytes);
    const priced = await padronCommand(['batch', dataset, operation, ...choices, '--key', name, '--url', padron.url]);
    const { registryBatches } = await client.ask('{ registryBatches { batches { id name } } }');
    const { id } = registryBatches.batches.find((batch: { readonly name: string }) => batch.name === name);
    const { registryBatch } = await client.ask(
      `query($id: ID!) { registryBatch(id: $id) { columns { name variable } estimate { rowCount estimatedUnits }
        rows { rows { ref line remarks } } refused: rows(state: REFUSED) { rows { ref line remarks } } } }`,
      { id },
    );
    return { ...priced, ...registryBatch };
  }

  const completed = `N.S.S.: The NSS has 10 digits. It is read as ${zeroNss}, whose check digit fits.`;
  const expected = (lines: readonly number[]) => ({
    code: 0,
    columns: [
      { name: 'No. Empleado', variable: 'ref' },
      { name: 'N.S.S.', variable: 'nss' },
      { name: 'CURP', variable: 'curp' },
      ...['Nombre completo', 'Fecha de ingreso', 'Sueldo'].map((name) => ({ name, variable: null })),
    ],
    // The first and the last row ask the same question.
    estimate: { rowCount: 4, estimatedUnits: 3 },
    rows: {
      rows: [
        { ref: '001', line: lines[0], remarks: [] },
        { ref: '002', line: lines[1], remarks: [completed] },
        { ref: '003', line: lines[2], remarks: [] },
        { ref: '004', line: lines[3], remarks: [] },
      ],
    },
    refused: {
      rows: [
        { ref: '005', line: lines[4], remarks: [expect.stringContaining('scientific notation')] },
        { ref: '006', line: lines[5], remarks: ['The cell in the column `N.S.S.` (`nss`) is empty.'] },
      ],
    },
  });

  it('is read from CSV in Windows-1252, with a title, blank lines, lost zeros and duplicates', async () => {
    const sent = await send('plantilla.csv', hrCsv(employees));
    expect(sent).toMatchObject(expected([4, 7, 8, 9, 10, 11]));
    expect(sent.text).toContain('The file is not UTF-8. It is read as Windows-1252.');
    expect(sent.text).toContain('The header is line 3. The lines above it are skipped.');
    expect(sent.text).toContain(
      'columns: No. Empleado → ref, N.S.S. → nss, CURP → curp (not used, not compared: Nombre completo',
    );
    expect(padron.calls()).toEqual([]);
  });

  const inSpanish = (
    dataset: string,
  ): string => `${dataset.endsWith('.csv') ? 'El archivo no está en UTF-8. Se lee como Windows-1252.\n' : ''}\
El encabezado es la línea 3. Las líneas anteriores se omiten.
columnas: No. Empleado → ref, N.S.S. → nss, CURP → curp (no se usan, no se comparan: Nombre completo, Fecha de ingreso, Sueldo)
precio: 3 unidades por 4 filas
  /api/infonavit/grupo/buscar-credito: 3 consultas, 3 unidades
4 filas rechazadas:
  La celda de la columna \`N.S.S.\` (\`nss\`) está vacía. (3 filas, líneas 11, 12, 13)
  N.S.S.: El NSS está en notación científica, que pierde dígitos. En la hoja de cálculo, dé formato de texto a la columna y escríbalo de nuevo. (línea 10)
4 de 4 filas hechas, 0 con fallo, 0 por aclarar, 4 rechazadas · 3 unidades gastadas, 0 por aclarar, 1 ahorrada
resultados: ${dataset.replace(/\.(csv|xlsx)$/, '.resultados.$1')}
`;

  const withGaps = [
    ...employees,
    ...['007', '008'].map((number) => ({ number, nss: '', curp: '', name: 'Sin número' })),
  ];

  it('comes back in its own format with the answers beside it, also the refused rows, and every zero in place', async () => {
    const run = async (name: string, bytes: Buffer) => {
      const dataset = join(mkdtempSync(join(tmpdir(), 'padron-hr-')), name);
      writeFileSync(dataset, bytes);
      const limit = ['--max-units', '10', '--language', 'es', '--url', padron.url];
      const { code, text } = await padronCommand(['batch', dataset, operation, ...choices, ...limit]);
      expect(code).toBe(1);
      // What an operator reads is in one language.
      expect(text.replace(/\[.*\n/g, '')).toBe(inSpanish(dataset));
      return readFileSync(dataset.replace(/\.(csv|xlsx)$/, '.resultados.$1'));
    };
    const { texts } = await readWorkbook(await run('plantilla.xlsx', await hrWorkbook(withGaps)));
    expect(texts[0]?.slice(0, 8)).toEqual([
      ...['No. Empleado', 'N.S.S.', 'CURP', 'Nombre completo', 'Fecha de ingreso', 'Sueldo', 'Estado', 'Problema'],
    ]);
    const place = (header: string): number => texts[0]?.indexOf(header) ?? -1;
    expect(texts.slice(1).map((row) => [row[0], row[place('Estado')], row[place('Crédito: resultado')]])).toEqual([
      ['001', 'Hecha', 'Encontrado'],
      ['002', 'Hecha', 'Encontrado'],
      ['003', 'Hecha', 'Encontrado'],
      ['004', 'Hecha', 'Encontrado'],
      ['005', 'Rechazada', ''],
      ['006', 'Rechazada', ''],
      ['007', 'Rechazada', ''],
      ['008', 'Rechazada', ''],
    ]);
    expect(texts[2]?.[1]).toBe(zeroNss.replace(/^0/, ''));
    expect(texts[2]?.[place('Observaciones')]).toContain(`Se lee como ${zeroNss}`);
    expect(texts[5]?.[place('Problema')]).toContain('notación científica');

    const table: string[][] = parse(await run('plantilla.csv', hrCsv(withGaps)), { bom: true });
    expect(table.map((row) => row.slice(0, 3))).toEqual(texts.map((row) => row.slice(0, 3)));
    expect(table.map((row) => row.slice(6, 10))).toEqual(texts.map((row) => row.slice(6, 10)));
  });
});
