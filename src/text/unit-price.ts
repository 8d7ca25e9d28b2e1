const minDecimals = 2;

/**
 * Returns the price of a number of units in pesos as exact decimal text, with as many decimals as the price of one unit, but at least
 * two. Returns null if the operator set no price. Amounts are never rounded, so that a sum of amounts equals the amount of the sum.
 */
export function amountOf(units: number, unitPrice: string): string;
export function amountOf(units: number, unitPrice: string | null): string | null;
export function amountOf(units: number, unitPrice: string | null): string | null {
  if (unitPrice === null) return null;
  const [whole = '', fraction = ''] = unitPrice.split('.');
  const decimals = Math.max(minDecimals, fraction.length);
  const scaled = BigInt(whole + fraction.padEnd(decimals, '0')) * BigInt(units);
  const digits = String(scaled).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
