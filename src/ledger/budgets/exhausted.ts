import { type Problem, problem } from '../../registry/answer/problem';
import type { BudgetTerms } from './budget';
import type { Period } from './period';

/** Why a call does not leave: by which budget, what is left of it, and when it begins anew. */
export function exhausted(terms: BudgetTerms, period: Period, price: number, left: number, now: Date): Problem {
  const { client, tag, units } = terms;
  const isDay = terms.period === 'DAY';
  const resetsAt = period.endsAt.toISOString();
  const who = [client === null ? null : `client ${client}`, tag === null ? null : `tag ${tag}`].filter(Boolean);
  const quien = [client === null ? null : `cliente ${client}`, tag === null ? null : `etiqueta ${tag}`].filter(Boolean);
  const message = `Not asked: of the ${units} units a ${isDay ? 'day' : 'month'} of ${who.join(' and ') || 'the account'}, ${left} are left, and this costs ${price}. It resets at ${resetsAt}.`;
  const spanish = `No se consultó: de las ${units} unidades por ${isDay ? 'día' : 'mes'} de ${quien.join(' y ') || 'la cuenta'} quedan ${left}, y esto cuesta ${price}. Se renueva el ${resetsAt}.`;
  const retryAfter = Math.max(1, Math.ceil((period.endsAt.getTime() - now.getTime()) / 1_000));
  return problem('BUDGET_EXHAUSTED', { message, spanish, retryAfter });
}
