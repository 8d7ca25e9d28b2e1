import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BudgetTerms } from '../../src/ledger/budgets/budget';
import { RememberedBudgets } from '../../src/ledger/budgets/remembered-budgets';

const budget: BudgetTerms = {
  id: 'b',
  account: 'a',
  client: 'payroll',
  tag: null,
  period: 'DAY',
  units: 3,
  alertsAt: [50],
};

describe('the budgets that a process remembers', () => {
  let folder: string;
  const failed = jest.fn<void, []>();
  /** As a process does that starts now. */
  const remember = (name = 'budgets.json'): RememberedBudgets =>
    new RememberedBudgets(join(folder, name), { budgetsNotRemembered: failed });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'padron-data-'));
    failed.mockClear();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are those that were written last, for its own user alone', () => {
    const remembered = remember();
    remembered.write([budget, { ...budget, id: 'c' }]);
    remembered.write([budget]);
    expect(remember().read()).toEqual([budget]);
    expect(statSync(join(folder, 'budgets.json')).mode & 0o777).toBe(0o600);
    remembered.write([]);
    expect(remember().read()).toEqual([]);
    expect(readdirSync(folder)).toEqual(['budgets.json']);
    expect(failed).not.toHaveBeenCalled();
  });

  it('leave no file where there never was one', () => {
    remember().write([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['cut off', '[{"id":"b","acc'],
    ['empty', ''],
    ['something else', '{"budgets":1}'],
    ['a list of nothing', '[null]'],
    ['of another version', JSON.stringify([{ ...budget, period: 'YEAR' }])],
  ])('are none where the file is %s, which is told, and the next ones are written', (_, text) => {
    writeFileSync(join(folder, 'budgets.json'), text);
    expect(remember().read()).toEqual([]);
    expect(failed).toHaveBeenCalledTimes(1);
    remember().write([]);
    failed.mockClear();
    remember().write([budget]);
    expect(remember().read()).toEqual([budget]);
    expect(failed).not.toHaveBeenCalled();
  });

  it('are told once where they cannot be written, and stop nothing', () => {
    const remembered = remember('no-such-folder/budgets.json');
    remembered.write([budget]);
    remembered.write([budget]);
    expect(failed).toHaveBeenCalledTimes(1);
    expect(remembered.read()).toEqual([]);
  });
});
