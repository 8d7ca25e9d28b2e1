import { type Problem, problem } from '../../registry/answer/problem';
import type { BudgetTerms } from './budget';
import type { Period } from './period';

/** Returns the problem of a call that a budget refused: it reports the budget, the units left and the time of the reset. */
export function budgetExhausted(
  terms: Pick<BudgetTerms, 'client' | 'tag' | 'period' | 'units'>,
  period: Period,
  price: number,
  left: number,
  now: Date,
): Problem {
  const { client, tag, units } = terms;
  const isDay = terms.period === 'DAY';
  const resetsAt = period.endsAt.toISOString();
  const who = [client === null ? [] : `the client ${client}`, tag === null ? [] : `the tag ${tag}`].flat();
  const quien = [client === null ? [] : `del cliente ${client}`, tag === null ? [] : `de la etiqueta ${tag}`].flat();
  const unitsADay = `${units} unit${units === 1 ? '' : 's'} a ${isDay ? 'day' : 'month'}`;
  const unidadesPorDia = `${units} ${units === 1 ? 'unidad' : 'unidades'} por ${isDay ? 'día' : 'mes'}`;
  const message = `No call was made: of the budget of ${unitsADay} for ${who.join(' and ') || 'the account'}, ${left} ${left === 1 ? 'is' : 'are'} left, and this costs ${price}. It resets at ${resetsAt}.`;
  const spanish = `No se consultó: del presupuesto de ${unidadesPorDia} ${quien.join(' y ') || 'de la cuenta'} ${left === 1 ? 'queda' : 'quedan'} ${left}, y esto cuesta ${price}. Se renueva el ${resetsAt}.`;
  const retryAfter = Math.max(1, Math.ceil((period.endsAt.getTime() - now.getTime()) / 1_000));
  return problem('BUDGET_EXHAUSTED', { message, spanish, retryAfter });
}
