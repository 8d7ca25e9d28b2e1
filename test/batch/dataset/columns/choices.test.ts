import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

const [first = '', second = ''] = NSS;
const LICENCES = `query Licences($name: PersonNameInput!) { person(name: $name) { licences { outcome } } }`;
const file = `No. Empleado;Seguro;Nombre\n007;${first};Peña\n008;${second};Íñigo\n`;
const nssChoice = { columns: [{ column: 'seguro', variable: 'nss' }], refColumn: 'No. Empleado' };

describe('the columns of a dataset', () => {
  const padron = ledgerPadronForTests(engineRig('embedded'));
  const client = new BatchClient(padron);
  const spanish = new BatchClient(padron, undefined, { 'accept-language': 'es' });

  async function send(input: object, content: string | Buffer, by = client) {
    const { batch, problems } = await by.create(input);
    if (batch === null || problems.length > 0) return { problems };
    const { status, body } = await by.upload(batch.uploadUrl, content);
    return { id: batch.id, status, ...body, message: body.errors?.[0].message };
  }

  it('are matched by name without regard to punctuation, and still address fields with dots', async () => {
    expect((await send({ operation: CREDIT }, `N.S.S.\n${first}\n`)).columns).toEqual([
      { name: 'N.S.S.', variable: 'nss' },
    ]);
    const { columns } = await send({ operation: LICENCES }, 'name.names,NAME.Paternal-Surname\nANA,LÓPEZ\n');
    expect(columns.map(({ variable }: { variable: string }) => variable)).toEqual([
      'name.names',
      'name.paternalSurname',
    ]);
  });

  it('can be chosen for variables and for the label of each row', async () => {
    const sent = await send({ operation: CREDIT, ...nssChoice }, file);
    expect(sent).toMatchObject({ status: 200, rows: 2, refusedCount: 0, headerLine: 1 });
    const ready = await client.until(sent.id, 'READY');
    expect(ready.columns).toEqual([
      { name: 'No. Empleado', variable: 'ref' },
      { name: 'Seguro', variable: 'nss' },
      { name: 'Nombre', variable: null },
    ]);
    expect((await client.rows(sent.id)).map(({ ref }) => ref)).toEqual(['007', '008']);
  });

  it('are used as chosen even if another column has the name of the variable', async () => {
    const both = `nss,NSS,ref\n${first},x,a\n`;
    expect((await send({ operation: CREDIT }, both)).message).toMatch(/both fill `nss`/);
    const choice = { columns: [{ column: 'nss', variable: 'nss' }] };
    expect(await send({ operation: CREDIT, ...choice }, both)).toMatchObject({ status: 200, rows: 1 });
    const unused = ['NSS', 'ref'].map((column) => ({ column, variable: null }));
    expect((await send({ operation: CREDIT, columns: unused }, both)).columns).toEqual([
      { name: 'nss', variable: 'nss' },
      { name: 'NSS', variable: null },
      { name: 'ref', variable: null },
    ]);
  });

  it('are listed with the nearest names if a variable matches none of them', async () => {
    const sent = await send({ operation: CREDIT }, `No. Empleado;Num NSS;Nombre\n7;${first};Peña\n`);
    expect(sent).toMatchObject({
      status: 400,
      errors: [
        { extensions: { code: 'BAD_USER_INPUT', columns: ['No. Empleado', 'Num NSS', 'Nombre'], variables: ['nss'] } },
      ],
    });
    expect(sent.message).toBe(
      'No column has the name of the variable `nss`. Columns of the file: `No. Empleado`, `Num NSS`, `Nombre`. The nearest names: `Num NSS`. Rename a column, or choose one (`columns`, or `--map "Num NSS=nss"` on the command line).',
    );
    const inSpanish = await send({ operation: CREDIT }, `No. Empleado;Nombre\n7;Peña\n`, spanish);
    expect(inSpanish.message).toMatch(/^Ninguna columna tiene el nombre de la variable `nss`. Columnas del archivo: /);
    const fields = await send({ operation: LICENCES }, 'nombres,apellido,name.maternalSurname\nANA,LÓPEZ,X\n');
    expect(fields.message).toMatch(/^No columns have the names of the variables `name.names`, `name.paternalSurname`/);
    const absent = await send({ operation: CREDIT, columns: [{ column: 'Segurro', variable: 'nss' }] }, file);
    expect(absent.message).toMatch(/^The file has no column `Segurro`.* The nearest names: `Seguro`.$/);
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

  it('are found below title rows and blank lines', async () => {
    const title = `Plantilla noviembre 2026;;\n\n;;\n"Generó: RH, Monterrey"\n\n`;
    const sent = await send({ operation: CREDIT, ...nssChoice }, Buffer.from(title + file, 'latin1'));
    expect(sent).toMatchObject({ status: 200, rows: 2, headerLine: 6, encoding: 'Windows-1252' });
    await client.until(sent.id, 'READY');
    const { registryBatch } = await client.ask(
      'query($id: ID!) { registryBatch(id: $id) { rows { rows { line ref } } } }',
      { id: sent.id },
    );
    expect(registryBatch.rows.rows).toEqual([
      { line: 7, ref: '007' },
      { line: 8, ref: '008' },
    ]);
  });
});
