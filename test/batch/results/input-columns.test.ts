import { inputObject } from '../../../src/batch/results/result-table';
import type { BatchRow } from '../../../src/batch/storage/row-store';

describe('the cells of a row in JSON lines', () => {
  it('keep the value of a column without a name beside a column with the name that it would get', () => {
    const row: BatchRow = {
      ref: null,
      line: 2,
      variables: {},
      cells: ['a', 'b', 'c', 'd'],
      remarks: [],
      number: 1,
      state: 'DONE',
      attempts: 1,
      units: 0,
      uncertain: 0,
      result: null,
    };
    expect(inputObject(row, ['nss', '', 'column 2', ''])).toEqual({
      nss: 'a',
      'column 2 (2)': 'b',
      'column 2': 'c',
      'column 4': 'd',
    });
  });
});
