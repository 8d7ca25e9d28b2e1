import { type Answer, found } from '../protocol/responses';
import type { Question } from '../protocol/route';

/** The units that the account has left. */
export function tellBalance({ account, world }: Question): Answer {
  return found({ balance: world.balances.balance(account) });
}
