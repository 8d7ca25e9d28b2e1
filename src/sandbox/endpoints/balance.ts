import { found, type ServiceResponse } from '../protocol/responses';
import type { Question } from '../protocol/route';

/** The units that the account has left. */
export function getBalance({ account, dependencies }: Question): ServiceResponse {
  return found({ balance: dependencies.balances.balance(account) });
}
