import { GraphQLInputObjectType, type GraphQLInputType, GraphQLString } from 'graphql';
import type { ColumnChoices } from '../../../../../src/extensions/batch/batch';
import { findChoiceProblem, noChoices } from '../../../../../src/extensions/batch/dataset/columns/column-choices';
import { openDataset } from '../../../../../src/extensions/batch/dataset/open-dataset';
import { RowReader } from '../../../../../src/extensions/batch/dataset/row-reader';
import type { BatchOperation, BatchVariable } from '../../../../../src/extensions/batch/operation';
import { ledgerPadronForTests } from '../../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../../support/requests/batches';
import { engineRig } from '../../../../support/stores/engines';

const [first = '', second = ''] = NSS;
const LICENCES = `query Licences($name: PersonNameInput!) { person(name: $name) { licences { outcome } } }`;
const file = `No. Empleado;Seguro;Nombre\n007;${first};Peña\n008;${second};Íñigo\n`;
const nssChoice = { columns: [{ column: 'seguro', variable: 'nss' }], refColumn: 'No. Empleado' };

describe('the columns of a dataset', () => {
  const padron = ledgerPadronForTests(engineRig());
  const client = new BatchClient(padron);
  const spanish = new BatchClient(padron, undefined, { 'accept-language': 'es' });

  async function send(input: object, content: string | Buffer, by = client) {
    const { batch, problems } = await by.create(input);
    if (batch === null || problems.length > 0) return { problems };
    const { status, body } = await by.upload(batch.uploadUrl, content);
    return { id: batch.id, status, ...body, message: body.errors?.[0].message };
  }

  type Column = { readonly name: string; readonly variable: string | null };
  /** Returns columns as `name: variable`. */
  const usesOf = ({ columns }: { readonly columns: readonly Column[] }) =>
    columns.map(({ name, variable }) => `${name}: ${variable}`);

  it('can be chosen for variables and for the label of each row', async () => {
    const sent = await send({ operation: CREDIT, ...nssChoice }, file);
    expect(sent).toMatchObject({ status: 200, rows: 2, refusedCount: 0, headerLine: 1 });
    const ready = await client.until(sent.id, 'READY');
    expect(usesOf(ready)).toEqual(['No. Empleado: ref', 'Seguro: nss', 'Nombre: fullName']);
    expect((await client.rows(sent.id)).map(({ ref }) => ref)).toEqual(['007', '008']);
  });

  it('are used as chosen even if another column has the name of the variable', async () => {
    const both = `nss,NSS,ref\n${first},x,a\n`;
    expect((await send({ operation: CREDIT }, both)).message).toMatch(/both fill `nss`/);
    const choice = { columns: [{ column: 'nss', variable: 'nss' }] };
    expect(await send({ operation: CREDIT, ...choice }, both)).toMatchObject({ status: 200, rows: 1 });
    const unused = ['NSS', 'ref'].map((column) => ({ column, variable: null }));
    const chosen = await send({ operation: CREDIT, columns: unused }, both);
    expect(usesOf(chosen)).toEqual(['nss: nss', 'NSS: null', 'ref: null']);
  });

  it('are listed if a variable matches none of them, without advice that would be a guess', async () => {
    const sent = await send({ operation: CREDIT }, `No. Empleado;Trabajador;Nombre\n7;A-1;Peña\n`);
    expect(sent).toMatchObject({ status: 400, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    expect(sent.errors[0].extensions).toMatchObject({
      columns: ['No. Empleado', 'Trabajador', 'Nombre'],
      variables: ['nss'],
      matches: [],
      suggestions: [],
      reason: 'No column has the name of the variable `nss`.',
    });
    expect(sent.message).toBe(
      'No column has the name of the variable `nss`. Columns of the file: `No. Empleado`, `Trabajador`, `Nombre`. Rename a column, or choose one (`columns`, or `--column` on the command line).',
    );
    const inSpanish = await send({ operation: CREDIT }, `No. Empleado;Nombre\n7;Peña\n`, spanish);
    expect(inSpanish.message).toMatch(/^Ninguna columna tiene el nombre de la variable `nss`. Columnas del archivo: /);
    expect(inSpanish.errors[0].extensions.reason).toBe('Ninguna columna tiene el nombre de la variable `nss`.');
    const fields = await send({ operation: LICENCES }, 'nombrecito,apellido,name.maternalSurname\nANA,LÓPEZ,X\n');
    expect(fields.message).toMatch(/^No columns have the names of the variables `name.names`, `name.paternalSurname`/);
    const absent = await send({ operation: CREDIT, columns: [{ column: 'Segurro', variable: 'nss' }] }, file);
    expect(absent.message).toMatch(/^The file has no column `Segurro`.* The nearest names: `Seguro`.$/);
  });

  it('are to be split if the operation needs the parts of a name and one column has whole names', async () => {
    const names = 'NSS,Nombre completo\n1,MUÑOZ PEÑA CLAUDIA\n';
    const chosen = { columns: [{ column: 'Nombre completo', variable: 'name.names' }] };
    const sent = await send({ operation: LICENCES, ...chosen }, names);
    expect(sent.message).toBe(
      'No column has the name of the variable `name.paternalSurname`. The operation needs the parts of the name in separate columns: names, first surname and second surname. Split `Nombre completo` in the spreadsheet (in Excel with Data, Text to Columns), check surnames of several words such as "de la Cruz", and name the columns "Nombre(s)", "Apellido paterno" and "Apellido materno". Columns of the file: `NSS`, `Nombre completo`.',
    );
    const inSpanish = await send({ operation: LICENCES }, names, spanish);
    expect(inSpanish.errors[0].extensions.reason).toContain('Separe `Nombre completo` en la hoja de cálculo');
  });

  it('are suggested by their values: the column whose check digits are right, never simply the first one', async () => {
    const phones = ['8112345678', '5512345678', '3312345678', '8187654321'];
    const rows = [...NSS.slice(0, 3), `${first.slice(0, 10)}${(Number(first[10]) + 1) % 10}`].map(
      (nss, index) => `${index};${phones[index]};${nss.replace(/^0/, '')};x`,
    );
    const sheet = `No. Empleado;Teléfono;Trabajador;Núm. clave\n${rows.join('\n')}\n;;;\n`;
    const sent = await send({ operation: CREDIT }, sheet);
    expect(sent.errors[0].extensions).toMatchObject({
      suggestions: [{ column: 'Trabajador', variable: 'nss', valid: 3, filled: 4 }],
      reason:
        'No column has the name of the variable `nss`. Of the values of `Trabajador`, 3 of 4 are valid for `nss`.',
    });
    expect(sent.message).toMatch(/choose one \(`columns`, or `--column "Trabajador=nss"` on the command line\)\.$/);
    const inSpanish = await send({ operation: CREDIT }, sheet, spanish);
    expect(inSpanish.message).toContain('De los valores de `Trabajador`, 3 de 4 son válidos para `nss`.');
    expect(inSpanish.message).toMatch(
      /elija una \(`columns`, o `--column "Trabajador=nss"` en la línea de comandos\)\.$/,
    );
  });

  it.each([
    ['Núm. Seguro Social', 'Número de Seguridad Social', 'No. IMSS', 'NÚM. DE SEGURO SOCIAL', 'N.º de Seguro Social'],
    ['NSS (IMSS)', 'Num NSS', 'Nro. de afiliación', 'Afiliación IMSS', 'no_seguro_social'],
    ['N° IMSS', 'N° de seguro social', '# IMSS', 'NSS del trabajador', 'No. S.S.'],
    ['Nº IMSS', 'NUMERO DE SEGURIDAD SOCIAL IMSS', 'N°IMSS', 'NSS Empleado', 'Nss  de la asegurada'],
  ])('have the usual Spanish headings of an NSS: %s, %s, %s, %s, %s', async (...headings) => {
    for (const heading of headings) {
      const sent = await send({ operation: CREDIT }, `Clave;${heading}\n7;${first}\n`);
      expect(usesOf(sent)).toEqual(['Clave: null', `${heading}: nss`]);
    }
  });

  const names = ['name.names', 'name.paternalSurname', 'name.maternalSurname'];
  const employer = 'query($id: EmployerRegistration!) { employer(registration: $id) { obligatedSubject { outcome } } }';
  const identity = 'query($worker: CURP!) { person(curp: $worker) { identity { outcome } } }';
  it.each([
    [LICENCES, 'Nombre(s),Apellido paterno,Apellido Materno', 'ANA,LÓPEZ,X', names],
    [LICENCES, 'Nombres,Primer apellido,Segundo apellido', 'ANA,LÓPEZ,X', names],
    [LICENCES, 'Nombre(s),1er. apellido,2° apellido', 'ANA,LÓPEZ,X', names],
    [LICENCES, 'Nombre,Apellido 1,2do Apellido', 'ANA,LÓPEZ,X', names],
    [LICENCES, 'Nombre,Ap. Pat.,Ap. Mat.', 'ANA,LÓPEZ,X', names],
    [employer, 'R.P.', 'A0123456789', ['id']],
    [employer, 'Reg. Pat.', 'A0123456789', ['id']],
    [identity, 'Clave CURP', 'MUMC530509MNLXRL02', ['worker']],
    [identity, 'CURP del trabajador', 'MUMC530509MNLXRL02', ['worker']],
    [identity, '"CURP\ndel empleado"', 'MUMC530509MNLXRL02', ['worker']],
    [identity, 'CRUP', 'MUMC530509MNLXRL02', ['worker']],
    [employer, 'Registro Patronal', 'A0123456789', ['id']],
    [employer, 'Reg. Patronal IMSS', 'A0123456789', ['id']],
    [identity, 'C.U.R.P.', 'MUMC530509MNLXRL02', ['worker']],
  ])('of %s have the usual Spanish headings %s', async (operation, headings, row, variables) => {
    const { columns } = await send({ operation }, `${headings}\n${row}\n`);
    expect(columns.map(({ variable }: Column) => variable)).toEqual(variables);
  });

  it('are never taken for given names by the heading of whole names', async () => {
    const sent = await send({ operation: LICENCES }, 'Nombre del trabajador,Ap. Pat.\nANA LÓPEZ,LÓPEZ\n');
    expect(sent.status).toBe(400);
    expect(sent.message).toContain('`name.names`');
  });

  it('may have one name if no variable uses them', async () => {
    const sent = await send({ operation: CREDIT }, `NSS,Importe,Importe\n${first},1,2\n`);
    expect(sent).toMatchObject({ status: 200, refusedCount: 0 });
  });

  it('are never taken by a heading if another column has the name of the variable, or if two variables fit', async () => {
    const named = await send({ operation: CREDIT }, `No. IMSS,nss\n${second},${first}\n`);
    expect(usesOf(named)).toEqual(['No. IMSS: null', 'nss: nss']);
    const payroll = await send({ operation: CREDIT }, `Núm. Seguro Social,IMSS\n${first},312.50\n`);
    expect(usesOf(payroll)).toEqual(['Núm. Seguro Social: nss', 'IMSS: null']);
    const couple =
      'query($worker: NSS!, $spouse: NSS!) { a: person(nss: $worker) { nss } b: person(nss: $spouse) { nss } }';
    expect((await send({ operation: couple }, `NSS\n${first}\n`)).status).toBe(400);
    const optional =
      'query($nss: NSS!, $name: PersonNameInput) { person(nss: $nss, name: $name) { credit { outcome } } }';
    const filled = await send({ operation: optional }, `nss,Nombre\n${first},Peña Íñiguez José\n`);
    expect(filled).toMatchObject({ status: 200, refusedCount: 0 });
  });

  it('are asked for if two of them have a heading of the same variable', async () => {
    const both = await send({ operation: CREDIT }, `No. IMSS,Núm. Seguro Social\nx,${first}\n`);
    expect(both.message).toBe(
      'The columns `No. IMSS` and `Núm. Seguro Social` both fill `nss`. Of the values of `Núm. Seguro Social`, 1 of 1 are valid for `nss`. Remove one of the columns, or choose one (`columns`, or `--column "Núm. Seguro Social=nss"` on the command line).',
    );
  });

  it('are rejected if they are chosen for what is not a variable', async () => {
    const create = async (input: object) => (await client.create({ operation: CREDIT, ...input })).problems[0];
    expect(await create({ columns: [{ column: 'Seguro', variable: 'nsss' }] })).toEqual({
      code: 'INVALID_FORMAT',
      path: ['input', 'columns', '0', 'variable'],
      message: '`nsss` is not a variable of the operation: is `nss` meant? Its variables: `nss`.',
    });
    expect(await create({ refColumn: ' ' })).toMatchObject({ path: ['input', 'refColumn'] });
  });

  it('can be chosen again with the same key until the batch has rows', async () => {
    const input = { operation: CREDIT, key: 'plantilla' };
    const refused = await send(input, file);
    expect(refused.status).toBe(400);
    const sent = await send({ ...input, ...nssChoice }, file);
    expect(sent).toMatchObject({ id: refused.id, status: 200, rows: 2 });
    await client.until(sent.id, 'READY');
    expect((await client.create({ ...input, ...nssChoice })).batch.id).toBe(sent.id);
    expect((await client.create(input)).problems).toMatchObject([
      { path: ['input', 'key'], message: expect.stringContaining('other columns') },
    ]);
  });
});

const variable = (name: string, type: GraphQLInputType = GraphQLString): BatchVariable => ({
  name,
  type,
  isRequired: false,
});
const operationOf = (variables: readonly BatchVariable[]): BatchOperation => ({
  name: null,
  variables,
  explainRejection: () => null,
  createEstimator: () => {
    throw new Error('No row is priced here.');
  },
});
const range = <Value>(length: number, toValue: (index: number) => Value): readonly Value[] =>
  Array.from({ length }, (_, index) => toValue(index));
const longName = (prefix: string, index: number, length: number): string => `${prefix}${index} `.padEnd(length, 'áñü');

/** Returns the number of characters that are folded while `use` runs. This is what takes time if names are long. */
async function countFolded(use: () => unknown): Promise<number> {
  const original = String.prototype.normalize;
  let folded = 0;
  const spy = jest.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form?: string) {
    folded += this.length;
    return original.call(this, form);
  });
  try {
    await use();
  } finally {
    spy.mockRestore();
  }
  return folded;
}

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  yield Buffer.from(file);
}

