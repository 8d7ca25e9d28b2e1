// Text copied from documents and web pages may have different dashes, invisible characters, and full-width digits and letters.
// A soft hyphen after Ã is kept, because it is half of an í that was not read as UTF-8.
const INVISIBLE = /(?!(?<=[Ãã])\u00ad)\p{Default_Ignorable_Code_Point}/gu;
const DASHES = /[\p{Pd}\u2212\u2043\u02d7]/gu;
const BLANKS_AND_DASHES = /[\s\u2800\p{Default_Ignorable_Code_Point}\p{Pd}\u2212\u2043\u02d7]/gu;
const WITHOUT_SEPARATORS = /^[0-9A-Z&]*$/;
const COMBINING_MARKS = /\p{M}/gu;
const ASCII = /^[\x20-\x7e]*$/;
const FULL_WIDTH = /[\uff01-\uff5e]+/g;
const SPACES = /[\p{Zs}\u2800]+/gu;

/**
 * Maximum length of an identifier or name. Longer texts are not read at all: normalising takes time quadratic in the combining marks, and
 * thousands of fields may read the same text.
 */
export const maxInputLength = 1_000;

/** Normalises an NSS, CURP, RFC or employer registration: removes spaces and dashes, and converts to upper case. Ñ and & are kept. */
export function stripSeparators(text: string): string {
  if (text.length > maxInputLength || WITHOUT_SEPARATORS.test(text)) return text;
  const letters = text.replace(BLANKS_AND_DASHES, '').normalize('NFKC').toUpperCase().normalize('NFKC');
  // Normalising a superscript dash or a spacing accent may produce new separators.
  return unlessLonger(letters.replace(BLANKS_AND_DASHES, ''), text);
}

/** Normalises a folio, licence number or month to plain text. Dashes and case are kept. */
export function toPlainText(text: string): string {
  if (text.length > maxInputLength) return text;
  if (ASCII.test(text)) return text.trim();
  const letters = text.replace(INVISIBLE, '').normalize('NFKC').replace(DASHES, '-').replaceAll('\u2800', ' ').trim();
  return unlessLonger(letters, text);
}

/**
 * Normalises a name: removes invisible characters, collapses spaces and composes accents. `ª` and `’` are kept, because some names
 * have them.
 */
export function cleanName(text: string): string {
  if (text.length > maxInputLength) return text;
  if (ASCII.test(text)) return text.trim().replace(/ {2,}/g, ' ');
  const letters = text.replace(INVISIBLE, '').replace(FULL_WIDTH, (wide) => wide.normalize('NFKC'));
  return unlessLonger(letters.normalize('NFC').replace(SPACES, ' ').trim(), text);
}

/** Returns the normalised text unless it is longer. One character may expand to eighteen, and an answer may repeat the text many times. */
const unlessLonger = (normalised: string, text: string): string =>
  normalised.length > text.length ? text : normalised;

export function trim(text: string): string {
  return text.trim();
}

/** Returns a name without case, accents and the difference of Ñ and N, so that spellings can be compared. */
export function foldName(text: string): string {
  if (text.length > maxInputLength) return text;
  return text.normalize('NFD').replace(COMBINING_MARKS, '').toUpperCase().replace(/\s+/gu, ' ').trim();
}

/** Adds the leading zeros of an NSS. Returns text with other characters unchanged. */
export function padNss(value: string | number): string {
  const text = String(value).trim();
  return /^\d+$/.test(text) ? text.padStart(11, '0') : text;
}

/** Maximum length of a key. A longer text is cut, because an answer may repeat it many times. */
const maxKeyLength = 100;
/** Characters of a key. Others take up to six bytes each in an answer. */
const plainText = /^[\x20-\x7e]*$/;

/**
 * Parses the key of an entity, which a router sends as raw JSON without a scalar. Text is normalised. A key that is not text becomes
 * an invalid text, so that its lookups are INVALID_INPUT instead of an error that nulls the other entities.
 */
export function parseEntityKey(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return '';
  // The separators are kept, so that the cut text cannot become a valid key.
  const key = value.length > maxKeyLength ? value.slice(0, maxKeyLength) : stripSeparators(value);
  return plainText.test(key) ? key : '';
}

/** Returns an absolute http(s) URL without surrounding spaces. Returns null for anything else, such as `javascript:` or `file:`. */
export function parseWebUrl(text: string | null): string | null {
  const url = text?.trim() ?? '';
  return /^https?:\/\/[^/?#\\\s]/i.test(url) && URL.canParse(url) ? url : null;
}
