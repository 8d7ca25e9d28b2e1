import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { readWorkbook } from '../../../support/documents/read-workbook';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { builtCommand, padronCommand } from '../../../support/processes/padron-command';
import { NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

const root = join(__dirname, '../../../..');
const operation = join(root, 'schema/examples/person-credit.graphql');

describe('the command `padron batch`', () => {
  const rig = engineRig();
  const padron = proxiedPadronForTests({ PURPOSES: 'hiring' }, rig);
  let dataset: string;

  beforeAll(() => {
    dataset = join(mkdtempSync(join(tmpdir(), 'padron-cli-')), 'people.csv');
    copyFileSync(join(root, 'schema/examples/people.csv'), dataset);
  });

  it('shows the price without spending, stops at its limit, resumes with a higher one, and writes the results', async () => {
    const price = await padronCommand(['batch', dataset, operation, '--url', padron.url, '--purpose', 'hiring']);
    expect(price).toMatchObject({ code: 0, text: expect.stringContaining('price: 62 units for 64 rows') });
    expect(price.text).toContain('columns: ref → ref, nss → nss (not used, not compared: employee)');
    expect(price.text).toContain('1 row has an invalid value');
    expect(padron.calls()).toEqual([]);

    const low = await padronCommand(['batch', dataset, operation, '--url', padron.url, '--max-units', '20']);
    expect(low).toMatchObject({ code: 3, text: expect.stringContaining('UNIT_BUDGET_EXCEEDED') });
    expect(padron.callsInFull()).toHaveLength(20);
    const { data } = await padron.ask('{ registrySpend(by: [PURPOSE]) { purpose units } }');
    expect(data.registrySpend).toEqual([{ purpose: 'hiring', units: 20 }]);

    const run = await builtCommand(['batch', dataset, operation, '--url', padron.url, '--max-units', '100']);
    expect(run).toMatchObject({ code: 1, text: expect.stringContaining('62 of 64 rows done, 1 failed, 1 unknown') });
    expect(padron.calls()).toHaveLength(62);
    const results = readFileSync(dataset.replace('.csv', '.results.csv'), 'utf8');
    const table: Record<string, string>[] = parse(results, { bom: true, columns: true });
    expect(table.map(({ ref }) => ref).slice(0, 2)).toEqual(['E-001', 'E-002']);
    expect(table.filter(({ State }) => State === 'Done')).toHaveLength(62);

    const priced = await padronCommand(['batch', dataset, operation, '--url', padron.url]);
    expect(priced.text).toContain('The batch is DONE. Add --max-units to write its results again.');
    const retried = ['batch', dataset, operation, '--url', padron.url, '--max-units', '100', '--retry', 'failed'];
    const again = await padronCommand(retried);
    expect(again).toMatchObject({
      code: 1,
      text: expect.stringContaining('No failed row can succeed with the same data'),
    });
    expect(padron.calls()).toEqual([]);
  });

  it('knows a batch again whose operation has another description', async () => {
    const undescribed = dataset.replace('people.csv', 'undescribed.graphql');
    const text = readFileSync(operation, 'utf8');
    expect(text).toContain('"""');
    writeFileSync(undescribed, text.replace(/"""[^"]*"""/, '# A comment.'));
    const priced = await padronCommand(['batch', dataset, undescribed, '--url', padron.url]);
    expect(priced.text).toContain('The batch is DONE.');
  });

  it('retries the failed rows that may succeed, on request', async () => {
    const file = dataset.replace('people', 'forbidden');
    writeFileSync(file, `nss\n${NSS[0]}\n${NSS[1]?.slice(0, 10)}${(Number(NSS[1]?.[10]) + 1) % 10}\n`);
    const args = ['batch', file, operation, '--url', padron.url, '--max-units', '9'];
    padron.proxy.tamper(() => ({ status: 403, json: { success: false } }));
    const failed = await padronCommand(args);
    expect(failed).toMatchObject({
      code: 1,
      text: expect.stringContaining('1 failed row may succeed with --retry failed'),
    });
    padron.proxy.reset();
    const retried = await padronCommand([...args, '--retry', 'failed']);
    expect(retried).toMatchObject({ code: 1, text: expect.stringContaining('1 of 2 rows done, 1 failed, 0 unknown') });
    expect(retried.text).not.toContain('may succeed');
  });

  it('reports a batch that cannot be started, and exits with 4', async () => {
    const file = dataset.replace('people', 'barred');
    writeFileSync(file, `nss\n${NSS[0]}\n`);
    const account = file.replace('.csv', '.graphql');
    writeFileSync(account, 'query Account($nss: NSS!) { person(nss: $nss) { housingAccount { outcome } } }');
    const expected = {
      code: 4,
      text: expect.stringContaining('does not allow these endpoints in batches: POST /api/'),
    };
    expect(await padronCommand(['batch', file, account, '--url', padron.url])).toMatchObject(expected);
    expect(await padronCommand(['batch', file, account, '--url', padron.url, '--max-units', '9'])).toMatchObject(
      expected,
    );
    expect(padron.calls()).toEqual([]);
  });

  it('writes a workbook if its name ends so, in the chosen language, and exits with 1 if rows are refused', async () => {
    const nss = NSS.find((text) => text.startsWith('0')) ?? '';
    const file = dataset.replace('people.csv', 'altas.csv');
    writeFileSync(file, `No. Empleado,nss\n0012,${nss}\n0013,\n`);
    const out = file.replace('.csv', '.xlsx');
    const run = await padronCommand([
      ...['batch', file, operation, '--url', padron.url],
      ...['--max-units', '10', '--language', 'es', '--out', out],
    ]);
    expect(run).toMatchObject({
      code: 1,
      text: expect.stringContaining('1 de 1 fila hecha, 0 con fallo, 0 por aclarar, 1 rechazada'),
    });
    const { texts, kinds } = await readWorkbook(readFileSync(out));
    expect(texts[0]?.slice(0, 4)).toEqual(['No. Empleado', 'nss', 'Estado', 'Problema']);
    expect(texts.slice(1).map((row) => row.slice(0, 4))).toEqual([
      ['0012', nss, 'Hecha', ''],
      ['0013', '', 'Rechazada', 'La celda de la columna `nss` está vacía.'],
    ]);
    expect(kinds[1]?.slice(0, 2)).toEqual(['text', 'text']);

    await padronCommand([
      ...['batch', file, operation, '--url', padron.url],
      ...['--max-units', '10', '--language', 'es'],
    ]);
    const table: string[][] = parse(readFileSync(file.replace('.csv', '.resultados.csv'), 'utf8'), { bom: true });
    expect(table).toEqual(texts);

    // A second run in another language downloads the same batch, and pays for nothing.
    padron.calls();
    const english = file.replace('.csv', '.english.csv');
    await padronCommand([
      ...['batch', file, operation, '--url', padron.url],
      ...['--max-units', '10', '--language', 'en', '--out', english],
    ]);
    const [header, row]: string[][] = parse(readFileSync(english, 'utf8'), { bom: true });
    expect([header?.[2], row?.[2]]).toEqual(['State', 'Done']);
    expect(padron.calls()).toEqual([]);
  });

  it('exits with 2 for invalid arguments, and with 4 if padron rejects the request or cannot be reached', async () => {
    expect((await padronCommand(['batch', dataset])).code).toBe(2);
    expect(await padronCommand(['batch', `${dataset}.none`, operation, '--key', 'k', '--url', padron.url])).toEqual({
      code: 2,
      output: '',
      text: `Cannot read ${dataset}.none. Check the path.\n`,
    });
    expect(await padronCommand(['batch', dataset, operation, '--map', 'nss'])).toMatchObject({
      code: 2,
      text: expect.stringContaining('write a column and a variable'),
    });
    expect((await padronCommand(['batch', dataset, operation, '--url', 'http://127.0.0.1:9/graphql'])).code).toBe(4);
    const noToken = await padronCommand(['batch', dataset, operation, '--url', padron.url], { PADRON_TOKEN: '' });
    expect(noToken).toMatchObject({ code: 4, text: expect.stringContaining('token') });
    const inSpanish = async (args: readonly string[], environment = {}) =>
      (await padronCommand([...args, '--language', 'es'], environment)).text;
    expect(await inSpanish(['batch', `${dataset}.none`, operation])).toBe(
      `No se puede leer ${dataset}.none. Revise la ruta.\n`,
    );
    expect(await inSpanish(['batch', dataset, operation, '--url', 'http://127.0.0.1:9/graphql'])).toBe(
      'No se puede conectar con padron en http://127.0.0.1:9 (no responde).\n',
    );
    expect(await inSpanish(['batch', dataset, operation, '--url', padron.url], { PADRON_TOKEN: '' })).toBe(
      'Falta el token o no es válido. Indíquelo con PADRON_TOKEN o --token.\n',
    );
    expect(await inSpanish(['batch', dataset, operation, '--url', padron.url.replace('/graphql', '/none')])).toBe(
      'La dirección no es la de un grafo de padron. Revise --url.\n',
    );
    const mutation = `${dataset}.graphql`;
    writeFileSync(mutation, 'mutation($input: SignatureInput!) { verifySignature(input: $input) { outcome } }');
    expect(await inSpanish(['batch', dataset, mutation, '--url', padron.url])).toBe(
      '`operation` es una mutación. Un lote solo puede ejecutar consultas. (INVALID_FORMAT)\n',
    );
    const wrong = `${dataset}.jsonl`;
    writeFileSync(wrong, 'number\n1\n');
    const refused = await padronCommand(['batch', wrong, operation, '--url', padron.url]);
    expect(refused).toMatchObject({ code: 4, text: expect.stringContaining('No column has the name of') });
  });
});
