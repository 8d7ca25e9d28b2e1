import { found, type ServiceResponse } from '../protocol/responses';
import type { Question } from '../protocol/route';

/** Returns the remaining units of the account. */
export function getBalance({ account, dependencies }: Question): ServiceResponse {
  return found({ balance: dependencies.balances.balance(account) });
}
