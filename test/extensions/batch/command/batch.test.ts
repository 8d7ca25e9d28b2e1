import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { replaceFile } from '../../../../src/extensions/batch/command/result-file';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { type Employee, hrCsv, hrWorkbook } from '../../../support/documents/hr-file';
import { readWorkbook } from '../../../support/documents/read-workbook';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { builtCommand, padronCommand } from '../../../support/processes/padron-command';
import { NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

const examples = join(__dirname, '../../../../schema/examples');
const operation = join(examples, 'person-credit.graphql');
const zeroNss = NSS.find((nss) => nss.startsWith('0')) ?? '';

const padron = proxiedPadronForTests({ PURPOSES: 'hiring' }, engineRig());
const folder = mkdtempSync(join(tmpdir(), 'padron-cli-'));

function write(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** Runs the example operation with a dataset. */
const run = (dataset: string, ...args: readonly string[]) =>
  padronCommand(['batch', dataset, operation, '--url', padron.url, ...args]);

const containing = (code: number, text: string) => ({ code, text: expect.stringContaining(text) });

describe('the command `padron batch`', () => {
  const dataset = join(folder, 'people.csv');
  beforeAll(() => copyFileSync(join(examples, 'people.csv'), dataset));

  it('shows the price without spending, stops at its limit, resumes with a higher one, and writes the results', async () => {
    const price = await run(dataset, '--purpose', 'hiring');
    expect(price).toMatchObject(containing(0, 'price: 62 units for 64 rows'));
    expect(price.text).toContain('columns: ref → ref, nss → nss, employee → compared');
    expect(price.text).toContain('1 row has an invalid value');
    expect(padron.calls()).toEqual([]);

    const limited = await run(dataset, '--max-units', '20');
    expect(limited).toMatchObject(containing(3, 'Resume it with a limit of 62. (UNIT_BUDGET_EXCEEDED)'));
    expect(limited.text).toContain('The same command with --max-units 62 resumes it.');
    expect(padron.callsInFull()).toHaveLength(20);
    const { data } = await padron.ask('{ registrySpend(by: [PURPOSE]) { purpose units } }');
    expect(data.registrySpend).toEqual([{ purpose: 'hiring', units: 20 }]);

    const built = await builtCommand(['batch', dataset, operation, '--url', padron.url, '--max-units', '100']);
    expect(built).toMatchObject(containing(1, '62 of 64 rows done, 1 failed, 1 unknown'));
    expect(padron.calls()).toHaveLength(62);
    const results = readFileSync(dataset.replace('.csv', '.results.csv'), 'utf8');
    const table: Record<string, string>[] = parse(results, { bom: true, columns: true });
    expect(table.map(({ ref }) => ref).slice(0, 2)).toEqual(['E-001', 'E-002']);
    expect(table.filter(({ State }) => State === 'Done')).toHaveLength(62);

    expect((await run(dataset)).text).toContain('The batch is DONE. Add --max-units to write its results again.');
    const retried = await run(dataset, '--max-units', '100', '--retry', 'failed');
    expect(retried).toMatchObject(containing(1, 'No failed row can succeed with the same data'));
    expect(padron.calls()).toEqual([]);
  });

  it('takes a file whose name is not UTF-8', async () => {
    const file = write('n\ufffdmina.csv', `nss\n${zeroNss}\n`);
    expect(await run(file, '--key', 'damaged')).toMatchObject(containing(0, 'price: '));
    expect((await padron.ask('{ registryBatches { batches { name } } }')).data.registryBatches.batches).toContainEqual({
      name: 'n_mina.csv',
    });
    expect(padron.calls()).toEqual([]);
  });

  it('tells a corrected file that most of it was answered, and starts only when told to use the answers or to pay again', async () => {
    const people = NSS.slice(0, 3);
    const file = write('corrected.csv', `nss\n${people.join('\n')}\n`);
    const limit = ['--max-units', '10', '--purpose', 'hiring'];
    const unchosen = await run(file, ...limit);
    expect(unchosen).toMatchObject(containing(4, 'price: 3 units for 3 rows'));
    expect(unchosen.text).toMatch(
      /cannot be started: Earlier batches \(people\.csv\) have answered 3 questions.* \(USE, `use`: 0 units\) or ask again \(PAY_AGAIN, `pay`: 3 units\)\. \(EARLIER_ANSWERS\)\n/,
    );
    expect(await run(file)).toMatchObject(containing(0, '`--earlier` on the command line'));
    const spanish = await run(file, ...limit, '--language', 'es');
    expect(spanish).toMatchObject(
      containing(
        4,
        'no se puede iniciar: Otros lotes (people.csv) ya respondieron 3 consultas de este lote; la última, el ',
      ),
    );
    expect(await run(file, '--earlier', 'pay')).toMatchObject(containing(0, 'price: 3 units'));
    expect(padron.calls()).toEqual([]);
    expect(await run(file, ...limit, '--earlier', 'use')).toMatchObject(
      containing(0, '0 units spent, 0 uncertain, 3 saved'),
    );
    expect(padron.calls()).toEqual([]);
    const again = ['--key', 'again', '--purpose', 'hiring', '--max-units', '10', '--earlier', 'pay'];
    expect(await run(file, ...again)).toMatchObject(containing(0, '3 units spent'));
    expect(padron.calls()).toHaveLength(3);
  });

  it('knows a batch again whose operation has another description', async () => {
    const text = readFileSync(operation, 'utf8');
    const described = write('described.graphql', `"""Another text."""\n${text.replace(/^#.*\n/gm, '')}`);
    const priced = await padronCommand(['batch', dataset, described, '--url', padron.url]);
    expect(priced.text).toContain('The batch is DONE.');
  });

  it('retries the failed rows that may succeed, on request', async () => {
    const mistyped = `${NSS[1]?.slice(0, 10)}${(Number(NSS[1]?.[10]) + 1) % 10}`;
    const file = write('forbidden.csv', `nss\n${NSS[0]}\n${mistyped}\n`);
    padron.proxy.tamper(() => ({ status: 403, json: { success: false, message: 'x' } }));
    const failed = await run(file, '--max-units', '9');
    expect(failed).toMatchObject(containing(1, '1 failed row may succeed with --retry failed'));
    padron.proxy.reset();
    const retried = await run(file, '--max-units', '9', '--retry', 'failed');
    expect(retried).toMatchObject(containing(1, '1 of 2 rows done, 1 failed, 0 unknown'));
    expect(retried.text).not.toContain('may succeed');
  });

  it('reports a batch that cannot be started, and exits with 4', async () => {
    const file = write('barred.csv', `nss\n${NSS[0]}\n`);
    const account = write(
      'account.graphql',
      'query Account($nss: NSS!) { person(nss: $nss) { housingAccount { outcome } } }',
    );
    for (const options of [[], ['--max-units', '9']])
      expect(await padronCommand(['batch', file, account, '--url', padron.url, ...options])).toMatchObject(
        containing(4, 'does not allow these endpoints in batches: POST /api/'),
      );
    expect(padron.calls()).toEqual([]);
  });

  it('writes a workbook if its name ends so, and the results in another language without paying again', async () => {
    const file = write('altas.csv', `No. Empleado,nss\n0012,${zeroNss}\n0013,\n`);
    const [workbook, english] = [file.replace('.csv', '.xlsx'), file.replace('.csv', '.english.csv')];
    const spanish = await run(file, '--max-units', '10', '--language', 'es', '--out', workbook);
    expect(spanish).toMatchObject(containing(1, '1 de 1 fila hecha, 0 con fallo, 0 por aclarar, 1 rechazada'));
    const { texts, kinds } = await readWorkbook(readFileSync(workbook));
    expect(texts.map((row) => row.slice(0, 4))).toEqual([
      ['No. Empleado', 'nss', 'Estado', 'Problema'],
      ['0012', zeroNss, 'Hecha', ''],
      ['0013', '', 'Rechazada', 'La celda de la columna `nss` está vacía.'],
    ]);
    expect(kinds[1]?.slice(0, 2)).toEqual(['text', 'text']);
    padron.calls();
    await run(file, '--max-units', '10', '--language', 'en', '--out', english);
    const [header, row]: string[][] = parse(readFileSync(english, 'utf8'), { bom: true });
    expect([header?.[2], row?.[2]]).toEqual(['State', 'Done']);
    expect(padron.calls()).toEqual([]);
  });

  it('exits with 2 for invalid arguments, and with 4 if padron rejects the request or cannot be reached', async () => {
    const noToken = { PADRON_TOKEN: '' };
    const args = ['batch', dataset, operation, '--url', padron.url];
    const unreachable = ['batch', dataset, operation, '--url', 'http://127.0.0.1:9/graphql'];
    expect((await padronCommand(['batch', dataset])).code).toBe(2);
    expect(await run(dataset, '--column', 'nss')).toMatchObject(containing(2, 'write a column and a variable'));
    const wrong = write('wrong.jsonl', 'number\n1\n');
    expect(await run(wrong)).toMatchObject(containing(4, 'No column has the name of'));
    expect((await padronCommand(unreachable)).code).toBe(4);
    expect(await padronCommand(args, noToken)).toMatchObject(containing(4, 'token'));
    const missing = `${dataset}.none`;
    const text = `Cannot read ${missing}. Check the path.\n`;
    expect(await run(missing, '--key', 'k')).toEqual({ code: 2, output: '', text });

    const mutation = write(
      'mutation.graphql',
      'mutation($input: SignatureInput!) { verifySignature(input: $input) { outcome } }',
    );
    const inSpanish = async (words: readonly string[], environment = {}) =>
      (await padronCommand([...words, '--language', 'es'], environment)).text;
    expect([
      await inSpanish(['batch', missing, operation]),
      await inSpanish(unreachable),
      await inSpanish(args, noToken),
      await inSpanish(args.with(-1, padron.url.replace('/graphql', '/none'))),
      await inSpanish(args.with(2, mutation)),
    ]).toEqual([
      `No se puede leer ${missing}. Revise la ruta.\n`,
      'No se puede conectar con padron en http://127.0.0.1:9 (no responde).\n',
      'Falta el token o no es válido. Indíquelo con PADRON_TOKEN o --token.\n',
      'La dirección no es la de un grafo de padron. Revise --url.\n',
      '`operation` es una mutación. Un lote solo puede ejecutar consultas. (INVALID_FORMAT)\n',
    ]);
  });
});

describe('a file of a human resources department', () => {
  const [ana, luis] = people.filter(({ nss }) => !nss.startsWith('0'));
  const employee = (number: string, nss = '', name = 'Sin número', curp = ''): Employee => ({
    number,
    nss,
    name,
    curp,
  });
  const employees = [
    employee('001', ana?.nss, 'Peña Íñiguez, José Ángel', ana?.curp),
    employee('002', zeroNss, 'Muñoz "Güero" Nuñez'),
    employee('003', luis?.nss, 'Ñandú, María', luis?.curp),
    employee('004', ana?.nss, 'Peña Íñiguez, José Ángel', ana?.curp),
    employee('005', '4.1596E+09', 'Zúñiga, Óscar'),
    ...['006', '007', '008'].map((number) => employee(number)),
  ];

  it('is read from CSV in Windows-1252, with a title, blank lines, lost zeros and duplicates', async () => {
    padron.calls();
    const { code, text } = await run(write('priced.csv', hrCsv(employees.slice(0, 5))), '--ref', 'No. Empleado');
    expect(code).toBe(0);
    expect(text).toContain('The file is not UTF-8. It is read as Windows-1252.');
    expect(text).toContain('The header is line 3. The lines above it are skipped.');
    expect(text).toContain(
      'columns: No. Empleado → ref, N.S.S. → nss, CURP → curp, Nombre completo → compared (not used, not compared: ',
    );
    expect(padron.calls()).toEqual([]);
  });

  const inSpanish = (
    dataset: string,
  ): string => `${dataset.endsWith('.csv') ? 'El archivo no está en UTF-8. Se lee como Windows-1252.\n' : ''}\
El encabezado es la línea 3. Las líneas anteriores se omiten.
columnas: No. Empleado → ref, N.S.S. → nss, CURP → curp, Nombre completo → se compara (no se usan, no se comparan: Fecha de ingreso, Sueldo)
precio: 3 unidades por 4 filas
  /api/infonavit/grupo/buscar-credito: 3 consultas, 3 unidades
4 filas rechazadas:
  La celda de la columna \`N.S.S.\` (\`nss\`) está vacía. (3 filas, líneas 11, 12, 13)
  N.S.S.: El NSS está en notación científica, que pierde dígitos. En la hoja de cálculo, dé formato de texto a la columna y escríbalo de nuevo. (línea 10)
4 de 4 filas hechas, 0 con fallo, 0 por aclarar, 4 rechazadas · 3 unidades gastadas, 0 por aclarar, 1 ahorrada
resultados: ${dataset.replace(/\.(csv|xlsx)$/, '.resultados.$1')}
`;

  it('comes back in its own format with the answers beside it, also the refused rows, and every zero in place', async () => {
    const results = async (name: string, bytes: Buffer) => {
      const dataset = write(name, bytes);
      const options = ['--ref', 'No. Empleado', '--max-units', '10', '--earlier', 'pay', '--language', 'es'];
      const { code, text } = await run(dataset, ...options);
      expect(code).toBe(1);
      // What an operator reads is in one language.
      expect(text.replace(/\[.*\n/g, '')).toBe(inSpanish(dataset));
      return readFileSync(dataset.replace(/\.(csv|xlsx)$/, '.resultados.$1'));
    };
    const { texts } = await readWorkbook(await results('plantilla.xlsx', await hrWorkbook(employees)));
    expect(texts[0]?.slice(0, 8)).toEqual([
      ...['No. Empleado', 'N.S.S.', 'CURP', 'Nombre completo', 'Fecha de ingreso', 'Sueldo', 'Estado', 'Problema'],
    ]);
    const place = (header: string): number => texts[0]?.indexOf(header) ?? -1;
    expect(texts.slice(1).map((row) => [row[0], row[place('Estado')], row[place('Crédito: resultado')]])).toEqual([
      ...['001', '002', '003', '004'].map((number) => [number, 'Hecha', 'Encontrado']),
      ...['005', '006', '007', '008'].map((number) => [number, 'Rechazada', '']),
    ]);
    expect(texts[2]?.[1]).toBe(zeroNss.replace(/^0/, ''));
    expect(texts[2]?.[place('Observaciones')]).toContain(`Se lee como ${zeroNss}`);
    expect(texts[5]?.[place('Problema')]).toContain('notación científica');

    const table: string[][] = parse(await results('plantilla.csv', hrCsv(employees)), { bom: true });
    expect(table.map((row) => row.slice(0, 3))).toEqual(texts.map((row) => row.slice(0, 3)));
    expect(table.map((row) => row.slice(6, 10))).toEqual(texts.map((row) => row.slice(6, 10)));
  });
});

describe('a file of results', () => {
  it('leaves nothing behind if the download breaks while the file is being opened', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'padron-result-'));
    const breaking = (): Readable =>
      new Readable({
        read() {
          this.destroy(new Error('The connection broke.'));
        },
      });
    for (let time = 0; time < 20; time += 1)
      await expect(replaceFile(join(empty, 'results.csv'), breaking())).rejects.toThrow('The connection broke.');
    await delay(50);
    expect(readdirSync(empty)).toEqual([]);
  });
});
