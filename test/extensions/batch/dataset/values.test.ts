import { buildSchema, type GraphQLInputType, isInputType, parseType, typeFromAST } from 'graphql';
import { request } from 'undici';
import { DatasetError } from '../../../../src/extensions/batch/dataset/dataset';
import { findCellSubjects } from '../../../../src/extensions/batch/dataset/load-dataset';
import { explainMisfit } from '../../../../src/extensions/batch/dataset/misfit';
import { readCell } from '../../../../src/extensions/batch/dataset/read-cell';
import { DecodedText } from '../../../../src/extensions/batch/dataset/text/decode-text';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { checkNss } from '../../../../src/identifiers/subjects';
import { writeWorkbook } from '../../../support/documents/write-workbook';
import { CREDIT as creditAddress } from '../../../support/operations/people-endpoints';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

// The reader recognizes the scalars of the graph by their names.
const schema = buildSchema(`scalar NSS scalar EmployerRegistration scalar LicenceNumber scalar YearMonth
  input Name { names: String! paternalSurname: String! maternalSurname: String nss: NSS } type Query { a: Int }`);

function typeOf(text: string): GraphQLInputType {
  const type = typeFromAST(schema, parseType(text) as never);
  if (!isInputType(type)) throw new Error(`${text} is not an input type.`);
  return type;
}

describe('a cell of a spreadsheet', () => {
  it.each([
    ['an NSS as it is', 'NSS!', '04159600263', '04159600263', null],
    ['an NSS without its zero', 'NSS!', '4159600263', '04159600263', /read as 04159600263, whose check digit fits/],
    ['the same in a float', 'NSS!', '4159600263.0', '04159600263', /read as 04159600263/],
    ['ten digits whose check digit does not fit', 'NSS', '4159600264', '4159600264', /format the column as text/],
    ['nine digits', 'NSS', '159600263', '159600263', /has 9 digits. If a spreadsheet removed leading zeros/],
    ['an NSS of zeros', 'NSS', '0000000000', '0000000000', null],
    ['an NSS that is the number zero', 'NSS', '0', '0', null],
    ['a registration of zeros', 'EmployerRegistration', '0000000000', '0000000000', null],
    ['a formula that keeps the zero', 'NSS', '="04159600263"', '04159600263', null],
    ['an apostrophe that keeps the zero', 'NSS', "'04159600263", '04159600263', null],
    ['an NSS with dashes', 'NSS', '0415-96-0026-3', '04159600263', null],
    ['a name with an apostrophe', 'String', "'t Hooft", "'t Hooft", null],
    ['a formula of another program', 'String', "'=SUM(A1)", '=SUM(A1)', null],
    ['a registration of ten digits', 'EmployerRegistration', '6012345102', '6012345102', null],
    ['a list with one NSS', '[NSS!]', '4159600263', '04159600263', /read as/],
    ['a list in JSON', '[NSS!]', '["4159600263"]', ['04159600263'], /read as/],
    ['an object in JSON', 'Name', '{"nss":"4159600263"}', { nss: '04159600263' }, /read as/],
    ['a boolean of a Spanish spreadsheet', 'Boolean', 'VERDADERO', true, null],
    ['an empty cell', 'NSS', '  ', undefined, null],
  ])('is read: %s', (_what, type, text, value, remark) => {
    const read = readCell(text, typeOf(type));
    expect(read.value).toEqual(value);
    expect(read.rejection).toBeUndefined();
    if (remark === null) expect(read.remark).toBeUndefined();
    else expect(read.remark?.english).toMatch(remark);
  });

  it.each(['NSS', 'EmployerRegistration', 'LicenceNumber'])('is rejected in scientific notation: %s', (type) => {
    for (const text of ['4.1596E+9', '4,1596E+09', '4E9'])
      expect(readCell(text, typeOf(type)).rejection).toMatchObject({
        english: expect.stringContaining('format the column as text'),
        spanish: expect.stringContaining('formato de texto'),
      });
  });

  it('keeps a registration of ten digits and says that a zero may be missing, if its check digit would fit', () => {
    const read = readCell('6012345101', typeOf('EmployerRegistration'));
    expect([read.value, read.remark?.english]).toEqual(['6012345101', expect.stringContaining('format the column')]);
  });

  it.each([
    ['2025-01', ['01/2025', '1-2025', 'ene-25', 'Ene. 2025', 'enero 2025', 'enero de 2025', 'Jan-25', "ene '25"]],
    ['2025-01', ['2025-01', '2025/1', '2025-01-31', '2025-01-01T00:00:00', '31/01/2025']],
    ['2024-09', ['septiembre 2024', 'sept. 2024', 'setiembre 2024']],
    ['2025-12', ['DICIEMBRE DE 2025', 'Diciembre De 2025', 'DIC-2025', '202512', '202512.0', '2025 12', '12/2025']],
    ['2025-12', ['2025-DIC', '2025 Diciembre', '2025, dic.']],
    ['2025-08', ['agto-25', 'AGTO. DE 2025']],
    ['2026-03', ['15 mar 26']],
    ['2099-01', ['Jan 99']],
  ])('is read as the month %s: %j', (value, texts) => {
    for (const text of texts) expect([text, readCell(text, typeOf('YearMonth'))]).toEqual([text, { value }]);
  });

  it.each([
    'marciano 2026',
    'enemigo 2026',
    'juniors 26',
    '13/2025',
    '202513',
    '187012',
    '20251',
    '2025 de',
    '12/25/2025',
    'pronto',
  ])('is not read as a month: %s', (value) => expect(readCell(value, typeOf('YearMonth'))).toEqual({ value }));

  it.each([
    ['01/03/2025', '2025-03', 'se lee con el día primero, como'],
    ['03/01/25', '2025-01', 'se lee con el día primero, como'],
    ['25/01/02', '2002-01', 'se lee con el día primero, como'],
    ['03/25', '2025-03', 'se lee como mes y año:'],
    ['3-99', '2099-03', 'se lee como mes y año:'],
    ['Jan 26', '2026-01', 'se lee como mes y año:'],
    ['mar 26', '2026-03', 'se lee como mes y año:'],
    ['Marzo, 05', '2005-03', 'se lee como mes y año:'],
  ])('is read as a month with a remark if its numbers could mean something else: %s', (text, value, spanish) => {
    expect(readCell(text, typeOf('YearMonth'))).toMatchObject({
      value,
      remark: { spanish: `\`${text}\` ${spanish} ${value}.` },
    });
  });

  it.each(['03/04', '3-04', '12.12', ' 03/12 '])(
    'is rejected as a month if it can be a month and a year or a day and a month: %s',
    (text) => {
      const { rejection } = readCell(text, typeOf('YearMonth!'));
      expect(rejection).toMatchObject({
        english: expect.stringContaining('Write the year with four digits, such as 2025-03.'),
        spanish: expect.stringContaining('Escriba el año con cuatro dígitos, por ejemplo 2025-03.'),
      });
      expect(rejection?.english).not.toContain(text.trim());
    },
  );
});

