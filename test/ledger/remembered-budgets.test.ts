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
  const remember = (name: string): RememberedBudgets => new RememberedBudgets(join(folder, name));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'padron-data-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are those that were written last, for its own user alone', () => {
    const remembered = remember('budgets.json');
    remembered.write([budget, { ...budget, id: 'c' }]);
    remembered.write([budget]);
    expect(remember('budgets.json').read()).toEqual([budget]);
    expect(statSync(join(folder, 'budgets.json')).mode & 0o777).toBe(0o600);
    remembered.write([]);
    expect(remember('budgets.json').read()).toEqual([]);
  });

  it('leave no file where there never was one', () => {
    remember('budgets.json').write([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['cut off', '[{"id":"b","acc'],
    ['something else', '{"budgets":1}'],
    ['empty', ''],
  ])('are none where the file is %s, and can be written anew', (_, text) => {
    writeFileSync(join(folder, 'budgets.json'), text);
    expect(remember('budgets.json').read()).toEqual([]);
    remember('budgets.json').write([budget]);
    expect(remember('budgets.json').read()).toEqual([budget]);
  });

  it('stop nothing where they cannot be written', () => {
    expect(() => remember('no-such-folder/budgets.json').write([budget])).not.toThrow();
  });
});
