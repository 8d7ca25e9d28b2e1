import { AccountNames } from '../../../src/ledger/account-names';
import type { BudgetInput, BudgetTerms } from '../../../src/ledger/budgets/budget';
import { saveBudget } from '../../../src/ledger/budgets/budget-rows';
import { accountId } from '../../../src/registry/caller';
import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { KeyRing } from '../../../src/store/key-ring';
import type { KeptPadron } from './ledger';

export const DATA_KEY = '0123456789abcdef'.repeat(3);

/** Returns the ids of the sandbox's account in the ledger of a service. */
export function accountNames(serviceUrl: string, bearer = SANDBOX_TOKEN): readonly [string, ...string[]] {
  const caller = { bearer, account: accountId(bearer), sandbox: false, usesServerToken: false, permissions: null };
  return new AccountNames(new KeyRing([DATA_KEY]), serviceUrl).namesOf(caller);
}

/** Sets a budget before a padron starts. */
export async function giveBudget(
  kept: KeptPadron,
  serviceUrl: string,
  input: Partial<BudgetInput> & Pick<BudgetInput, 'units'>,
): Promise<BudgetTerms | null> {
  const defaults = { id: null, client: null, tag: null, period: 'DAY', alertsAt: [50, 80, 100] } as const;
  return kept.read((store) => saveBudget(store, accountNames(serviceUrl), { ...defaults, ...input }));
}
