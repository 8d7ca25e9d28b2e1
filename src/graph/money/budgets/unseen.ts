import { say } from '../../../identifiers/text';
import type { BudgetTerms } from '../../../money/budgets/stored-budgets';
import type { Context } from '../../core/context';

interface UnseenBudget extends Pick<BudgetTerms, 'client' | 'tag'> {
  readonly lastSeenAt: Date | null;
}

const words = { client: ['client', 'el cliente'], tag: ['tag', 'la etiqueta'] } as const;

/** Returns a warning if no call has counted for a budget, with the client or tag that was probably meant. */
export async function warnUnseen(budget: UnseenBudget, { ledger, language }: Context): Promise<string | null> {
  if (budget.lastSeenAt !== null || (budget.client ?? budget.tag) === null) return null;
  const unseen = {
    english: 'No call has counted for this budget yet.',
    spanish: 'Ninguna consulta ha contado aún para este presupuesto.',
  };
  for (const kind of ['client', 'tag'] as const) {
    const name = budget[kind];
    const similar = name === null ? undefined : await ledger?.budgets.findSimilar(ledger.accounts, kind, name);
    if (similar === undefined) continue;
    const { name: meant, day } = similar;
    const [english, spanish] = words[kind];
    return say(
      {
        english: `${unseen.english} Did you mean the ${english} ${meant}, last seen on ${day}?`,
        spanish: `${unseen.spanish} ¿Quiso decir ${spanish} ${meant}, ${kind === 'tag' ? 'vista' : 'visto'} por última vez el ${day}?`,
      },
      language,
    );
  }
  return say(
    { english: `${unseen.english} Check its spelling.`, spanish: `${unseen.spanish} Revise cómo está escrito.` },
    language,
  );
}
