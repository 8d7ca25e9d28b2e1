import type { BudgetTerms } from '../../src/ledger/budgets/budget';
import { Calendar } from '../../src/ledger/budgets/period';
import { Slice } from '../../src/ledger/budgets/slice';
import { ledgerMigrations } from '../../src/ledger/tables';
import { openStore } from '../../src/store/open-store';
import { engineRig, engines } from '../support/engines';

const terms: BudgetTerms = {
  id: 'b',
  account: 'a',
  client: null,
  tag: null,
  period: 'DAY',
  units: 4,
  alertsAt: [50, 100],
};

describe.each(engines)('a slice of a budget whose calls left before it was known, on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('counts them once, and gives nobody what those under way did not take before the store has it back', async () => {
    const store = await openStore((await rig.settings()).store, ledgerMigrations);
    await store.query("INSERT INTO ledger_budgets VALUES ('b', 'a', NULL, NULL, 'DAY', 4, '{50,100}')");
    const now = new Date();
    const period = new Calendar('UTC').periodOf('DAY', now);
    const slice = new Slice(store, { budgetId: 'b', period, process: 'p', accounts: ['a'] }, terms, now);
    slice.count(3, 2);
    await Promise.all([slice.open(), slice.open()]);
    const granted = async (): Promise<unknown> => (await store.query('SELECT granted FROM ledger_budget_periods'))[0];
    expect(await granted()).toEqual({ granted: 5 });
    expect(await slice.refill(1)).toEqual({ left: -1 });
    expect(slice.takeCrossed()).toEqual([50, 100]);

    slice.settleCounted(1, 1);
    slice.settleCounted(1, 0);
    expect(slice.tryReserve(1)).toBe(false);
    await slice.release(false);
    expect(await granted()).toEqual({ granted: 4 });
    expect(await slice.refill(1)).toEqual({ left: 0 });
    await store.close();
  });
});
