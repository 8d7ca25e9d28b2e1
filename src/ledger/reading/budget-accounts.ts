import { StatementError } from '../../store/store';
import { type BudgetAccounts, BudgetTakenError } from './port';

const uniqueViolation = '23505';

/**
 * Budgets as the graph sets them: there is one for each client, tag and period. Two may stand under two names of an account, where its
 * key was changed in one round: they cannot become one.
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
