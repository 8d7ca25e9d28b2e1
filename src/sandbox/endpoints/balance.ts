import { type Answer, found } from '../answers';
import type { Question } from '../question';

/** The units that the account has left. */
export function tellBalance({ account, world }: Question): Answer {
  return found({ balance: world.ledger.balance(account) });
}
