import { parse } from 'csv-parse/sync';
import { people } from '../../../../../src/extensions/sandbox/data/people';
import { ledgerPadronForTests } from '../../../../support/padrons/padron-for-tests';
import { BatchClient } from '../../../../support/requests/batches';
import { engineRig } from '../../../../support/stores/engines';

const [first, second, third] = people;
if (first === undefined || second === undefined || third === undefined) throw new Error('The sandbox has people.');
const CREDIT = `query($nss: NSS!, $curp: CURP) { person(nss: $nss, curp: $curp) { credit { outcome } } }`;
const WITH_NAME = `query($nss: NSS!, $name: PersonNameInput) { person(nss: $nss, name: $name) { credit { outcome } } }`;
const fullName = ({ names, paternalSurname, maternalSurname }: (typeof people)[number]) =>
  `${paternalSurname} ${maternalSurname ?? ''} ${names}`;

describe('an unmapped column', () => {
  const padron = ledgerPadronForTests(engineRig());
  const client = new BatchClient(padron);
  const spanish = new BatchClient(padron, undefined, { 'accept-language': 'es' });

  async function send(input: object, content: string, by = client) {
    const { batch, problems } = await by.create(input);
    if (batch === null || problems.length > 0) return { problems };
    const { status, body } = await by.upload(batch.uploadUrl, content);
    const { code, ...details } = body.errors?.[0].extensions ?? {};
    return { id: batch.id, status, columns: body.columns, code, details, message: body.errors?.[0].message };
  }

  const unmapped = `NSS,La CURP de la ficha\n${first.nss},${second.curp}\n`;

  it('stops the batch before its price, if its heading names a variable that no column fills', async () => {
    padron.calls();
    const sent = await send({ operation: CREDIT, key: 'ficha' }, unmapped);
    expect(sent).toMatchObject({
      status: 400,
      code: 'COLUMNS_UNMAPPED',
      message:
        'No column fills `curp`, and `La CURP de la ficha` seems to have it. Of the values of `La CURP de la ficha`, 1 of 1 are valid for `curp`. Choose the variable of each such column (`columns`, or `--column "La CURP de la ficha=curp"` on the command line), or say that the column is not used (`columns` with null as its variable, or `--unused "La CURP de la ficha"`).',
      details: {
        columns: ['NSS', 'La CURP de la ficha'],
        matches: [{ column: 'NSS', variable: 'nss' }],
        suggestions: [{ column: 'La CURP de la ficha', variable: 'curp', valid: 1, filled: 1 }],
      },
    });
    expect(await client.get(sent.id)).toMatchObject({ state: 'WAITING_FOR_ROWS', estimate: null });
    expect(padron.calls()).toEqual([]);
    const inSpanish = await send({ operation: CREDIT }, 'NSS,Cve CURP\n1,MUMC530509MNLXRL0\n', spanish);
    expect(inSpanish.message).toBe(
      'Ninguna columna llena `curp`, y parece que `Cve CURP` la tiene. Elija la variable de cada una de esas columnas (`columns`, o `--column "Cve CURP=curp"` en la línea de comandos) o indique que la columna no se usa (`columns` con null como variable, o `--unused "Cve CURP"`).',
    );
  });

  it('is compared once it is mapped, or named as not used in each row of the results', async () => {
    const mapped = { operation: CREDIT, columns: [{ column: 'La CURP de la ficha', variable: 'curp' }] };
    expect((await client.runFile(mapped, unmapped)).progress).toMatchObject({ done: 1, doubtful: 1 });
    const declined = { operation: CREDIT, columns: [{ column: 'La CURP de la ficha' }] };
    const { csvUrl, progress } = await client.runFile(declined, unmapped);
    expect(progress).toMatchObject({ done: 1, doubtful: 0 });
    const rowsIn = async (language: string) =>
      parse((await client.download(`${csvUrl}&language=${language}`)).text, { bom: true, columns: true });
    expect(await rowsIn('en')).toMatchObject([
      { Remarks: 'La CURP de la ficha: the column was not used, as chosen when the file was sent.' },
    ]);
    expect(await rowsIn('es')).toMatchObject([
      { Observaciones: 'La CURP de la ficha: la columna no se usó; así se eligió al enviar el archivo.' },
    ]);
  });

  it.each([
    [9, 'COLUMNS_UNMAPPED'],
    [8, undefined],
  ])('is found by its values if nine of ten are valid identifiers: %i of 10', async (valid, code) => {
    const rows = people.slice(0, 10).map(({ nss, curp }, index) => `${nss},${index < valid ? curp : 'por confirmar'}`);
    expect((await send({ operation: CREDIT }, `NSS,Clave\n${rows.join('\n')}\n`)).code).toBe(code);
  });

  it('is found in rows of a request, and in JSON lines also if only a later row has it', async () => {
    const rows = [{ nss: first.nss, 'CURP de la ficha': first.curp }];
    const { problems } = await client.create({ operation: CREDIT, rows });
    expect(problems).toMatchObject([{ code: 'COLUMNS_UNMAPPED', path: ['input', 'rows'] }]);
    const lines = Array.from({ length: 300 }, () => JSON.stringify({ nss: first.nss }));
    expect(await send({ operation: CREDIT }, [...lines, JSON.stringify(rows[0])].join('\n'))).toMatchObject({
      code: 'COLUMNS_UNMAPPED',
    });
  });

  it('gets a name in the file first, if it has none', async () => {
    const sent = await send({ operation: CREDIT }, `NSS,\n${first.nss},${first.curp}\n`);
    expect(sent.code).toBe('COLUMNS_UNMAPPED');
    expect(sent.message).toBe(
      'No column fills `curp`. Column 2 of the file has no usual name, and its values are valid: name it in the file, or remove it.',
    );
  });

  it('is listed beside others with the same variable, so that one answer is enough', async () => {
    const file = `NSS,CURP MADRE,x\n${first.nss},${second.curp},${third.curp}\n`;
    const { details } = await send({ operation: CREDIT }, file);
    expect(details).toMatchObject({ columns: ['NSS', 'CURP MADRE', 'x'] });
    expect(details.suggestions.map(({ column, variable }: Record<string, string>) => [column, variable])).toEqual([
      ['CURP MADRE', 'curp'],
      ['x', 'curp'],
    ]);
  });

  it('is not named if its name looks like the data of a person', async () => {
    const sent = await send({ operation: CREDIT }, `NSS,${third.curp}\n${first.nss},${second.curp}\n`);
    expect(sent.code).toBe('COLUMNS_UNMAPPED');
    expect(JSON.stringify([sent.message, sent.details])).not.toContain(third.curp);
  });

  it.each(['A. Mat.', 'Apell. Mat.', 'Materna', '2do Ap.', '2° Apell.', 'Ap M', 'Second surname', 'Otro apellido'])(
    'is found by its heading as the second surname: %s',
    async (heading) => {
      const operation = `query($names: String!, $paternalSurname: String!, $maternalSurname: String) {
        person(name: { names: $names, paternalSurname: $paternalSurname, maternalSurname: $maternalSurname }) { licences { outcome } } }`;
      const { code, columns } = await send({ operation }, `Nombre,Apellido paterno,${heading}\nANA,PEÑA,RUIZ\n`);
      expect(code ?? columns[2].variable).toMatch(/COLUMNS_UNMAPPED|maternalSurname/);
    },
  );

  it('is asked for by the parts of a name in an optional object, each with its own variable', async () => {
    const file = `NSS,Nombre,Paterno,Materno\n${first.nss},a,b,c\n`;
    expect((await send({ operation: WITH_NAME }, file)).details.suggestions).toEqual([
      { column: 'Nombre', variable: 'name.names', valid: 0, filled: 1 },
      { column: 'Paterno', variable: 'name.paternalSurname', valid: 0, filled: 1 },
      { column: 'Materno', variable: 'name.maternalSurname', valid: 0, filled: 1 },
    ]);
  });

  it.each([
    ['the variable has a column', `NSS,CURP,CURP del jefe\n${first.nss},${first.curp},${second.curp}\n`],
    ['it is a label', `NSS,ref\n${first.nss},${second.curp}\n`],
    ['its values are of another kind', `NSS,Teléfono,Importe\n${first.nss},8112345678,100.00\n`],
    ['its heading only has the word', `NSS,CURP validada,Fecha de consulta CURP,Clave\n${first.nss},SI,2025-01-31,\n`],
    ['it is empty', `NSS,Cve CURP\n${first.nss},\n`],
  ])('is not asked for if %s', async (_, file) => {
    expect(await send({ operation: CREDIT }, file)).toMatchObject({ status: 200 });
  });

  it('has full names that are compared word by word as a remark, unless the caller says that they are not used', async () => {
    const file = [first, second, third]
      .map((person, index) => `${person.nss},"${index === 1 ? fullName(third) : fullName(person).toLowerCase()}"`)
      .join('\n');
    const sent = { operation: WITH_NAME };
    const batch = await client.runFile(sent, `NSS,Nombre completo\n${file}\n`);
    expect(batch.columns).toEqual([
      { name: 'NSS', variable: 'nss' },
      { name: 'Nombre completo', variable: 'fullName' },
    ]);
    expect(batch.progress).toMatchObject({ done: 3, doubtful: 0 });
    const remark = { code: 'FULL_NAME_DIFFERS' };
    expect((await client.rows(batch.id)).map(({ problems }) => problems)).toEqual([[], [remark], []]);
    const unused = { ...sent, columns: [{ column: 'Nombre completo', variable: null }] };
    const declined = await client.runFile(unused, `NSS,Nombre completo\n${file}\n`);
    expect((await client.rows(declined.id)).flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('has no heading of two rows if the second one is a person', async () => {
    const operation = 'query($nss: NSS, $curp: CURP) { person(nss: $nss, curp: $curp) { credit { outcome } } }';
    const file = `NSS,CURP,\n,${first.curp},No tiene NSS\n${first.nss},,\n`;
    expect(await send({ operation }, file)).toMatchObject({
      status: 200,
      columns: [{ name: 'NSS' }, { name: 'CURP' }, { name: '' }],
    });
  });

  it.each([
    ['over two rows', `Clave,NSS,Nombre,,\n,,Paterno,Materno,Nombre(s)\n1,${first.nss},a,b,c\n`],
    [
      'over two rows below a title',
      `Plantilla\n\nClave,NSS,Nombre,,\n,,Paterno,Materno,Nombre(s)\n1,${first.nss},a,b,c\n`,
    ],
  ])('may have a heading that is merged %s', async (_, file) => {
    const names = ['names', 'paternalSurname', 'maternalSurname'];
    const operation = `query($nss: NSS!, $names: String!, $paternalSurname: String!, $maternalSurname: String) {
      person(nss: $nss, name: { names: $names, paternalSurname: $paternalSurname, maternalSurname: $maternalSurname }) { credit { outcome } } }`;
    const { status, columns } = await send({ operation }, file);
    expect(status).toBe(200);
    expect(columns.map(({ variable }: { readonly variable: string }) => variable)).toEqual([
      null,
      'nss',
      ...[names[1], names[2], names[0]],
    ]);
  });
});