/** Reads a file as an upload does, and returns its columns. */
async function read(file: string, variables: readonly BatchVariable[], choices: ColumnChoices = noChoices) {
  const operation = operationOf(variables);
  const { dataset } = await openDataset(bytesOf(file), operation, choices, 'a');
  const reader = new RowReader(operation, dataset, choices);
  reader.checkColumns([]);
  const rejections: unknown[] = [];
  for await (const row of dataset.rows) rejections.push(reader.read(row).refusal?.reason.english ?? null);
  return { columns: reader.columns, rejections };
}

describe('the names of columns and variables', () => {
  it('are folded a few times for each line, and not once for each pair of a column and a choice', async () => {
    const names = range(100, (index) => longName('columna', index, 100));
    const file = `Título,${names.join(',')}\n\n${names.join(',')},nss\n${names.map(() => 'x').join(',')},1\n`;
    const columns = names.map((name) => ({ column: name.toUpperCase(), variable: null }));
    const countFor = (choices: number) =>
      countFolded(() => read(file, [variable('nss')], { columns: columns.slice(0, choices), ref: null, sheet: null }));
    const single = await countFor(1);
    expect(single).toBeGreaterThan(file.length);
    expect(await countFor(100)).toBeLessThan(2 * single);
  });

  it('are folded as often for 500 variables as for one', async () => {
    const names = range(100, (index) => longName('columna', index, 400));
    const file = `v0,${names.join(',')}\n1,${names.map(() => 'x').join(',')}\n`;
    const jsonl = `${JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x'])))}\n`;
    const variables = range(500, (index) => variable(`v${index}`));
    for (const content of [file, jsonl]) {
      const single = await countFolded(() => read(content, variables.slice(0, 1)));
      const all = await countFolded(() => read(content, variables));
      expect(single).toBeGreaterThan(content.length / 2);
      expect(all).toBeLessThan(2 * single);
    }
  });

  it('are folded as often for 500 fields of an input object as for one', async () => {
    const typeOf = (count: number) => {
      const fields = range(count, (index) => [`f${index}`, { type: GraphQLString }] as const);
      return new GraphQLInputObjectType({ name: 'Person', fields: Object.fromEntries(fields) });
    };
    const columns = range(200, (index) => ({ column: `c${index}`, variable: longName('p.F', index, 480) }));
    const check = (count: number) =>
      countFolded(() => findChoiceProblem({ columns, ref: null, sheet: null }, [variable('p', typeOf(count))]));
    expect(await check(500)).toBeLessThan(20 * 500);
  });

  it('are rejected if they are longer than a name can be, before they are compared', async () => {
    const long = longName('columna', 1, 501);
    const message = /The name of a column has more than 500 characters/;
    await expect(read(`nss,${long}\n1,2\n`, [variable('nss')])).rejects.toThrow(message);
    const columns = [{ column: 'a', variable: `nss.${long.repeat(1_000)}` }];
    const folded = await countFolded(() =>
      expect(
        findChoiceProblem({ columns, ref: null, sheet: null }, [variable('nss')])?.reason.english.length,
      ).toBeLessThan(1_000),
    );
    expect(folded).toBeLessThan(10_000);
    expect((await read(`{"nss":"1"}\n${JSON.stringify({ [long]: 1 })}\n`, [variable('nss')])).rejections).toEqual([
      null,
      'The name of a column has more than 500 characters. Use shorter names.',
    ]);
  });

  it('are not compared if there are more of them than columns are allowed', async () => {
    const file = `${range(50_000, (index) => `c${index}`).join(',')}\n`;
    const folded = await countFolded(() =>
      expect(read(file, [variable('nss')])).rejects.toThrow('There are more than 200 columns.'),
    );
    expect(folded).toBeLessThan(1_000);
  });

  it('are listed in messages up to a number, also if an operation has thousands of variables', async () => {
    const inputs = range(2_000, (index) => ({ ...variable(`v${index}`), isRequired: true }));
    const failure = read(`${range(200, (index) => `columna ${index}`).join(',')}\n1\n`, inputs);
    const error = await failure.catch((reason: Error) => reason);
    expect((error as Error).message).toMatch(/^No columns have the names of the variables `v0`, .*`v49`, …/);
    expect((error as Error).message.length).toBeLessThan(3_000);
  });
});
