const NOT_THE_BYTES = 'Base64 must be the bytes only. Remove the "data:…;base64," prefix.';
const URL_ALPHABET = 'Base64 must use the standard alphabet: "+" and "/", not "-" and "_".';
const UNREADABLE = 'Base64 must contain base64 text: letters, digits, "+", "/" and "=" at its end.';

/** Removes line breaks and spaces, because most encoders wrap lines. */
export const stripWhitespace = (text: string): string => text.replace(/\s+/g, '');

/** Returns why a text is not base64. Returns null if it is. The size is checked by the code that decodes it. */
export function explainInvalidBase64(text: string): string | null {
  const encoded = stripWhitespace(text);
  if (/^data:/i.test(encoded)) return NOT_THE_BYTES;
  const match = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(encoded);
  if (!match) return /^[A-Za-z0-9_-]*={0,2}$/.test(encoded) ? URL_ALPHABET : UNREADABLE;
  const [, digits = '', padding = ''] = match;
  const whole = padding === '' ? digits.length % 4 !== 1 : encoded.length % 4 === 0;
  return whole ? null : 'Base64 must contain whole bytes. This text is truncated or lacks part of its padding.';
}
