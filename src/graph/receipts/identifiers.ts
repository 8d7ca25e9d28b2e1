import type { Context } from '../context';
import { isFutureMonth, monthsBetween } from '../formats/dates';
import { combine, type Invalid, invalid, isInvalid, type Validated, valid, validate } from '../lookup/input';
import { checkYearMonth } from '../validation/document';

const maxAmountTextLength = 40;
const maxMonths = 36;

/** A month that has begun: of one to come the service holds nothing, and asking would cost the same. */
export function validatePeriod(context: Context, period: string): Validated<string> {
  const month = validate(context, period, checkYearMonth, ['period']);
  if (isInvalid(month) || !isFutureMonth(period, context.now())) return month;
  return invalid('OUT_OF_RANGE', ['period'], {
    message: 'The month has not begun in Mexico City.',
    spanish: 'El mes no ha comenzado en la Ciudad de México.',
  });
}

export function validateRange(context: Context, from: string, to: string): Invalid | null {
  const range = combine({
    from: validate(context, from, checkYearMonth, ['from']),
    to: validate(context, to, checkYearMonth, ['to']),
  });
  if (isInvalid(range)) return range;
  if (from > to)
    return invalid('OUT_OF_RANGE', ['from'], {
      message: 'The first month is after the last one.',
      spanish: 'El primer mes es posterior al último.',
    });
  const months = monthsBetween(from, to).length;
  if (months <= maxMonths) return null;
  return invalid('OUT_OF_RANGE', ['to'], {
    message: `The range holds ${months} months; at most ${maxMonths} are asked at once.`,
    spanish: `El intervalo abarca ${months} meses; se consultan ${maxMonths} a la vez como máximo.`,
  });
}

export function validateAmountText(value: string | null): Validated<string | null> {
  if (value === null || value.length <= maxAmountTextLength) return valid(value);
  return invalid('OUT_OF_RANGE', ['amountText'], {
    message: `The amount has at most ${maxAmountTextLength} characters.`,
    spanish: `El importe tiene ${maxAmountTextLength} caracteres como máximo.`,
  });
}
