// A comma separates thousands. The first group cannot begin with 0, because "0,123" is a decimal with a comma.
const DECIMAL_TEXT = /^(-|\+)?\$?\s*((?:[1-9]\d{0,2}(?:,\d{3})+|\d+)?)(?:\.(\d*))?$/;
const SIGN_BEHIND_CURRENCY = /^\$\s*([-+])/;

/** Returns the number or text of a registry as exact decimal text. Returns null if it is ambiguous. */
export function parseDecimal(value: string | number | null): string | null {
  if (value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? expandExponent(String(value)) : null;
  const match = DECIMAL_TEXT.exec(value.trim().replace(SIGN_BEHIND_CURRENCY, '$1$'));
  if (!match) return null;
  const [, sign, grouped = '', fraction = ''] = match;
  if (grouped === '' && fraction === '') return null;
  const whole = grouped.replaceAll(',', '').replace(/^0+(?=\d)/, '') || '0';
  return withSign(sign === '-', fraction === '' ? whole : `${whole}.${fraction}`);
}

/** Writes a number without the exponent that JavaScript uses for 1e21 or 1e-7. */
function expandExponent(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text);
  if (!match) return text;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point >= digits.length) return withSign(sign === '-', digits.padEnd(point, '0'));
  const padded = point > 0 ? digits : digits.padStart(digits.length - point + 1, '0');
  const cut = Math.max(point, 1);
  return withSign(sign === '-', `${padded.slice(0, cut)}.${padded.slice(cut)}`);
}

const withSign = (negative: boolean, text: string): string => (negative && /[1-9]/.test(text) ? `-${text}` : text);

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
