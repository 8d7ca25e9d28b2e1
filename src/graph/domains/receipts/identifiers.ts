import { isFutureMonth, monthsBetween } from '../../../identifiers/dates';
import { checkYearMonth } from '../../../identifiers/document';
import type { LookupContext } from '../../core/context';
import { combine, type Invalid, invalid, isInvalid, type Validated, validate } from '../../core/lookup/lookup';

export const maxAmountTextLength = 40;
export const maxMonths = 36;

/** Validates a month. Rejects a future month, because the service has no receipts for it and would charge the call. */
export function validatePeriod(context: LookupContext, period: string): Validated<string> {
  const month = validate(context, period, checkYearMonth, ['period']);
  if (isInvalid(month) || !isFutureMonth(period, context.now())) return month;
  return invalid('OUT_OF_RANGE', ['period'], {
    message: 'The month has not begun in Mexico City. Use the current month or an earlier one.',
    spanish: 'El mes no ha comenzado en la Ciudad de México. Use el mes actual o uno anterior.',
  });
}

export function validateRange(context: LookupContext, from: string, to: string): Invalid | null {
  const range = combine({
    from: validate(context, from, checkYearMonth, ['from']),
    to: validate(context, to, checkYearMonth, ['to']),
  });
  if (isInvalid(range)) return range;
  if (from > to)
    return invalid('OUT_OF_RANGE', ['from'], {
      message: 'The first month is after the last one. Swap them.',
      spanish: 'El primer mes es posterior al último. Intercámbielos.',
    });
  const months = monthsBetween(from, to).length;
  if (months <= maxMonths) return null;
  return invalid('OUT_OF_RANGE', ['to'], {
    message: `The range has ${months} months. Use at most ${maxMonths} at once.`,
    spanish: `El intervalo abarca ${months} meses; use ${maxMonths} a la vez como máximo.`,
  });
}
