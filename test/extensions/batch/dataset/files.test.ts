import { Readable } from 'node:stream';
import { request } from 'undici';
import { inFullRun } from '../../../support/full-run';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { form } from '../../../support/requests/multipart';
import { engineRig } from '../../../support/stores/engines';

const [first = '', second = '', third = ''] = NSS;
const LICENCES = `query Licences($curp: CURP, $name: PersonNameInput!, $all: Boolean = false) {
  person(curp: $curp, name: $name) { curp licences { outcome } credit @include(if: $all) { outcome } } }`;

const padron = ledgerPadronForTests(engineRig());
const client = new BatchClient(padron);
beforeEach(() => void padron.calls());

/** Uploads a file to a new batch. Returns the result, or the status and the message of an error. */
async function upload(operation: string, file: string | Buffer, type = 'text/csv') {
  const { batch } = await client.create({ operation });
  const { status, body } = await client.upload(batch.uploadUrl, file, type);
  if (status !== 200) return { status, message: body.errors[0].message };
  const ready = await client.until(batch.id, 'READY');
  return { status, ...body, columns: ready.columns, id: batch.id };
}

describe('a dataset file', () => {
  it.each([
    ['commas', `ref,nss\na,${first}\nb,${second}\n`],
    ['lines that end with CR, as Excel for Mac writes them', `ref,nss\ra,${first}\r\rb,${second}\r`],
    ['semicolons and a byte order mark', `\uFEFFref;NSS\r\na;${first}\r\nb;${second}`],
    ['tabs', `ref\tnss\na\t${first}\nb\t${second}\n`],
    ['quotes with a line break in them', `"ref","$nss"\n"a","${first}"\n"b\nb","${second}"\n`],
    ['blank lines and empty rows', `ref,nss\n\na,${first}\n,\nb,${second}\n\n`],
    ['JSON lines', `{"ref":"a","nss":"${first}"}\n\n{"nss":"${second}"}\n`],
    ['JSON lines that end with CR', `{"ref":"a","nss":"${first}"}\r{"nss":"${second}"}\r`],
  ])('is read with %s', async (_what, file) => {
    expect(await upload(CREDIT, file)).toMatchObject({
      status: 200,
      rows: 2,
      ...{ refusedCount: 0, variables: ['nss'], encoding: 'UTF-8' },
      columns: expect.arrayContaining([expect.objectContaining({ variable: 'nss' })]),
    });
  });

  it('fills input objects by columns with dots, and ignores case, blanks and accents in names', async () => {
    const file = 'Référence;CURP;name.names;Name.Paternal Surname;ALL\nx;;ANA;LÓPEZ;sí\n';
    const { columns, rows, id } = await upload(LICENCES, file);
    expect(rows).toBe(1);
    expect(columns.map(({ name, variable }: Record<string, string>) => `${name}: ${variable}`)).toEqual([
      ...['Référence: null', 'CURP: curp', 'name.names: name.names'],
      ...['Name.Paternal Surname: name.paternalSurname', 'ALL: all'],
    ]);
    expect((await client.get(id)).estimate.endpoints.length).toBeGreaterThan(0);
  });

  it('reports rejected rows by line, and accepts the others', async () => {
    const file = `ref,nss\na,${first}\nb,\nc,${second},surplus\nd,${third}\n`;
    expect(await upload(CREDIT, file)).toMatchObject({
      rows: 2,
      refusedCount: 2,
      refused: [
        { line: 3, column: 'nss', message: 'The cell in the column `nss` is empty.' },
        { line: 4, column: null, message: 'The row has 3 values, but the header has 2 columns.' },
      ],
    });
    const jsonl = `{"nss":1}\nno json\n[]\n{"nss":"${first}"}\n`;
    const { refused } = await upload(CREDIT, jsonl);
    expect(refused.map(({ line, message }: { line: number; message: string }) => [line, message])).toEqual([
      [1, 'The value does not fit the variable `nss: NSS!`.'],
      [2, 'The line is not JSON. Write one object per line, without a comma after it.'],
      [3, 'The line is not a JSON object. Write one object per line.'],
    ]);
  });

  it('names the columns of the file in the reason of a rejected row, and the variables if their names differ', async () => {
    const { batch } = await client.create({
      operation: LICENCES,
      columns: [
        { column: 'Nombre', variable: 'name.names' },
        { column: 'Apellido', variable: 'name.paternalSurname' },
      ],
      refColumn: 'Clave',
    });
    const long = 'x'.repeat(201);
    const file = `Clave,Nombre,Apellido\na,,\nb,ANA,\n${long},ANA,LÓPEZ\nd,ANA,LÓ\0PEZ\ne,ANA,LÓPEZ\n`;
    await client.upload(batch.uploadUrl, file);
    const reasons = async (language: string) => {
      const reader = new BatchClient(padron, undefined, { 'accept-language': language });
      return (await reader.get(batch.id)).refusedRows.map(({ message }: { message: string }) => message);
    };
    expect(await reasons('en')).toEqual([
      'The cells in the columns `Nombre` (`name.names`), `Apellido` (`name.paternalSurname`) are empty.',
      'The value does not fit the variable `name: PersonNameInput!`. It needs `Apellido` (`name.paternalSurname`).',
      'The label of the row, in the column `Clave`, has more than 200 characters.',
      'Apellido: The value has a NUL character (U+0000). Remove it.',
    ]);
    expect(await reasons('es')).toEqual([
      'Las celdas de las columnas `Nombre` (`name.names`), `Apellido` (`name.paternalSurname`) están vacías.',
      'El valor no corresponde a la variable `name: PersonNameInput!`. Le falta `Apellido` (`name.paternalSurname`).',
      'La etiqueta de la fila, en la columna `Clave`, tiene más de 200 caracteres.',
      'Apellido: El valor tiene un carácter NUL (U+0000). Quítelo.',
    ]);
    const jsonl = `{"N.S.S.":1}\n{"ref":"b"}\n{"nss":"${first}"}\n`;
    expect((await upload(CREDIT, jsonl)).refused).toMatchObject([
      { message: 'The value of the column `N.S.S.` does not fit the variable `nss: NSS!`.' },
      { message: 'The variable `nss` has no value.' },
    ]);
  });

  it.each([
    ['an empty file', '', /file is empty/],
    ['only a header', 'nss\n', /no rows/],
    ['no column for a variable', `number\n${first}\n`, /No column has the name of the variable `nss`/],
    [
      'no header, without quoting a person',
      `${first},ANA\n${second},EVA\n`,
      /^(?!.*ANA|.*\d{5}).*first row has no usual/,
    ],
    ['no header but names', 'JUAN CARLOS,SEGURA,CAPELLAN\n', /^(?!.*JUAN|.*SEGURA|.*CAPELLAN).*first row has no usual/],
    ['a header with an NSS', `Clave,${first}\n1,${second}\n`, /^(?!.*\d{5}).*Columns of the file: `Clave`\./],
    ['two columns with the same name', `nss,nss\n${first},${second}\n`, /same name/],
    ['only rejected rows', 'ref,nss\na,\n', /All rows \(1\) are rejected/],
    ['NSS;nss', `NSS;nss\n${first};${second}\n`, /`NSS` and `nss` both fill `nss`/],
    ['three spellings', `ref,nss,N.S.S.,N-S S\na,${first},x,${second}\n`, /`nss` and `N.S.S.` both fill `nss`/],
    ['ref,Ref', `ref,Ref,nss\na,b,${first}\n`, /`ref` and `Ref` both fill `ref`/],
    [
      'an input object and its field',
      `curp,name,name.names\nx,{},ANA\n`,
      /`name` and `name.names` both fill `name`/,
      LICENCES,
    ],
    ['JSON lines', `{"nss":"${first}","NSS":"${second}"}\n`, /line 1: The columns `nss` and `NSS` both fill `nss`/],
    ['labels in JSON lines', `{"ref":"a","REF":"b","nss":"${second}"}\n`, /`ref` and `REF` both fill `ref`/],
    [
      'a JSON array',
      `[{"nss":"${first}"},\n{"nss":"${second}"}]\n`,
      /JSON array. Send JSON lines: one object per line/,
    ],
    [
      'a web page called .xls',
      `<html><table><tr><td>NSS</td></tr><tr><td>${first}</td></tr></table></html>`,
      /^[^<]*web page or XML[^<]*$/,
    ],
    ['XML of Excel 2003', `\ufeff<?xml version="1.0"?>\n<Workbook><Row>${first}</Row></Workbook>`, /web page or XML/],
    ['a JSON array that begins on a separate line', `[\n{"nss":"${first}"}\n]\n`, /JSON array/],
    ['UTF-16', Buffer.from(`nss\n${first}\n`, 'utf16le'), /UTF-16/],
    [
      'an open quote',
      `ref,note,nss\n\na,"x\ny",${first}\nb,"open,${second}\nc,x,${third}\n`,
      /opens at line 5 is not closed/,
    ],
    ['an open quote with CRLF', `ref,nss\r\na,"${first}\r\n"\r\nb,"${second}\r\n`, /opens at line 4 is not closed/],
    [
      'an open quote far from the end',
      `nss,note\n${first},"open${'\nx'.repeat(600_000)}\n`,
      /opens at line 2 is not closed/,
    ],
  ])('is rejected as a whole with the reason: %s', async (_what, file, message, operation = CREDIT) => {
    const { status, message: text } = await upload(operation, file);
    expect(status).toBe(400);
    expect(text).toMatch(message);
  });

  it.each([
    [
      'a quote at the beginning of two cells',
      (end: string) =>
        `ref,note,nss${end}a,"5 pipe,${first}${end}b,x,${second}${end}c,"y,${first}${end}d,z,${third}${end}`,
    ],
    [
      'a quote at the beginning of one cell and at the end of another',
      (end: string) =>
        `ref,note,nss${end}a,"5 pipe,${first}${end}b,x,${second}${end}c,y",${first}${end}d,z,${third}${end}`,
    ],
  ])('has a row rejected whose cell contains other rows because of %s', async (_what, write) => {
    for (const end of ['\n', '\r\n', '\r'])
      expect(await upload(CREDIT, write(end))).toMatchObject({
        rows: 1,
        refusedCount: 1,
        refused: [{ line: 2, message: expect.stringContaining('ends at line 4 and seems to contain other rows') }],
      });
  });

  it('may mix line ends: a single CR also ends a row, and no row disappears in a cell of another', async () => {
    const operation = 'query Credit($nss: NSS!, $curp: CURP) { person(nss: $nss, curp: $curp) { credit { outcome } } }';
    expect(await upload(operation, `nss,curp\n${first},\r${second},\r\n10,\n`)).toMatchObject({
      rows: 3,
      refusedCount: 0,
    });
    const { refused } = await upload(operation, `nss,curp\r\n${first},\r,\n\r${second},\n,X\r${third},\r\n`);
    expect(refused).toMatchObject([{ line: 6, message: 'The cell in the column `nss` is empty.' }]);
  });

  it('may have cells with several lines and quotes within cells', async () => {
    const file = `ref,note,nss\na,"Calle 5, Centro\n06000, CDMX",${first}\nb,5" pipe,${second}\nc,ANA "LA GÜERA",${third}\n`;
    expect(await upload(CREDIT, file)).toMatchObject({ rows: 3, refusedCount: 0 });
  });

  it('keeps null and `__proto__` of JSON lines as they are, and refuses a number that lost digits', async () => {
    const lines = [`{"nss":"${first}","note":null,"__proto__":"x"}`, 'no JSON', `{"nss":"${second}","note":"null"}`];
    const { id, refused } = await upload(
      CREDIT,
      [...lines, `{"nss":"${third}","ref":12345678901234567890}`].join('\n'),
    );
    expect(refused).toMatchObject([
      { line: 2 },
      { line: 4, message: expect.stringMatching(/^ref: The number has more digits than JSON programs keep/) },
    ]);
    const batch = await client.run(id);
    const jsonl = (await client.download(batch.jsonlUrl)).text.trim().split('\n');
    const inputs = jsonl.map((line) => JSON.stringify(JSON.parse(line).input));
    expect(inputs.slice(0, 3)).toEqual([
      `{"nss":"${first}","note":null,"__proto__":"x","ref":""}`,
      '{"nss":"","note":"","__proto__":"","ref":""}',
      `{"nss":"${second}","note":"null","__proto__":"","ref":""}`,
    ]);
    const table = (await client.download(batch.csvUrl)).text.split('\r\n').slice(1, 4);
    expect(table.map((line) => line.split(',').slice(0, 3).join())).toEqual([`${first},,x`, ',,', `${second},null,`]);
  });

  it('is only accepted through the upload link of its batch', async () => {
    const { batch } = await client.create({ operation: CREDIT });
    const another = (await client.create({ operation: CREDIT })).batch;
    const stolen = batch.uploadUrl.replace(batch.id, another.id);
    expect((await client.upload(stolen, `nss\n${first}\n`)).status).toBe(403);
    const inSpanish = await fetch(stolen, { method: 'POST', headers: { 'accept-language': 'es-MX' }, body: 'nss\n' });
    const { errors } = (await inSpanish.json()) as { readonly errors: readonly { readonly message: string }[] };
    expect(errors[0]?.message).toBe('Este enlace no es válido o ya venció. Pida uno nuevo al grafo.');
    const results = batch.uploadUrl.replace('/rows?', '/results.csv?');
    expect((await client.download(results)).status).toBe(403);
    const changed = batch.uploadUrl.replace(/link=./, (start: string) => (start === 'link=A' ? 'link=B' : 'link=A'));
    expect((await client.upload(changed, `nss\n${first}\n`)).status).toBe(403);
  });
});

