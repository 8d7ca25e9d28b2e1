import { StatementError } from '../../store/store';
import { type BudgetAccounts, BudgetTakenError } from './port';

const uniqueViolation = '23505';

/**
 * Returns the budgets of an account, one for each client, tag and period. If the key was changed in a single round, an
 * account has two names, and each may have a budget for the same scope. Such budgets cannot be merged.
 */
export function budgetAccounts(budgets: BudgetAccounts): BudgetAccounts {
  return {
    list: (accounts) => budgets.list(accounts),
    remove: (accounts, id) => budgets.remove(accounts, id),
    set: (accounts, input) =>
      budgets.set(accounts, input).catch((error: unknown) => {
        throw error instanceof StatementError && error.code === uniqueViolation ? new BudgetTakenError() : error;
      }),
  };
}
