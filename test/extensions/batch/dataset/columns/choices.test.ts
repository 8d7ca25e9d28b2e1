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

  it('are matched by name without regard to punctuation, and still address fields with dots', async () => {
    expect(usesOf(await send({ operation: CREDIT }, `N.S.S.\n${first}\n`))).toEqual(['N.S.S.: nss']);
    const dotted = await send({ operation: LICENCES }, 'name.names,NAME.Paternal-Surname\nANA,LÓPEZ\n');
    expect(usesOf(dotted)).toEqual(['name.names: name.names', 'NAME.Paternal-Surname: name.paternalSurname']);
  });

  it('can be chosen for variables and for the label of each row', async () => {
    const sent = await send({ operation: CREDIT, ...nssChoice }, file);
    expect(sent).toMatchObject({ status: 200, rows: 2, refusedCount: 0, headerLine: 1 });
    const ready = await client.until(sent.id, 'READY');
    expect(usesOf(ready)).toEqual(['No. Empleado: ref', 'Seguro: nss', 'Nombre: null']);
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
      'No column has the name of the variable `nss`. Columns of the file: `No. Empleado`, `Trabajador`, `Nombre`. Rename a column, or choose one (`columns`, or `--map` on the command line).',
    );
    const inSpanish = await send({ operation: CREDIT }, `No. Empleado;Nombre\n7;Peña\n`, spanish);
    expect(inSpanish.message).toMatch(/^Ninguna columna tiene el nombre de la variable `nss`. Columnas del archivo: /);
    expect(inSpanish.errors[0].extensions.reason).toBe('Ninguna columna tiene el nombre de la variable `nss`.');
    const fields = await send({ operation: LICENCES }, 'nombrecito,apellido,name.maternalSurname\nANA,LÓPEZ,X\n');
    expect(fields.message).toMatch(/^No columns have the names of the variables `name.names`, `name.paternalSurname`/);
    const absent = await send({ operation: CREDIT, columns: [{ column: 'Segurro', variable: 'nss' }] }, file);
    expect(absent.message).toMatch(/^The file has no column `Segurro`.* The nearest names: `Seguro`.$/);
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
    expect(sent.message).toMatch(/choose one \(`columns`, or `--map "Trabajador=nss"` on the command line\)\.$/);
    const inSpanish = await send({ operation: CREDIT }, sheet, spanish);
    expect(inSpanish.message).toContain('De los valores de `Trabajador`, 3 de 4 son válidos para `nss`.');
    expect(inSpanish.message).toMatch(/elija una \(`columns`, o `--map "Trabajador=nss"` en la línea de comandos\)\.$/);
  });

  it.each([
    ['Núm. Seguro Social', 'Número de Seguridad Social', 'No. IMSS', 'NÚM. DE SEGURO SOCIAL', 'N.º de Seguro Social'],
    ['NSS (IMSS)', 'Num NSS', 'Nro. de afiliación', 'Afiliación IMSS', 'no_seguro_social'],
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
    [employer, 'Registro Patronal', 'A0123456789', ['id']],
    [employer, 'Reg. Patronal IMSS', 'A0123456789', ['id']],
    [identity, 'C.U.R.P.', 'MUMC530509MNLXRL02', ['worker']],
  ])('of %s have the usual Spanish headings %s', async (operation, headings, row, variables) => {
    const { columns } = await send({ operation }, `${headings}\n${row}\n`);
    expect(columns.map(({ variable }: Column) => variable)).toEqual(variables);
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
      'The columns `No. IMSS` and `Núm. Seguro Social` both fill `nss`. Of the values of `Núm. Seguro Social`, 1 of 1 are valid for `nss`. Remove one of the columns, or choose one (`columns`, or `--map "Núm. Seguro Social=nss"` on the command line).',
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
