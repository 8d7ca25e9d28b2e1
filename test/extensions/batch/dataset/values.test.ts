import { buildSchema, type GraphQLInputType, isInputType, parseType, typeFromAST } from 'graphql';
import { findCellSubjects } from '../../../../src/extensions/batch/dataset/load-dataset';
import { explainMisfit } from '../../../../src/extensions/batch/dataset/misfit';
import { readCell } from '../../../../src/extensions/batch/dataset/read-cell';

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
    ['01/2025', '2025-01'],
    ['1-2025', '2025-01'],
    ['ene-25', '2025-01'],
    ['Ene. 2025', '2025-01'],
    ['enero 2025', '2025-01'],
    ['enero de 2025', '2025-01'],
    ['septiembre 2024', '2024-09'],
    ['Jan-25', '2025-01'],
    ["ene '25", '2025-01'],
    ['sept. 2024', '2024-09'],
    ['setiembre 2024', '2024-09'],
    ['15 mar 26', '2026-03'],
    ['Jan 99', '2099-01'],
    ['marciano 2026', 'marciano 2026'],
    ['enemigo 2026', 'enemigo 2026'],
    ['juniors 26', 'juniors 26'],
    ['2025-01', '2025-01'],
    ['2025/1', '2025-01'],
    ['2025-01-31', '2025-01'],
    ['2025-01-01T00:00:00', '2025-01'],
    ['31/01/2025', '2025-01'],
    ['13/2025', '13/2025'],
    ['12/25/2025', '12/25/2025'],
    ['pronto', 'pronto'],
  ])('is read as a month: %s', (text, value) => {
    expect(readCell(text, typeOf('YearMonth'))).toEqual({ value });
  });

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
