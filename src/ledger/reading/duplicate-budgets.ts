import { StatementError } from '../../store/store';
import { type AccountBudgets, DuplicateBudgetError } from './ledger-api';

const uniqueViolation = '23505';

/**
 * Wraps budgets so that a duplicate scope is reported as a `DuplicateBudgetError`. If the operator changed DATA_KEYS in a single round,
 * processes used two names for the same account, and each name may have a budget for the same client, tag and period. padron cannot
 * merge these budgets.
 */
export function reportDuplicateBudgets(budgets: AccountBudgets): AccountBudgets {
  return {
    list: (accounts) => budgets.list(accounts),
    remove: (accounts, id) => budgets.remove(accounts, id),
    set: (accounts, input) =>
      budgets.set(accounts, input).catch((error: unknown) => {
        throw error instanceof StatementError && error.code === uniqueViolation ? new DuplicateBudgetError() : error;
      }),
  };
}