describe('a value that does not fit its variable', () => {
  it('is explained with the names of the fields and without their values', () => {
    const explain = (value: unknown) => explainMisfit('name', typeOf('Name!'), value, new Map())?.english;
    expect(explain({ names: 'ANA', paternalSurname: 'LÓPEZ' })).toBeUndefined();
    expect(explain({ maternalSurname: 'secret' })).toBe(
      'The value does not fit the variable `name: Name!`. It needs `name.names`, `name.paternalSurname`.',
    );
    expect(explain({ names: 1, paternalSurname: 'LÓPEZ', edad: 3 })).toBe(
      'The value does not fit the variable `name: Name!`. It has no field `name.edad`. These fields do not fit: `name.names`.',
    );
    expect(explain('secret')).toBe('The value does not fit the variable `name: Name!`.');
  });
});

describe('the identifiers in the cells of a row', () => {
  it.each([
    ['alone', '041-5960-0263'],
    ['within a text', 'Revisar el NSS 04159600263 (URIEL)'],
    ['in JSON', '{"person":{"nss":"04159600263"}}'],
    ['in other rows that a quote swallowed', `URIEL",15/01/2025\n00002;04159600263;${'x'.repeat(500)}`],
  ])('are found %s', (_where, cell) => {
    expect(findCellSubjects(['a', cell])).toContainEqual({ kind: 'nss', value: '04159600263' });
  });

  it('are at most a thousand of each cell', () => {
    expect(findCellSubjects([`${'1234567890 '.repeat(1_000)}04159600263`])).toEqual([]);
  });
});

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function decode(bytes: Buffer, size: number) {
  const decoded = new DecodedText(chunks(bytes, size));
  let text = '';
  for await (const part of decoded) text += part;
  return { text, encoding: decoded.encoding };
}

const text = 'nss;nombre\n1;MUÑOZ «Ñoño» Íñigo\n2;Peña\n';
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

