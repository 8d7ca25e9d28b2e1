import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { type BudgetInput, type BudgetTerms, saveBudget } from '../../../src/money/ledger/budgets/stored-budgets';
import { AccountNames } from '../../../src/money/ledger/entries/account-names';
import { accountId } from '../../../src/registry/caller';
import { KeyRing } from '../../../src/store/key-ring';
import type { PreparedPadron } from './ledger';

export const DATA_KEY = '0123456789abcdef'.repeat(3);

export function accountNames(serviceUrl: string, bearer = SANDBOX_TOKEN): readonly [string, ...string[]] {
  const account = accountId(bearer);
  const caller = { bearer, account, tenant: account, sandbox: false, usesServerToken: false, permissions: null };
  return new AccountNames(new KeyRing([DATA_KEY]), serviceUrl).namesOf(caller);
}

export async function insertBudget(
  prepared: PreparedPadron,
  serviceUrl: string,
  input: Partial<BudgetInput> & Pick<BudgetInput, 'units'>,
): Promise<BudgetTerms | null> {
  const defaults = { id: null, client: null, tag: null, period: 'DAY', alertsAt: [50, 80, 100] } as const;
  return prepared.read((store) => saveBudget(store, accountNames(serviceUrl), { ...defaults, ...input }));
}
