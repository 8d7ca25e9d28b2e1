import { type Problem, problem } from '../../../registry/answer/problem';
import type { Caller } from '../../../registry/caller';
import { isPart } from '../../answers/operations/lasting-operations';
import { moneyCodes } from '../../codes';
import type { BudgetTerms } from '../../ledger/budgets/stored-budgets';
import type { Calendar, Period } from '../../ledger/entries/period';
import type { Payer } from './call';

const retryAfterSeconds = 5;

export const ledgerUnavailable = (): Problem =>
  problem(moneyCodes.LEDGER_UNAVAILABLE, { retryAfter: retryAfterSeconds });

export const keptNotCounted = (): Problem =>
  problem(moneyCodes.LEDGER_UNAVAILABLE, {
    retryAfter: retryAfterSeconds,
    message:
      'The ledger did not answer in time, so kept answers could not be looked up. Their questions count at the full price.',
    spanish:
      'El libro de consumo no respondió a tiempo y no se pudieron buscar las respuestas guardadas. Sus consultas se cuentan al precio completo.',
  });

export function peerTimeout(): Problem {
  return problem('REGISTRY_TIMEOUT', {
    message:
      'No call was made: another instance of this server is making the same call, but did not get an answer in time.',
    spanish:
      'No se consultó: otra instancia de este servidor está consultando lo mismo y no ha recibido respuesta a tiempo.',
  });
}

function poisonedQuestion(remainingMs: number): Problem {
  return problem('REGISTRY_PAUSED', {
    retryAfter: Math.max(1, Math.ceil(remainingMs / 1_000)),
    message: 'No call was made: three instances of this server died, one after another, while making this call.',
    spanish: 'No se consultó: tres instancias de este servidor murieron, una tras otra, mientras consultaban esto.',
  });
}

/** Why a call is refused. Null if the store rejects it. */
export type Refusal =
  | { readonly kind: 'OPERATION' | 'QUOTA' | 'STOPPED' | 'UNKNOWN' }
  | { readonly kind: 'POISONED'; readonly ms: number }
  | PeriodRefusal;

interface PeriodRefusal {
  readonly kind: 'PERIOD';
  readonly budget: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly period: 'DAY' | 'MONTH';
  readonly units: number;
  readonly left: number;
}

/** Explains to a payer why the store refused a call. */
export function explainRefusal(
  refusal: Refusal | null,
  { caller, units }: Pick<Payer, 'caller' | 'units'>,
  call: { readonly at: Date; readonly price: number },
  { calendar, now }: { readonly calendar: Calendar; readonly now: () => Date },
): Problem {
  switch (refusal?.kind) {
    case undefined:
    case 'UNKNOWN':
      return ledgerUnavailable();
    case 'OPERATION':
      return units.exceeded;
    case 'QUOTA':
      return problem(moneyCodes.KEEP_QUOTA_EXCEEDED);
    case 'STOPPED':
      return problem(isPart(units.lasting) ? 'CALLER_GONE' : moneyCodes.OPERATION_ENDED);
    case 'POISONED':
      return poisonedQuestion(refusal.ms);
    case 'PERIOD':
      return budgetExhausted(refusal, calendar.periodOf(refusal.period, call.at), call.price, now(), caller);
  }
}

/** Whether a caller may see what other clients of its account spend, which a budget that names no client shows. */
export const seesOtherClients = ({ permissions }: Pick<Caller, 'permissions'>): boolean =>
  permissions === null || permissions.has('padron_ledger') || permissions.has('padron_budgets');

export function budgetExhausted(
  terms: Pick<BudgetTerms, 'client' | 'tag' | 'period' | 'units'> & { readonly budget: string; readonly left: number },
  period: Period,
  price: number,
  now: Date,
  caller: Pick<Caller, 'permissions'>,
): Problem {
  const { client, tag, units, left } = terms;
  const showsUnits = client !== null || seesOtherClients(caller);
  const isDay = terms.period === 'DAY';
  const scope = [client === null ? [] : `the client ${client}`, tag === null ? [] : `the tag ${tag}`].flat();
  const spanishScope = [
    client === null ? [] : `del cliente ${client}`,
    tag === null ? [] : `de la etiqueta ${tag}`,
  ].flat();
  const holder = scope.join(' and ') || 'the account';
  const spanishHolder = spanishScope.join(' y ') || 'de la cuenta';
  const limit = `${units} unit${units === 1 ? '' : 's'} a ${isDay ? 'day' : 'month'}`;
  const spanishLimit = `${units} ${units === 1 ? 'unidad' : 'unidades'} por ${isDay ? 'día' : 'mes'}`;
  const cause = showsUnits
    ? `the budget of ${limit} for ${holder} has ${left} left, and this costs ${price}`
    : `the budget of this ${isDay ? 'day' : 'month'} for ${holder} does not cover this call`;
  const spanishCause = showsUnits
    ? `del presupuesto de ${spanishLimit} ${spanishHolder} ${left === 1 ? 'queda' : 'quedan'} ${left}, y esto cuesta ${price}`
    : `el presupuesto ${spanishHolder} de este ${isDay ? 'día' : 'mes'} no alcanza para esta consulta`;
  const message = `No call was made: ${cause}. The budget resets on ${period.nextDay}.`;
  const spanish = `No se consultó: ${spanishCause}. Se renueva el ${period.nextDay}.`;
  const retryAfter = Math.max(1, Math.ceil((period.endsAt.getTime() - now.getTime()) / 1_000));
  return problem(moneyCodes.BUDGET_EXHAUSTED, { message, spanish, retryAfter, budget: terms.budget });
}
