// Copying from documents and web pages brings dashes of every length, marks of direction and characters that nobody sees, and
// digits and letters of other widths.
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const DASHES = /[\p{Pd}\u2212\u2043\u02d7]/gu;
const BLANKS_AND_DASHES = /[\s\u2800\p{Default_Ignorable_Code_Point}\p{Pd}\u2212\u2043\u02d7]/gu;
const WITHOUT_SEPARATORS = /^[0-9A-Z&]*$/;
const COMBINING_MARKS = /\p{M}/gu;
const ASCII = /^[\x20-\x7e]*$/;
const FULL_WIDTH = /[\uff01-\uff5e]+/g;
const SPACES = /[\p{Zs}\u2800]+/gu;

/** No identifier and no name is longer. What is stays as it came: composing marks takes time by the square of their number. */
export const maxInputLength = 1_000;

/** For NSS, CURP, RFC and employer registration: blanks and dashes removed, upper case; Ñ (composed) and & stay. */
export function stripSeparators(text: string): string {
  if (WITHOUT_SEPARATORS.test(text) || text.length > maxInputLength) return text;
  const letters = text.replace(BLANKS_AND_DASHES, '').normalize('NFKC').toUpperCase().normalize('NFKC');
  // A raised dash, or an accent that stands alone, comes apart into what is a separator again.
  return unlessLonger(letters.replace(BLANKS_AND_DASHES, ''), text);
}

/** For folios, licence numbers and months, whose dashes and case belong to them: as plain text as they can be. */
export function toPlainText(text: string): string {
  if (ASCII.test(text) || text.length > maxInputLength) return text.trim();
  const letters = text.replace(INVISIBLE, '').normalize('NFKC').replace(DASHES, '-').replaceAll('\u2800', ' ').trim();
  return unlessLonger(letters, text);
}

/** For names: what nobody sees removed, every blank one space, accents put together. `ª` and `’` are letters of some names. */
export function cleanName(text: string): string {
  if (ASCII.test(text) || text.length > maxInputLength) return text.trim().replace(/ {2,}/g, ' ');
  const letters = text.replace(INVISIBLE, '').replace(FULL_WIDTH, (wide) => wide.normalize('NFKC'));
  return unlessLonger(letters.normalize('NFC').replace(SPACES, ' ').trim(), text);
}

/** One sign may stand for eighteen letters, and an answer may give them back as often as it names them: that is no identifier. */
const unlessLonger = (normalised: string, text: string): string =>
  normalised.length > text.length ? text : normalised;

export function trim(text: string): string {
  return text.trim();
}

/** A form in which two spellings of one name are equal: case, accents and Ñ/N folded, blanks collapsed. */
export function foldName(text: string): string {
  const letters =
    text.length > maxInputLength || ASCII.test(text) ? text : text.normalize('NFD').replace(COMBINING_MARKS, '');
  return letters.toUpperCase().replace(/\s+/gu, ' ').trim();
}

/** An NSS with the leading zeros that a number loses; what is not digits comes back as it is. */
export function padNss(value: string | number): string {
  const text = String(value).trim();
  return /^\d+$/.test(text) ? text.padStart(11, '0') : text;
}
