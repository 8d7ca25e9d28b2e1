import { type Problem, problem } from '../../registry/answer/problem';
import type { BudgetTerms } from './budget';
import type { Period } from './period';

/** Returns the problem for a call that a budget refused. It names the budget, the units left and the day of the reset. */
export function budgetExhausted(
  terms: Pick<BudgetTerms, 'client' | 'tag' | 'period' | 'units'>,
  period: Period,
  price: number,
  left: number,
  now: Date,
): Problem {
  const { client, tag, units } = terms;
  const isDay = terms.period === 'DAY';
  const scope = [client === null ? [] : `the client ${client}`, tag === null ? [] : `the tag ${tag}`].flat();
  const spanishScope = [
    client === null ? [] : `del cliente ${client}`,
    tag === null ? [] : `de la etiqueta ${tag}`,
  ].flat();
  const limit = `${units} unit${units === 1 ? '' : 's'} a ${isDay ? 'day' : 'month'}`;
  const spanishLimit = `${units} ${units === 1 ? 'unidad' : 'unidades'} por ${isDay ? 'día' : 'mes'}`;
  const message = `No call was made: the budget of ${limit} for ${scope.join(' and ') || 'the account'} has ${left} left, and this call costs ${price}. The budget resets on ${period.nextDay}.`;
  const spanish = `No se consultó: del presupuesto de ${spanishLimit} ${spanishScope.join(' y ') || 'de la cuenta'} ${left === 1 ? 'queda' : 'quedan'} ${left}, y esto cuesta ${price}. Se renueva el ${period.nextDay}.`;
  const retryAfter = Math.max(1, Math.ceil((period.endsAt.getTime() - now.getTime()) / 1_000));
  return problem('BUDGET_EXHAUSTED', { message, spanish, retryAfter });
}