describe('a text file', () => {
  it.each([
    ['UTF-8', Buffer.from(`${text}🙂`), 'UTF-8', `${text}🙂`],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`), 'UTF-8', text],
    ['ASCII', Buffer.from('a,b\n1,2\n'), 'UTF-8', 'a,b\n1,2\n'],
    ['a single character', Buffer.from('a'), 'UTF-8', 'a'],
    ['nothing', Buffer.alloc(0), 'UTF-8', ''],
    ['Windows-1252', Buffer.from(text, 'latin1'), 'Windows-1252', text],
    ['the euro of Windows-1252', Buffer.from('a\n\x80 5\n', 'latin1'), 'Windows-1252', 'a\n€ 5\n'],
    ['Windows-1252 with an accent at the end', Buffer.from('JOS\xe9', 'latin1'), 'Windows-1252', 'JOSé'],
    ['UTF-16LE', Buffer.from(`\uFEFF${text}`, 'utf16le'), 'UTF-16', text],
    ['UTF-16BE', swapped(Buffer.from(`\uFEFF${text}`, 'utf16le')), 'UTF-16', text],
  ])('is decoded, with any division into chunks: %s', async (_what, bytes, encoding, expected) => {
    for (const size of [1, 2, 3, 5, 1_000]) expect(await decode(bytes, size)).toEqual({ text: expected, encoding });
  });

  it.each([
    ['MacRoman', 'MU\x84OZ,ANDR\x83S\nPe\x96a,Jos\x8e,Ver\x97nica\n', 'MUÑOZ,ANDRÉS\nPeña,José,Verónica\n'],
    ['CP850', 'MU\xa5OZ,ANDR\x90S,JES\xe9S\nPe\xa4a,Jos\x82,Jes\xa3s\n', 'MUÑOZ,ANDRÉS,JESÚS\nPeña,José,Jesús\n'],
    [
      'Windows-1252',
      'O\x92FARRILL,D\x92\xc1vila\nJuan\xa0P\xe9rez \x96 Jes\xfas\n',
      'O’FARRILL,D’Ávila\nJuan\u00a0Pérez – Jesús\n',
    ],
    ['Windows-1252', 'ANNA,M\xd6LLER\nSandra,D\x92angelo\n', 'ANNA,MÖLLER\nSandra,D’angelo\n'],
    [
      'Windows-1252',
      `Jos\xe9,N\xfa\xf1ez\n${' '.repeat(1_000)}\nD\x92angelo\n`,
      `José,Núñez\n${' '.repeat(1_000)}\nD’angelo\n`,
    ],
    ['CP850', 'Hern\xa0ndez,Mu\xa4oz\n', 'Hernández,Muñoz\n'],
  ])('is decoded by its Spanish letters and their neighbours: %s', async (encoding, bytes, expected) => {
    for (const size of [7, 1_000])
      expect(await decode(Buffer.from(bytes, 'latin1'), size)).toEqual({ text: expected, encoding });
  });

  it.each([
    ['MacRoman after Windows-1252', Buffer.from(`MU\xd1OZ\n${' '.repeat(1_000)}\nMU\x84OZ\n`, 'latin1')],
    ['UTF-8 first', Buffer.concat([Buffer.from('PEÑA\n'), Buffer.from('MU\xd1OZ\n', 'latin1')])],
    ['Windows-1252 first', Buffer.concat([Buffer.from('MU\xd1OZ\n', 'latin1'), Buffer.from('PEÑA\n')])],
    ['a sequence that is not complete', Buffer.concat([Buffer.from('PEÑA\n'), Buffer.of(0xc3)])],
  ])('is rejected if it mixes encodings: %s', async (_what, bytes) => {
    await expect(decode(bytes, 1_000)).rejects.toThrow(/save it as «CSV UTF-8»/);
    await expect(decode(bytes, 1_000)).rejects.toBeInstanceOf(DatasetError);
  });
});

const [first = '', second = ''] = NSS;
const longName = `n${'.'.repeat(900_000)}ss`;
const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

describe('a dataset that is made to exhaust memory or the stack', () => {
  const padron = ledgerPadronForTests(engineRig());
  const client = new BatchClient(padron);

  async function upload(file: string | Buffer, input: object = {}) {
    const { batch } = await client.create({ operation: CREDIT, ...input });
    const { status, body } = await client.upload(batch.uploadUrl, file);
    return { id: batch.id, status, ...body, message: body.errors?.[0].message };
  }

  afterEach(() => {
    expect(padron.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
    expect(padron.calls()).toEqual([]);
  });

  it.each([
    ['CSV', async () => `${longName}\n${first}\n`, /name of a column has more than 500 characters/],
    ['a workbook', () => writeWorkbook([['nss', 'x'.repeat(501)], [first]]), /name of a column has more than 500 char/],
    ['JSON lines', async () => `{"${longName}":"${first}"}\n`, /name of a column has more than 500 characters/],
    ['CSV, with a NUL', async () => `Staff\nnss,no\0te\n${first},x\n`, /name of a column has a NUL/],
  ])('is rejected if the name of a column is not allowed, in %s', async (_what, make, message) => {
    expect(await upload(await make())).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  it('may have names of 500 characters, which messages shorten', async () => {
    const name = `n${'.'.repeat(497)}ss`;
    const { refused, rows, columns } = await upload(`${name}\n4.1E+9\n${first}\n`);
    expect({ rows, columns }).toEqual({ rows: 1, columns: [{ name, variable: 'nss' }] });
    expect(refused[0].message).toMatch(/^n\.{59}: The NSS is a number in scientific notation/);
  });

  it('may have members of JSON lines that differ in case, if they are chosen by their exact names', async () => {
    const columns = [
      { column: 'NSS', variable: null },
      { column: 'nss', variable: 'nss' },
    ];
    const sent = await upload(`{"NSS":"${first}","nss":"${second}"}\n`, { columns });
    expect(sent.columns).toEqual(columns.map(({ column, variable }) => ({ name: column, variable })));
  });

  it('has a row of JSON lines refused if it has more members than a table has columns', async () => {
    const members = Object.fromEntries(Array.from({ length: 200 }, (_item, index) => [`c${index}`, index]));
    const lines = [{ nss: first }, { nss: second, ...members }].map((row) => JSON.stringify(row));
    expect(await upload(`${lines.join('\n')}\n`)).toMatchObject({
      rows: 1,
      refused: [{ line: 2, message: 'There are more than 200 columns.' }],
      columns: [{ name: 'nss', variable: 'nss' }],
    });
  });

  it('has a row refused whose values are nested too deep', async () => {
    const file = `{"nss":"${first}","note":${nested}}\n{"nss":${nested}}\n{"nss":"${second}","note":[[1]]}\n`;
    expect(await upload(file)).toMatchObject({
      rows: 1,
      refusedCount: 2,
      refused: [1, 2].map((line) => ({ line, message: expect.stringContaining('more than 100 levels') })),
    });
  });

  it.each([
    ['a batch', 'mutation($input: RegistryBatchInput!) { createRegistryBatch(input: $input) { batch { id } } }'],
    ['an estimate', 'query($input: UnitEstimateInput!) { unitEstimate(input: $input) { estimatedUnits } }'],
  ])('is rejected if the rows of a request for %s are nested too deep', async (_what, query) => {
    const operation = JSON.stringify(CREDIT);
    const response = await request(padron.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` },
      body: `{"query":"${query}","variables":{"input":{"operation":${operation},"rows":[{"nss":"${first}","x":${nested}}]}}}`,
    });
    const message = 'Variable "$input": it has more than 100 levels of lists and objects. Flatten it.';
    expect(await response.body.json()).toMatchObject({ errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] });
  });

  it('has a row refused that has a NUL in a column that fills no variable', async () => {
    for (const file of [
      `nss,note\n${first},a\0b\n${second},c\n`,
      `{"nss":"${first}","note":"\\u0000"}\n{"nss":"${second}"}\n`,
      await writeWorkbook(['nss,note', `${first},a_x0000_b`, `${second},c`].map((row) => row.split(','))),
    ])
      expect(await upload(file)).toMatchObject({
        rows: 1,
        refusedCount: 1,
        refused: [{ message: expect.stringContaining('NUL') }],
      });
  });

  it('has no paid lookup of a text that was damaged before, and the other lookups of the row run', async () => {
    const operation = `query ($nss: NSS!, $text: String!) {
      person(nss: $nss, name: { names: "ANA", paternalSurname: $text }) { licences { outcome } credit { outcome } }
      employer(registration: "Y6012345101") {
        receiptFiles(period: "2025-01", folio: "1", amountText: $text) { outcome }
        complianceOpinion(rfc: "CAÑF770131PA3", kind: $text) { outcome }
      } }`;
    const [invalid, found] = [{ outcome: 'INVALID_INPUT' }, { outcome: 'FOUND' }];
    const file = `{"nss":"${first}","text":"L\ufffdPEZ"}\n{"nss":"${second}","text":"L\\ud83dPEZ"}\n`;
    padron.calls();
    const batch = await client.runFile({ operation }, file);
    expect(padron.calls()).toEqual([creditAddress, creditAddress]);
    expect(batch.progress).toMatchObject({ failed: 2, spentUnits: 2 });
    const employer = { receiptFiles: invalid, complianceOpinion: invalid };
    const data = { person: { licences: invalid, credit: found }, employer };
    expect(await client.rows(batch.id)).toMatchObject([{ data }, { data }]);
  });

  it('has at most 1,000 people of a row in the index of erasures, first those alone in a cell', () => {
    const numbers = Array.from({ length: 30_000 }, (_item, index) => `${12_000_000_000 + index}`);
    const people = numbers.filter((number) => checkNss(number) === null);
    expect(people.length).toBeGreaterThan(1_000);
    const subjects = findCellSubjects([people.join(' '), people.join('\n'), first]);
    expect(subjects.length).toBeLessThan(1_010);
    expect(subjects).toContainEqual({ kind: 'nss', value: first });
  });
});
