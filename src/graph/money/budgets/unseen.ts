import { joinTexts, say } from '../../../identifiers/text';
import type { Budget } from '../../../money/ledger/budgets/stored-budgets';
import type { Context } from '../../core/context';

const unseen = { english: 'No call has counted yet.', spanish: 'Ninguna consulta ha contado aún.' };
const checkSpelling = { english: 'Check the spelling.', spanish: 'Revise cómo está escrito.' };

/** Returns a warning if no call has counted for a budget, with the client or tag that was probably meant. */
export async function warnUnseen(budget: Budget, { ledger, language }: Context): Promise<string | null> {
  const { client, tag, lastSeenAt } = budget;
  if (ledger === null || lastSeenAt !== null || (client === null && tag === null)) return null;
  const meant =
    (await ledger.budgets.findSimilar(ledger.accounts, 'client', client)) ??
    (await ledger.budgets.findSimilar(ledger.accounts, 'tag', tag));
  const hint = meant && {
    english: `Did you mean ${meant.name}, last seen on ${meant.day}?`,
    spanish: `¿Quiso decir ${meant.name}, con consultas hasta el ${meant.day}?`,
  };
  return say(joinTexts([unseen, hint ?? checkSpelling], ' '), language);
}
