import { chargeable } from '../../registry/endpoint/price-list';
import type { EndpointTerms, LedgerSum } from './ledger-client';

/**
 * Returns the line of the price list with which the ledger would agree with the statement. Null if none does, or more than one, or if the calls of
 * the interval were priced by other lines than the one in force.
 */
export function findPriceLine(
  { name, units: price, charged }: EndpointTerms,
  sums: readonly LedgerSum[],
  statement: number,
): string | null {
  const callsOf = (ends: readonly string[]): number =>
    sums.reduce((count, { outcome, calls }) => count + (ends.includes(outcome ?? '') ? calls : 0), 0);
  const ledger = sums.reduce((sum, { units }) => sum + units, 0);
  const isUncertain = sums.some(({ uncertainUnits }) => uncertainUnits > 0);
  const paid = callsOf(charged);
  if (isUncertain || ledger !== paid * price) return null;
  // Any sum divides by one call.
  const otherPrice = paid > 1 && statement % paid === 0 ? [{ units: statement / paid, charged }] : [];
  const otherEnds = chargeable.flatMap((end) => {
    const isCharged = charged.includes(end);
    const ends = isCharged ? charged.filter((each) => each !== end) : [...charged, end];
    return callsOf([end]) > 0 && statement === callsOf(ends) * price ? [{ units: price, charged: ends }] : [];
  });
  const [line, ...others] = [...otherPrice, ...otherEnds];
  return line === undefined || others.length > 0 ? null : `${JSON.stringify(name)}: ${JSON.stringify(line)}`;
}
