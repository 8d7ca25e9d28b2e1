import { texts } from '../../language/texts';

/** Returns an amount in pesos to write after its units. Returns an empty text if padron has no price of a unit. */
export function inParentheses(amount: string | null): string {
  return amount === null ? '' : ` (${texts.pesos(amount)})`;
}
