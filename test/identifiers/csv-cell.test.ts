import { parse } from 'csv-parse/sync';
import { csvCell } from '../../src/identifiers/csv-cell';

describe('a cell of CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+52 55', "'+52 55"],
    ['-A1', "'-A1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['  =1', "'  =1"],
    ['\t=1', '"\'\t=1"'],
    ['\u200b=1', "'\u200b=1"],
    ['＝1', "'＝1"],
    ['="04159600263"', '"=""04159600263"""'],
    ['="1"&A1', '"\'=""1""&A1"'],
    ["'04159600263", "'04159600263"],
    ['-12.50', '-12.50'],
    ['-', '-'],
    ['--1', "'--1"],
    ['a"b,c', '"a""b,c"'],
    ['MUÑOZ', 'MUÑOZ'],
    ['Ana;=1+1', '"Ana;\'=1+1"'],
    ['55 1234; +52 55', '"55 1234; \'+52 55"'],
    ['Ana;;"@SUM(A1)', '"Ana;;""\'@SUM(A1)"'],
    ['Ana\n＝1', '"Ana\n\'＝1"'],
    ['\n-A1', '"\'\n\'-A1"'],
    ['4; -12.50; -3', '"4; -12.50; -3"'],
    ['Calle 5, -B', '"Calle 5, -B"'],
    ["Ana;'=1", '"Ana;\'=1"'],
  ])('does not become a formula: %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  // An Excel with Spanish settings of Spain splits at semicolons. It only recognizes quotes at the beginning of a cell.
  it.each(['x;=1+1;y', 'x;"=1+1;y', 'x\n=1+1', 'x;\r\n;@SUM(A1)', '\n=1+1', 'x; \u200b=1+1;-3'])(
    'does not become a formula if a spreadsheet splits at semicolons: %j',
    (text) => {
      const line = `007,${csvCell(text)},end\r\n`;
      const cells: string[][] = parse(line, { delimiter: ';', relax_quotes: true, relax_column_count: true });
      expect(cells.length + (cells[0]?.length ?? 0)).toBeGreaterThan(2);
      for (const cell of cells.flat()) expect(cell).not.toMatch(/^[\s"\u200b]*[=+@]/);
    },
  );

  it('takes no longer than its length allows', () => {
    const began = performance.now();
    csvCell('\n'.repeat(1_000_000));
    csvCell(';-1'.repeat(300_000));
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
