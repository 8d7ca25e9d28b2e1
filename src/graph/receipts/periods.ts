import type { Context } from '../context';
import { isFutureMonth, monthsBetween } from '../formats/dates';
import { combine, type Invalid, invalid, isInvalid, type Validated, validate } from '../lookup/input';
import { checkYearMonth } from '../validation/document';

const maxMonths = 36;

/** A month that has begun: of one to come the service holds nothing, and asking would cost the same. */
export function validatePeriod(context: Context, period: string): Validated<string> {
  const month = validate(context, period, checkYearMonth, ['period']);
  if (isInvalid(month) || !isFutureMonth(period, context.now())) return month;
  return invalid('OUT_OF_RANGE', ['period'], 'The month has not begun in Mexico City.');
}

/** A range of months, judged as a whole. */
export function validateRange(context: Context, from: string, to: string): Invalid | null {
  const range = combine({
    from: validate(context, from, checkYearMonth, ['from']),
    to: validate(context, to, checkYearMonth, ['to']),
  });
  if (isInvalid(range)) return range;
  if (from > to) return invalid('OUT_OF_RANGE', ['from'], 'The first month is after the last one.');
  const months = monthsBetween(from, to).length;
  if (months <= maxMonths) return null;
  return invalid('OUT_OF_RANGE', ['to'], `The range holds ${months} months; at most ${maxMonths} are asked at once.`);
}