const maxBytes = 200_000_000;
const csv = `nss\n${first}\n${second}\n`;
const firstLine = `${JSON.stringify({ nss: first })}\n`;
const lastLine = `${JSON.stringify({ nss: second })}\n`;
/** A blank line, which is skipped, so that a file of any size can have two rows. */
const blankLine = Buffer.from(`${' '.repeat(99_999)}\n`);

describe('a dataset sent as a form', () => {
  async function send(url: string, type: string, body: Buffer | Readable) {
    const response = await request(url, { method: 'POST', headers: { 'content-type': type }, body });
    // biome-ignore lint/suspicious/noExplicitAny: the border to JSON; the tests assert what they read.
    const { rows, errors } = (await response.body.json()) as any;
    return { status: response.statusCode, rows, code: errors?.[0].extensions.code, message: errors?.[0].message };
  }

  const uploadUrl = async (): Promise<string> => (await client.create({ operation: CREDIT })).batch.uploadUrl;

  inFullRun.each(['application/x-ndjson', 'multipart/form-data; boundary=b'])(
    'is accepted to its last row at 200 MB, and rejected as a whole at one byte more, sent as %s',
    async (type) => {
      const [before, after] = type.startsWith('multipart')
        ? ['--b\r\ncontent-disposition: form-data; name="file"; filename="people.jsonl"\r\n\r\n', '\r\n--b--\r\n']
        : ['', ''];
      async function* file(bytes: number): AsyncGenerator<Buffer> {
        yield Buffer.from(before + firstLine);
        let left = bytes - firstLine.length - lastLine.length;
        for (; left > blankLine.length; left -= blankLine.length) yield blankLine;
        yield Buffer.from(`${' '.repeat(left - 1)}\n${lastLine}${after}`);
      }
      const url = await uploadUrl();
      expect(await send(url, type, Readable.from(file(maxBytes + 1)))).toMatchObject({
        status: 400,
        code: 'BAD_USER_INPUT',
        message: expect.stringContaining('has more than 200000000 bytes'),
      });
      expect(await send(url, type, Readable.from(file(maxBytes)))).toMatchObject({ status: 200, rows: 2 });
    },
  );

  const whole = form([{ name: 'file', filename: 'people.csv', body: csv }]);
  const boundary = whole.contentType.replace(/.*boundary=/, '');

  it.each([
    ['lacks its closing boundary', whole.body.subarray(0, -boundary.length - 8), /incomplete/],
    ['ends within its closing boundary', whole.body.subarray(0, -6), /incomplete/],
    ['ends within a header', whole.body.subarray(0, 30), /incomplete/],
    ['is empty', Buffer.alloc(0), /no file/],
    ['has no file', form([{ name: 'file', body: csv }]).body, /no file/],
    [
      'has two files',
      form([
        { name: 'a', filename: 'a.csv', body: csv },
        { name: 'b', filename: 'b.csv', body: csv },
      ]).body,
      /more than one file/,
    ],
    ['is not a form', Buffer.from(csv), /incomplete|no file/],
    ['names its file `__proto__`', form([{ name: '__proto__', filename: 'a.csv', body: csv }]).body, /cannot be read/],
  ])('is rejected with status 400 if the form %s, and another form can be sent', async (_what, body, message) => {
    const url = await uploadUrl();
    const sameBoundary = Buffer.from(body.toString().replaceAll(/test-[0-9a-f]{18}/g, boundary));
    expect(await send(url, whole.contentType, sameBoundary)).toMatchObject({
      status: 400,
      code: 'BAD_USER_INPUT',
      message: expect.stringMatching(message),
    });
    expect(await send(url, 'multipart/form-data', sameBoundary)).toMatchObject({ status: 400 });
    expect(await send(url, whole.contentType, whole.body)).toMatchObject({ status: 200, rows: 2 });
    expect(padron.log.filter((line) => line.includes('"level":"error"') || line.includes('"level":50'))).toEqual([]);
    expect(padron.calls()).toEqual([]);
  });
});
