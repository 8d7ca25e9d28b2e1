const NOT_THE_BYTES = 'Base64 must be the bytes alone: leave out the "data:…;base64," in front.';
const URL_ALPHABET = 'Base64 must use the standard alphabet: "+" and "/", not "-" and "_".';
const UNREADABLE = 'Base64 must hold base64 text: letters, digits, "+", "/" and "=" at its end.';

/** Line breaks are let through since most encoders wrap their lines. */
export const stripWhitespace = (text: string): string => text.replace(/\s+/g, '');

/** Why a text is not base64; null when it is. Sizes are judged by whoever decodes it. */
export function explainInvalidBase64(text: string): string | null {
  const encoded = stripWhitespace(text);
  if (/^data:/i.test(encoded)) return NOT_THE_BYTES;
  const match = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(encoded);
  if (!match) return /^[A-Za-z0-9_-]*={0,2}$/.test(encoded) ? URL_ALPHABET : UNREADABLE;
  const [, digits = '', padding = ''] = match;
  const whole = padding === '' ? digits.length % 4 !== 1 : encoded.length % 4 === 0;
  return whole ? null : 'Base64 must hold whole bytes: this text has been cut off or lacks part of its padding.';
}
