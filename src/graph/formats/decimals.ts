// Groups of three behind a first one that does not begin with 0: "0,123" is a European decimal, not a hundred and twenty-three.
const DECIMAL_TEXT = /^(-|\+)?\$?\s*((?:[1-9]\d{0,2}(?:,\d{3})+|\d+)?)(?:\.(\d*))?$/;
/** What most registries send, and all that is written out. */
const PLAIN = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
const SIGN_BEHIND_CURRENCY = /^\$\s*([-+])/;

/** Exact decimal text from a registry's number or text; null when it cannot be read without guessing. */
export function parseDecimal(value: string | number | null): string | null {
  if (value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? expandExponent(String(value)) : null;
  if (PLAIN.test(value)) return value;
  const match = DECIMAL_TEXT.exec(value.trim().replace(SIGN_BEHIND_CURRENCY, '$1$'));
  if (!match) return null;
  const [, sign, grouped = '', fraction = ''] = match;
  if (grouped === '' && fraction === '') return null;
  const whole = grouped.replaceAll(',', '').replace(/^0+(?=\d)/, '') || '0';
  return withSign(sign === '-', fraction === '' ? whole : `${whole}.${fraction}`);
}

/** JavaScript writes 1e21 and 1e-7 with exponents; money is never read that way. */
function expandExponent(text: string): string {
  if (PLAIN.test(text)) return text;
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
